// The requests of a suite, and the rule which answers count as done. Runs in the process of the load generator.
import type { Reply } from './connection.ts'

export interface Request {
  /** Head and body, latin1. */
  readonly text: string
  /** Passed back with the answer. */
  readonly token: number
}

export interface Traffic {
  next(): Request
  /** Called with every answer. Returns what is wrong with it; null if it did what was requested. */
  accept(token: number, reply: Reply): string | null
  /** The acknowledged work since the start, for the checks of the suite. */
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
