// History of a transaction: states reached and send attempts, in order. Bounded, because a transaction may be sent for
// days.
import type { HistoryEntry } from './transaction-record.ts'

/** Number of attempts listed individually; later ones share one entry that counts them. */
export const ATTEMPTS_LISTED = 64
/** Maximum number of entries. Beyond it, the newest entry replaces the previous one. */
export const HISTORY_LIMIT = 160

/** A new array with one more entry. */
export function remember(history: readonly HistoryEntry[], entry: HistoryEntry): readonly HistoryEntry[] {
  return history.length < HISTORY_LIMIT ? [...history, entry] : [...history.slice(0, HISTORY_LIMIT - 1), entry]
}

/**
 * Records attempt number `attempt` (from 1), made at `at`.
 *
 * @param detail the endpoint and its response
 */
export function rememberAttempt(
  history: readonly HistoryEntry[],
  attempt: number,
  at: string,
  detail: string,
): readonly HistoryEntry[] {
  if (attempt <= ATTEMPTS_LISTED)
    return remember(history, { status: 'SUBMITTED', at, detail: `attempt ${attempt}: ${detail}` })
  const first = ATTEMPTS_LISTED + 1
  const text =
    attempt === first ? `attempt ${attempt}: ${detail}` : `attempts ${first} to ${attempt}, the last: ${detail}`
  const entry: HistoryEntry = { status: 'SUBMITTED', at, detail: text }
  const last = history.at(-1)
  const collapses = attempt > first && last?.status === 'SUBMITTED' && last.detail?.startsWith('attempt') === true
  return collapses ? [...history.slice(0, -1), entry] : remember(history, entry)
}
