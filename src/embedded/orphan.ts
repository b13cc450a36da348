// Records the process of the embedded chain in its directory, so that a start can end an orphan of an earlier run, for
// example a process that hangs and does not notice that its parent was killed. A process is identified by its id and
// its start time, never by the id alone. A process whose parent is running is not touched.
import { execFileSync } from 'node:child_process'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { makeDirectory } from '../../snapshots/make-directory.ts'

interface Identity {
  readonly pid: number
  /** Start time, as the operating system reports it. */
  readonly startedAt: string
}

interface Recorded extends Identity {
  readonly parent: Identity
}

export interface OrphanLog {
  warn(fields: object, message: string): void
}

/** How long to wait for an orphan to end: unless it hangs, it ends when its pipe closes. */
const GRACE_MS = 3_000
const POLL_MS = 50

/** Records the process that was started on this directory. */
export function recordProcess(dataDir: string, pid: number | undefined): void {
  const parent = identityOf(process.pid)
  const child = pid === undefined ? null : identityOf(pid)
  if (child === null || parent === null) return
  makeDirectory(dataDir)
  writeFileSync(fileOf(dataDir), `${JSON.stringify({ ...child, parent } satisfies Recorded)}\n`, { mode: 0o600 })
}

/** Must be called when the process has ended. The record of another process is kept. */
export function forgetProcess(dataDir: string, pid: number | undefined): void {
  if (recordedIn(dataDir)?.pid === pid) rmSync(fileOf(dataDir), { force: true })
}

/** Ends an orphan of an earlier run. Resolves when it has ended, or if the process is not one. */
export async function endOrphan(dataDir: string, log: OrphanLog, graceMs = GRACE_MS): Promise<void> {
  const orphan = recordedIn(dataDir)
  if (orphan === null || !isRunning(orphan) || isRunning(orphan.parent)) return
  for (let waitedMs = 0; waitedMs < graceMs && isRunning(orphan); waitedMs += POLL_MS) await delay(POLL_MS)
  if (!isRunning(orphan)) return
  log.warn({ pid: orphan.pid }, 'the embedded chain of an earlier run hangs; sending SIGKILL')
  try {
    process.kill(orphan.pid, 'SIGKILL')
  } catch {
    // The process has ended meanwhile, or must not be ended by this user: then its lock is reported.
    return
  }
  for (let waitedMs = 0; waitedMs < graceMs && isRunning(orphan); waitedMs += POLL_MS) await delay(POLL_MS)
}

const fileOf = (dataDir: string): string => join(dataDir, 'process.json')

function recordedIn(dataDir: string): Recorded | null {
  try {
    const value = JSON.parse(readFileSync(fileOf(dataDir), 'utf8')) as Partial<Recorded> | null
    return isIdentity(value) && isIdentity(value.parent) ? { ...value, parent: value.parent } : null
  } catch {
    return null
  }
}

function isIdentity<T extends Partial<Identity>>(value: T | null | undefined): value is T & Identity {
  return Number.isSafeInteger(value?.pid) && Number(value?.pid) > 1 && typeof value?.startedAt === 'string'
}

function isRunning({ pid, startedAt }: Identity): boolean {
  return identityOf(pid)?.startedAt === startedAt
}

/** null: there is no such process, it has ended, or the system does not report it. */
function identityOf(pid: number): Identity | null {
  try {
    const startedAt = process.platform === 'linux' ? linuxStart(pid) : otherStart(pid)
    return startedAt === null || startedAt === '' ? null : { pid, startedAt }
  } catch {
    return null
  }
}

/** Start time in clock ticks since the boot, and the id of the boot. A zombie counts as ended. */
function linuxStart(pid: number): string | null {
  const text = readFileSync(`/proc/${pid}/stat`, 'latin1')
  // The process name, in parentheses, may contain any character.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  if (fields[0] === 'Z' || fields[0] === 'X') return null
  return `${fields[19]} ${readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim()}`
}

function otherStart(pid: number): string {
  return execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  }).trim()
}
