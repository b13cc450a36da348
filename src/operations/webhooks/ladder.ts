// How long after a failed delivery the next try comes: the steps of Standard Webhooks 1.0, with jitter, and longer if the target says so.

const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

/** Before the first try, the second, ...; after the last nothing is tried any more. */
const LADDER_MS: readonly number[] = [
  0,
  5 * SECOND,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  24 * HOUR,
]
const JITTER = 0.2
/** However late a target wants to be asked again. */
const LATEST_MS = 24 * HOUR

/** More than any wait that was ever decided: an instant further away is one of a clock that has been set back since. */
export const LONGEST_WAIT_MS = LATEST_MS * (1 + JITTER)

export const TRIES = LADDER_MS.length

/** null: that was the last. `chance` is in [0, 1); `retryAfterMs` is what the target asked for. */
export function delayAfter(failures: number, chance: number, retryAfterMs: number | null): number | null {
  const step = LADDER_MS[failures]
  if (step === undefined) return null
  return Math.round(Math.max(step * (1 + JITTER * chance), Math.min(retryAfterMs ?? 0, LATEST_MS)))
}

/** Milliseconds of a `Retry-After` header (seconds, or an HTTP date); null when it says nothing of use. */
export function retryAfterMs(header: string | null, nowMs: number): number | null {
  if (header === null) return null
  const text = header.trim()
  const wait = /^\d{1,9}$/.test(text) ? Number(text) * SECOND : Date.parse(text) - nowMs
  return wait > 0 ? wait : null
}
