// The command line as a real process: its output, its exit, and real signals. No process started here outlives its
// test.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { atEndOfFile } from '../cleanup.ts'
import { builtMain } from '../config/command-line.ts'

const ROOT = join(import.meta.dirname, '..', '..')

export interface Program {
  readonly pid: number
  /** stdout and stderr so far, line by line in order of arrival. */
  readonly lines: readonly string[]
  /** Exit code, or the signal that ended it. */
  readonly ended: Promise<number | string>
  /**
   * The first line, from number `from` on, for which `pick` finds something. Rejects with everything said when it ends
   * before.
   */
  find<T>(pick: (line: string) => T | undefined, from?: number): Promise<T>
  signal(signal: 'SIGTERM' | 'SIGKILL'): void
}

export interface ProgramOptions {
  readonly command?: 'serve' | 'localnet'
  readonly dataDir: string
  /** Settings without their prefix. */
  readonly settings?: Readonly<Record<string, string>>
  /** Further environment variables of the process. */
  readonly environment?: Readonly<Record<string, string>>
  /** The largest size of a file that it or its children may write, as on a full disk. */
  readonly fileKilobytes?: number
}

export function run({
  command = 'serve',
  dataDir,
  settings = {},
  environment = {},
  fileKilobytes,
}: ProgramOptions): Program {
  const variables = Object.entries({ ...DEFAULTS, DATA_DIR: dataDir, ...settings }).map(([name, text]) => [
    `HOLDFAST_${name}`,
    text,
  ])
  const env = {
    PATH: process.env['PATH'],
    HOME: process.env['HOME'],
    ...environment,
    ...(Object.fromEntries(variables) as Record<string, string>),
  }
  const words = [process.execPath, builtMain(), command]
  const limit = `ulimit -f ${fileKilobytes ?? 'unlimited'}; exec "$@"`
  const child = spawn('bash', ['--norc', '-c', limit, 'bash', ...words], { cwd: ROOT, env })
  atEndOfFile(() => child.kill('SIGKILL'))

  const lines: string[] = []
  const listeners = new Set<() => void>()
  const take = (line: string): void => {
    lines.push(line)
    for (const listener of listeners) listener()
  }
  const closings = [child.stdout, child.stderr].map((stream) =>
    once(createInterface({ input: stream }).on('line', take), 'close'),
  )
  // Its whole output was read: none of its children has these pipes.
  const ended = once(child, 'exit').then(async ([code, signal]) => {
    await Promise.all(closings)
    return (code ?? signal) as number | string
  })

  return {
    pid: child.pid!,
    lines,
    ended,
    find<T>(pick: (line: string) => T | undefined, from = 0): Promise<T> {
      return new Promise((resolve, reject) => {
        let next = from
        const look = (): void => {
          for (; next < lines.length; next += 1) {
            const match = pick(lines[next]!)
            if (match === undefined) continue
            listeners.delete(look)
            resolve(match)
            return
          }
        }
        listeners.add(look)
        void ended.then((how) => {
          listeners.delete(look)
          reject(new Error(`ended with ${how} before it said so:\n${lines.join('\n')}`))
        })
        look()
      })
    },
    signal: (signal) => void child.kill(signal),
  }
}

/**
 * Free ports, no limit that a burst would meet; `info` because the chain's process is found in the log. A blockhash
 * lasts a minute, of which a start after a kill may skip a third: it outlives a restart on a busy machine. Nor does a
 * request end its wait before the chain has answered there.
 */
const DEFAULTS: Readonly<Record<string, string>> = {
  PORT: '0',
  EMBEDDED_RPC_PORT: '0',
  EMBEDDED_SLOT_MS: '400',
  RESPONSE_WAIT_MS: '60000',
  RATE_LIMIT: '100000/100000',
  LOG_LEVEL: 'info',
}
