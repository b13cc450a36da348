// Retry schedule of failed deliveries: the intervals of Standard Webhooks 1.0 with jitter, extended if the target
// requests a later retry.

const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

/** Delay before each attempt, indexed by the number of failures; there is no attempt after the last one. */
const RETRY_SCHEDULE_MS: readonly number[] = [
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
/** Upper bound of a delay requested by the target. */
const LATEST_MS = 24 * HOUR

/** Upper bound of any delay. A due time further in the future means that the clock was set back. */
export const MAX_RETRY_WAIT_MS = LATEST_MS * (1 + JITTER)

/**
 * Delay in ms before the next attempt; null: no further attempt.
 * @param chance in [0, 1)
 * @param retryAfterMs requested by the target
 */
export function delayAfter(failures: number, chance: number, retryAfterMs: number | null): number | null {
  const step = RETRY_SCHEDULE_MS[failures]
  if (step === undefined) return null
  return Math.round(Math.max(step * (1 + JITTER * chance), Math.min(retryAfterMs ?? 0, LATEST_MS)))
}

/** Milliseconds of a `Retry-After` header (seconds, or an HTTP date); null if it is absent or unusable. */
export function retryAfterMs(header: string | null, nowMs: number): number | null {
  if (header === null) return null
  const text = header.trim()
  const wait = /^\d{1,9}$/.test(text) ? Number(text) * SECOND : Date.parse(text) - nowMs
  return wait > 0 ? wait : null
}
