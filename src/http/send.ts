// Writes answers to their connections, those of one turn of the event loop one after another. A write wakes the process
// that waits for the answer, which takes longer than the write itself; one that still has answers to read is awake.
import type { ServerResponse } from 'node:http'

/** An answer waits for others no longer than this, and until the request that is being read has been handled. */
const MAX_WAIT_MS = 1
const MAX_ANSWERS = 32

interface Ready {
  readonly response: ServerResponse
  readonly content: string | Uint8Array | undefined
  readonly encoding: BufferEncoding
  readonly written: (() => void) | undefined
}

let ready: Ready[] = []
let sinceMs = 0
let isPlanned = false

/**
 * Ends a response whose head is written. Absent content: the answer has none.
 *
 * @param written called once the system has the content, and never if the connection is lost before
 */
export function send(
  response: ServerResponse,
  content: string | Uint8Array | undefined,
  encoding: BufferEncoding = 'utf8',
  written?: () => void,
): void {
  if (ready.length === 0) sinceMs = performance.now()
  ready.push({ response, content, encoding, written })
  if (ready.length >= MAX_ANSWERS) sendAll()
  if (isPlanned) return
  isPlanned = true
  setImmediate(sendPlanned)
}

/** Called between the requests of a turn: the first answers do not wait for all that follow. */
export function sendOverdue(nowMs: number): void {
  if (ready.length > 0 && nowMs - sinceMs > MAX_WAIT_MS) sendAll()
}

function sendPlanned(): void {
  isPlanned = false
  sendAll()
}

function sendAll(): void {
  const answers = ready
  ready = []
  for (const { response, content, encoding, written } of answers) response.end(content, encoding, written)
}
