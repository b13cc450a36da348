// Ends transactions that wait too long: without a signature after 24 hours, for an approval after 2 hours. This
// includes transactions that only other parties have signed: our signature is missing, and their blockhash has expired
// long ago. Pending changes expire likewise.
// Guarantee: a transaction with a signature of this service never lapses; its machine rejects the event.
import type { Engine } from '../../engine/engine.ts'
import type { Entry } from '../../engine/records/entry.ts'
import { whenAtHand } from '../../../snapshots/at-hand.ts'
import { ofKind, type RecordState } from '../../engine/records/record.ts'
import { settleTransaction, type SettlementResult } from '../../engine/settlement/settlement.ts'
import { isApproved } from '../../../machines/approval.ts'

const HOUR_MS = 3_600_000
const LAPSES_AFTER_HOURS = 24
const UNSIGNED = `it was not signed within ${LAPSES_AFTER_HOURS} hours and has lapsed`
const UNAPPROVED = 'APPROVAL_LAPSED: it was not approved in time'
/** Transactions ended per sweep, so that a large backlog does not block the event loop. */
const MAX_AT_ONCE = 200
/** Retry interval if another record rejects a consequence of the end. */
const AGAIN_MS = 60_000

export interface LapseLog {
  error(fields: object, message: string): void
}

interface Waiting {
  readonly id: string
  /** Unix milliseconds. */
  readonly dueAt: number
}

export class Lapses {
  readonly #engine: Engine
  readonly #clock: { now(): number }
  readonly #log: LapseLog
  /**
   * Sorted by due time, latest first: the next one is taken from the end. Entries are checked again when they are
   * due, since the transaction may have been signed by then.
   */
  readonly #queue: Waiting[]

  constructor(engine: Engine, clock: { now(): number }, log: LapseLog) {
    this.#engine = engine
    this.#clock = clock
    this.#log = log
    const waiting: Waiting[] = []
    for (const { head } of engine.directory.entries('transaction', 'pendingChange')) {
      const dueAt = lapsesAt(head)
      if (dueAt !== null) waiting.push({ id: head.id, dueAt })
    }
    this.#queue = waiting.sort((a, b) => b.dueAt - a.dueAt)
    engine.onCommitted((changes) => {
      for (const { previous, next } of changes) {
        const dueAt = lapsesAt(next)
        // Signatures of other parties, or some of several approvals, do not change the due time.
        if (dueAt !== null && (previous === undefined || lapsesAt(previous) !== dueAt))
          this.#insert({ id: next.id, dueAt })
      }
    })
  }

  /** Upper bound of the number of waiting transactions. */
  get waiting(): number {
    return this.#queue.length
  }

  /** Ends the transactions that are due. */
  sweep(): void {
    const now = this.#clock.now()
    for (let count = 0; count < MAX_AT_ONCE; count += 1) {
      const next = this.#queue.at(-1)
      if (next === undefined || next.dueAt > now) return
      this.#queue.pop()
      whenAtHand(
        this.#engine,
        () => this.#end(next, now),
        (error) => this.#failed(next, error),
      )
    }
  }

  #failed({ id }: Waiting, error: unknown): void {
    this.#log.error({ err: error, transactionId: id }, 'a transaction could not lapse and will be retried')
    this.#insert({ id, dueAt: this.#clock.now() + AGAIN_MS })
  }

  #end({ id }: Waiting, now: number): void {
    // Records that wait are never evicted from memory.
    const entry = this.#engine.directory.resident(id)
    const dueAt = entry === undefined ? null : lapsesAt(entry.head)
    // The transaction may have been approved since then, and is in the queue with its later due time.
    if (entry === undefined || dueAt === null || dueAt > now) return
    const { result, durable } = this.#lapsed(entry, new Date(now).toISOString())
    // A failed write ends the process; there is no caller to report it to.
    durable.catch(() => undefined)
    if (result === null) return
    const { code, detail } = result.rejection
    this.#log.error({ transactionId: id, code }, detail)
    this.#insert({ id, dueAt: now + AGAIN_MS })
  }

  #lapsed(entry: Entry, at: string): SettlementResult {
    if (entry.head.kind === 'pendingChange')
      return this.#engine.transact((unit) => {
        const rejection = unit.trySend<'pendingChange'>(entry, { type: 'clock.lapsed', at })
        if (rejection !== null) unit.discard()
        return rejection
      })
    const reason = waitsForApproval(entry.head) ? UNAPPROVED : UNSIGNED
    return settleTransaction(this.#engine, entry, { type: 'clock.lapsed', at, reason }, at)
  }

  /** New entries nearly always have the latest due time, which comes first. */
  #insert(waiting: Waiting): void {
    let [low, high] = [0, this.#queue.length]
    while (low < high) {
      const middle = (low + high) >>> 1
      if (this.#queue[middle]!.dueAt > waiting.dueAt) low = middle + 1
      else high = middle
    }
    this.#queue.splice(low, 0, waiting)
  }
}

/** Time at which the transaction or pending change lapses, Unix milliseconds; null: it waits for nothing. */
export function lapsesAt(state: RecordState): number | null {
  const change = ofKind(state, 'pendingChange')
  if (change !== undefined) return change.value === 'pending' ? Date.parse(change.context.approval.expiresAt) : null
  const transaction = ofKind(state, 'transaction')
  if (transaction === undefined) return null
  const { value, context } = transaction
  const isWaiting = value === 'prepared' || (value === 'partiallySigned' && !context.ourSignature)
  if (!isWaiting) return null
  const { approval } = context
  return approval !== null && waitsForApproval(state)
    ? Date.parse(approval.expiresAt)
    : Date.parse(context.fixed.preparedAt) + LAPSES_AFTER_HOURS * HOUR_MS
}

function waitsForApproval(state: RecordState): boolean {
  const approval = ofKind(state, 'transaction')?.context.approval ?? null
  return approval !== null && !isApproved(approval)
}
