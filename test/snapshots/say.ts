// Writes a line to standard output before it returns, each byte once.
import { writeSync } from 'node:fs'

const STDOUT = 1
const PAUSE_MS = 1
const never = new Int32Array(new SharedArrayBuffer(4))

/**
 * The loader of TypeScript makes the pipe non-blocking, so that a write to a full one fails: its reader is slow, and
 * the rest is written when it has read on.
 */
export function say(line: string, full: () => void = () => undefined): void {
  let left = Buffer.from(`${line}\n`)
  while (left.length > 0) {
    try {
      left = left.subarray(writeSync(STDOUT, left))
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error
      full()
      Atomics.wait(never, 0, 0, PAUSE_MS)
    }
  }
}
