// Rows of transactions as lists. The row is written with each change of state, with the whole history, and in an object
// the member names would be half of it. Unusual values are written as objects.
import type {
  HistoryEntry,
  TransactionContext,
  TransactionStatus,
} from '../../../machines/transactions/transaction-record.ts'
import type { Members } from './packing.ts'
import { timeOfRow, timeRow, type TimeRow } from './time-row.ts'

const LAYOUT = 1

/** Rows store the index of a status, so new ones must be appended. */
const STATUSES: readonly TransactionStatus[] = [
  'PREPARED',
  'PARTIALLY_SIGNED',
  'SIGNED',
  'SUBMITTED',
  'PROCESSED',
  'CONFIRMED',
  'FINALIZED',
  'BLOCKCHAIN_ERROR',
  'NON_BLOCKCHAIN_ERROR',
  'CANCELLED',
  'EXPIRED',
]

/** Status, time and detail of each entry, flattened; the entries themselves if one is unusual. */
type HistoryRow = readonly (TimeRow | null)[] | readonly object[]
/** A time; the index of the history entry with the same time if there is one. */
type Instant = number | string | null

/** The last parts are absent if the transaction was not sent. */
export type TransactionRow = readonly [
  layout: typeof LAYOUT,
  signature: string | null,
  history: HistoryRow,
  slot?: number | null,
  blockTime?: number | null,
  computeUnitsConsumed?: number | null,
  confirmations?: number,
  attempts?: number,
  lastSentAt?: Instant,
  finalAt?: Instant,
  others?: Members,
]

type Placed =
  | 'signature'
  | 'history'
  | 'slot'
  | 'blockTime'
  | 'computeUnitsConsumed'
  | 'confirmations'
  | 'attempts'
  | 'lastSentAt'
  | 'finalAt'
/** Stored in a separate row. */
type Elsewhere = 'fixed'
/** A member with neither a position nor a usual value causes a compile error. undefined: it is usually absent. */
type Usual = {
  readonly [Name in Exclude<keyof TransactionContext, Placed | Elsewhere>]-?: boolean | null | undefined
}

const USUAL: Usual = {
  ourSignature: true,
  complete: true,
  error: null,
  countersigners: undefined,
  unreserved: undefined,
  approval: null,
  cancelAskedAt: null,
  attestation: null,
  proof: null,
}
const NAMES = Object.keys(USUAL) as (keyof Usual)[]

/** undefined: the context must be written as an object. */
export function transactionRow(context: TransactionContext): TransactionRow | undefined {
  const { signature, history, slot, blockTime, computeUnitsConsumed, confirmations, attempts } = context
  const lastSentAt = instantRow(context.lastSentAt, history)
  const finalAt = instantRow(context.finalAt, history)
  const others = othersOf(context)
  if (others === null || lastSentAt === undefined || finalAt === undefined || !isList(history)) return undefined
  const row: unknown[] = [LAYOUT, signature, historyRow(history)]
  const isUnsent =
    slot === null && blockTime === null && computeUnitsConsumed === null && confirmations === 0 && attempts === 0
  if (isUnsent && lastSentAt === null && finalAt === null && others === undefined)
    return row as unknown as TransactionRow
  row.push(slot, blockTime, computeUnitsConsumed, confirmations, attempts, lastSentAt, finalAt)
  if (others !== undefined) row.push(others)
  return row as unknown as TransactionRow
}

/** @throws {TypeError} for a row of a later layout */
export function transactionOfRow(row: TransactionRow): Omit<TransactionContext, 'fixed'> {
  const [layout, signature, entries, slot = null, blockTime = null, computeUnitsConsumed = null] = row
  const [, , , , , , confirmations = 0, attempts = 0, lastSentAt = null, finalAt = null, others] = row
  if ((layout as number) !== LAYOUT) throw new TypeError(`a transaction of layout ${layout}; known: ${LAYOUT}`)
  const history = historyOfRow(entries)
  return {
    signature,
    ourSignature: true,
    complete: true,
    slot,
    blockTime,
    error: null,
    computeUnitsConsumed,
    confirmations,
    attempts,
    lastSentAt: instantOfRow(lastSentAt, history),
    approval: null,
    cancelAskedAt: null,
    attestation: null,
    history,
    proof: null,
    finalAt: instantOfRow(finalAt, history),
    ...others,
  }
}

/** Decodes only the members that describe the end of the transaction. */
export function endOfTransactionRow(
  row: TransactionRow,
): Pick<TransactionContext, 'signature' | 'blockTime' | 'slot' | 'error'> {
  const [, signature, , slot = null, blockTime = null, , , , , , others] = row
  const { error = null } = (others ?? {}) as Partial<TransactionContext>
  return { signature, blockTime, slot, error }
}

/** The members with an unusual value; undefined: there are none; null: a member that is usually present is absent. */
function othersOf(context: TransactionContext): Members | undefined | null {
  let others: Record<string, unknown> | undefined
  for (const name of NAMES) {
    const value = context[name]
    if (value === USUAL[name]) continue
    if (value === undefined) return null
    others ??= {}
    others[name] = value
  }
  return others
}

/** undefined: the value is unusual. */
function instantRow(instant: string | null, history: readonly HistoryEntry[]): Instant | undefined {
  if (instant === null) return null
  if (typeof instant !== 'string' || !isList(history)) return undefined
  for (let at = history.length - 1; at >= 0; at -= 1) if (history[at]!.at === instant) return at
  return instant
}

function isList(history: unknown): boolean {
  return Array.isArray(history)
}

function instantOfRow(instant: Instant, history: readonly HistoryEntry[]): string | null {
  return typeof instant === 'number' ? history[instant]!.at : instant
}

function historyRow(history: readonly HistoryEntry[]): HistoryRow {
  const row: (number | string | null)[] = []
  const first = history[0]?.at
  for (const entry of history) {
    const status = STATUSES.indexOf(entry.status)
    if (status < 0 || !isUsual(entry)) return history
    row.push(status, row.length === 0 ? entry.at : timeRow(entry.at, first!), entry.detail)
  }
  return row
}

const ENTRY_MEMBERS = 3

function isUsual(entry: HistoryEntry): boolean {
  const { at, detail } = entry as Readonly<Record<keyof HistoryEntry, unknown>>
  if (typeof at !== 'string' || (typeof detail !== 'string' && detail !== null)) return false
  return Object.keys(entry).length === ENTRY_MEMBERS
}

function historyOfRow(row: HistoryRow): readonly HistoryEntry[] {
  if (row.length === 0 || typeof row[0] === 'object') return row as readonly HistoryEntry[]
  const history: HistoryEntry[] = []
  const first = row[1] as string
  for (let index = 0; index < row.length; index += ENTRY_MEMBERS) {
    history.push({
      status: STATUSES[row[index] as number]!,
      at: timeOfRow(row[index + 1] as TimeRow, first),
      detail: row[index + 2] as string | null,
    })
  }
  return history
}
