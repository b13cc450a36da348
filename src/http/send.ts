// Writes responses at the end of a turn of the event loop, one directly after another. A write wakes the client
// process, which takes longer than the write itself; a client that still has responses to read is awake already.
import type { ServerResponse } from 'node:http'

/** Maximum time that a response waits for others, plus the handling of the current request. */
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
 * Ends a response whose head is written. Absent content: the response has no body.
 *
 * @param written called once the content is handed to the system; not called if the connection is lost before
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

/** Must be called between the requests of a turn, so that the first responses do not wait for all later ones. */
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
