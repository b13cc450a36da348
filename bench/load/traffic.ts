// What is sent and what counts as done: the part of the load that belongs to a suite. Runs in the load generator's
// process.
import type { Reply } from './connection.ts'

export interface Request {
  /** Head and body, latin1. */
  readonly text: string
  /** Given back with the answer. */
  readonly token: number
}

export interface Traffic {
  next(): Request
  /** Told of every answer. What is wrong with it; null when it did what was asked. */
  accept(token: number, reply: Reply): string | null
  /** What was acknowledged since the start, for the suite's own checks. */
  tally(): unknown
}

export interface Target {
  readonly host: string
  readonly port: number
}

/**
 * Of a request with a JSON body, ready to be completed: the length of `body` must be `bodyLength` in bytes of latin1.
 */
export function requestHead(
  target: Target,
  method: 'POST' | 'PATCH',
  path: string,
  { bodyLength, headers }: { readonly bodyLength: number; readonly headers: Readonly<Record<string, string>> },
): string {
  return [
    `${method} ${path} HTTP/1.1`,
    `Host: ${target.host}:${target.port}`,
    'Content-Type: application/json',
    `Content-Length: ${bodyLength}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    '',
    '',
  ].join('\r\n')
}

export function postHead(
  target: Target,
  path: string,
  bodyLength: number,
  headers: Readonly<Record<string, string>>,
): string {
  return requestHead(target, 'POST', path, { bodyLength, headers })
}

/** A UUID out of a prefix (8 hexadecimal digits) and a count. */
export function countedUuid(prefix: string, count: number): string {
  return `${prefix}-0000-4000-8000-${count.toString(16).padStart(12, '0')}`
}
