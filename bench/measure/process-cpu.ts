// CPU time of processes and of the machine, from /proc (Linux). Ticks of 10 ms: good enough for windows of seconds.
import { readFileSync, readdirSync } from 'node:fs'

/** USER_HZ is 100 on every Linux that node runs on. */
const TICK_US = 10_000

export interface ProcessCpu {
  /** All threads, microseconds since the process began. */
  readonly processUs: number
  /** The thread that runs JavaScript. */
  readonly mainUs: number
}

export interface CpuSample {
  /** Microseconds of CLOCK_MONOTONIC, the clock of V8's profiles. */
  readonly atUs: number
  readonly processes: readonly ProcessCpu[]
  /** Everything that ran on the machine, and the time that its host took. */
  readonly machineUs: number
}

export function sampleCpu(pids: readonly number[]): CpuSample {
  return {
    atUs: Number(process.hrtime.bigint() / 1000n),
    processes: pids.map((pid) => ({
      processUs: statUs(`/proc/${pid}/stat`),
      mainUs: statUs(`/proc/${pid}/task/${pid}/stat`),
    })),
    machineUs: machineUs(),
  }
}

/**
 * User and system time (fields 14 and 15). The name in field 2 may hold anything, so the rest is counted from its end.
 */
function statUs(path: string): number {
  const text = readFileSync(path, 'latin1')
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) * TICK_US
}

function machineUs(): number {
  const [line] = readFileSync('/proc/stat', 'latin1').split('\n', 1)
  const [user, nice, system, , , irq, softirq, steal] = line!.split(/ +/).slice(1).map(Number)
  return (user! + nice! + system! + irq! + softirq! + steal!) * TICK_US
}

/** The child of `parent` whose command line contains `words`. Throws when there is none. */
export function childOf(parent: number, words: string): number {
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue
    try {
      const text = readFileSync(`/proc/${name}/stat`, 'latin1')
      const parentPid = Number(text.slice(text.lastIndexOf(')') + 2).split(' ')[1])
      if (parentPid === parent && readFileSync(`/proc/${name}/cmdline`, 'latin1').includes(words)) return Number(name)
    } catch {
      // It ended in the meantime.
    }
  }
  throw new Error(`process ${parent} has no child ${words}`)
}
