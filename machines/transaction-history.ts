// The history of a transaction: every state reached and every attempt, in order; bounded, for one may be sent for days.
import type { HistoryEntry } from './transaction-record.ts'

/** Attempts listed one by one; later ones share one entry that counts them. */
export const ATTEMPTS_LISTED = 64
/** Entries at most. From then on the newest replaces the one before it. */
export const HISTORY_LIMIT = 160

/** `history` with one more entry, in a new array. */
export function remember(history: readonly HistoryEntry[], entry: HistoryEntry): readonly HistoryEntry[] {
  return history.length < HISTORY_LIMIT ? [...history, entry] : [...history.slice(0, HISTORY_LIMIT - 1), entry]
}

/** `history` with attempt number `attempt` (from 1), made at `at`; `detail` says where and what came back. */
export function rememberAttempt(history: readonly HistoryEntry[], attempt: number, at: string, detail: string): readonly HistoryEntry[] {
  if (attempt <= ATTEMPTS_LISTED) return remember(history, { status: 'SUBMITTED', at, detail: `attempt ${attempt}: ${detail}` })
  const first = ATTEMPTS_LISTED + 1
  const text = attempt === first ? `attempt ${attempt}: ${detail}` : `attempts ${first} to ${attempt}, the last: ${detail}`
  const entry: HistoryEntry = { status: 'SUBMITTED', at, detail: text }
  const last = history.at(-1)
  const collapses = attempt > first && last?.status === 'SUBMITTED' && last.detail?.startsWith('attempt') === true
  return collapses ? [...history.slice(0, -1), entry] : remember(history, entry)
}
