// A writer in a separate process, and its output.

import { spawn } from 'node:child_process'
import type { ChildProcessWithoutNullStreams } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { atEndOfFile } from '../cleanup.ts'

export interface Writer {
  readonly child: ChildProcessWithoutNullStreams
  readonly acknowledged: Set<number>
  /** Acknowledged after a failure. */
  readonly late: Set<number>
  /** Resolves once the writer has written this many lines in all, or this very line again. */
  said(what: number | string): Promise<void>
  /** SIGKILL; resolves when the process has ended and its whole output was read. */
  kill(): Promise<void>
}

const MAX_COMPLAINTS = 2_000

/** Starts a writer; `limitKib` is the largest file it may write, as a soft limit. */
export function startWriter(mode: 'forever' | 'fill' | 'raw', path: string, first = 0, limitKib?: number): Writer {
  const program = [
    process.execPath,
    '--import',
    'tsx',
    join(import.meta.dirname, 'writer.ts'),
    mode,
    path,
    String(first),
  ]
  // `exec` makes the shell the writer itself, so that a signal reaches it. `ulimit -f` counts 512 bytes in POSIX
  // shells, 1024 in bash.
  const limit = limitKib === undefined ? '' : `ulimit -S -f ${limitKib} && `
  const child = spawn('bash', ['--norc', '-c', `${limit}exec "$@"`, 'bash', ...program])
  // A failed test leaves no writer running.
  atEndOfFile(() => child.kill('SIGKILL'))
  const acknowledged = new Set<number>()
  const lateNumbers = new Set<number>()
  const waiters = new Set<() => void>()
  const lines: string[] = []
  let read = 0
  let complaints = ''
  child.stderr.on('data', (data: Buffer) => {
    complaints = (complaints + data.toString()).slice(-MAX_COMPLAINTS)
    process.stderr.write(data)
  })
  const exited = once(child, 'close') as Promise<[code: number | null, signal: string | null]>
  const input = createInterface({ input: child.stdout })
  input.on('line', (line) => {
    lines.push(line)
    if (/^\d+$/.test(line)) acknowledged.add(Number(line))
    if (line.startsWith('late ')) lateNumbers.add(Number(line.slice(5)))
    for (const check of waiters) check()
  })
  const closed = once(input, 'close')

  const hasReached = (what: number | string): boolean => {
    if (typeof what === 'number') return lines.length >= what
    const at = lines.indexOf(what, read)
    if (at < 0) return false
    read = at + 1
    return true
  }
  return {
    child,
    acknowledged,
    late: lateNumbers,
    said: (what) =>
      new Promise((resolve, reject) => {
        const check = (): void => {
          if (!hasReached(what)) return
          waiters.delete(check)
          resolve()
        }
        waiters.add(check)
        void exited.then(([code, signal]) => {
          const how = signal ?? `exit code ${code}`
          reject(
            new Error(`the writer ended (${how}) after ${lines.length} lines, before it said ${what}: ${complaints}`),
          )
        })
        check()
      }),
    async kill() {
      child.kill('SIGKILL')
      await closed
    },
  }
}
