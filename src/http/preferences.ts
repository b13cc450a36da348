// Request preferences: Idempotency-Key, Prefer (RFC 7240), Holdfast-Dry-Run.
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { isUuid } from '../contract/values/identity.ts'
import { frontRefusal } from './problem.ts'

const MAX_KEY_LENGTH = 255
const MAX_WAIT_SECONDS = 120

export interface Preferences {
  readonly idempotencyKey: string | undefined
  readonly dryRun: boolean
  readonly waitMs: number
  /** Value of `Preference-Applied`, if a preference was applied. */
  readonly applied: string | undefined
}

/** Throws a Refusal (400 MALFORMED_HEADER). Unknown preferences are ignored, as RFC 7240 requires. */
export function preferencesOf(headers: IncomingHttpHeaders, responseWaitMs: number): Preferences {
  const key = headers['idempotency-key'] as string | undefined
  const dryRun = headers['holdfast-dry-run']
  const { prefer } = headers
  const { waitMs, applied } =
    typeof prefer === 'string' ? waitOf(prefer, responseWaitMs) : { waitMs: responseWaitMs, applied: undefined }
  return {
    idempotencyKey: key === undefined ? undefined : idempotencyKeyOf(key),
    dryRun: dryRun === undefined ? false : dryRunOf(String(dryRun)),
    waitMs,
    applied,
  }
}

function waitOf(prefer: string, responseWaitMs: number): { waitMs: number; applied: string | undefined } {
  let asynchronous = false
  let seconds: number | undefined
  for (const part of prefer.toLowerCase().split(',')) {
    const [preference = ''] = part.split(';')
    const [name, value = ''] = preference.split('=').map((word) => word.trim())
    if (name === 'respond-async') asynchronous = true
    if (name === 'wait' && /^\d{1,6}$/.test(value)) seconds ??= Math.min(Number(value), MAX_WAIT_SECONDS)
  }
  const applied = [asynchronous ? 'respond-async' : '', seconds === undefined ? '' : `wait=${seconds}`]
    .filter(Boolean)
    .join(', ')
  // With both: asynchronous after the wait is over (RFC 7240, 4.3).
  const waitMs = seconds !== undefined ? seconds * 1000 : asynchronous ? 0 : responseWaitMs
  return { waitMs, applied: applied === '' ? undefined : applied }
}

/**
 * Makes one key of a header that arrives more than once, which a proxy may do to one of two attempts only: node joins
 * the values, and the joined text would be another key. Throws 400 `MALFORMED_HEADER` if the keys differ.
 */
export function uniteIdempotencyKeys(request: IncomingMessage): void {
  const joined = request.headers['idempotency-key']
  if (joined === undefined || !joined.includes(',')) return
  const values = request.headersDistinct['idempotency-key'] ?? []
  const [first] = values
  if (first === undefined || values.length === 1) return
  if (new Set(values.map(idempotencyKeyOf).map(foldedKey)).size > 1)
    throw frontRefusal(400, 'MALFORMED_HEADER', 'the request has several values of Idempotency-Key')
  request.headers['idempotency-key'] = first
}

/** A UUID is the same key in upper case, as in `idempotencyId`. */
export function foldedKey(key: string): string {
  return isUuid(key) ? key.toLowerCase() : key
}

/** Parses a structured-field string with quotes and escapes, or takes the header as it is. */
function idempotencyKeyOf(header: string): string {
  const quoted = /^"((?:[^"\\]|\\["\\])*)"$/.exec(header.trim())
  const key = quoted === null ? header.trim() : quoted[1]!.replace(/\\(["\\])/g, '$1')
  if (key === '' || key.length > MAX_KEY_LENGTH) {
    throw frontRefusal(400, 'MALFORMED_HEADER', `Idempotency-Key must have 1 to ${MAX_KEY_LENGTH} characters`)
  }
  return key
}

function dryRunOf(header: string): boolean {
  if (header !== 'true' && header !== 'false')
    throw frontRefusal(400, 'MALFORMED_HEADER', 'Holdfast-Dry-Run must be true or false')
  return header === 'true'
}
