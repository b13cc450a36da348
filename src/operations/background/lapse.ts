// Transactions that wait for a signature and never get it end by themselves (completion 4: `PREPARED` lapses after 24 h), those that wait
// for approval after 2 (completion 6). So do those
// with signatures of others only: ours is missing, and the message they signed has long been too old to land.
// Guarantee: what carries a signature of ours never lapses; the machine refuses it.
import type { Engine } from '../../engine/engine.ts'
import { ofKind, type RecordState } from '../../engine/records/record.ts'
import { settle } from '../../engine/settlement/settlement.ts'
import { CommandRejected } from '../../engine/records/unit-of-work.ts'
import { isApproved } from '../../../machines/approval.ts'

const HOUR_MS = 3_600_000
const LAPSES_AFTER_HOURS = 24
const UNSIGNED = `it was not signed within ${LAPSES_AFTER_HOURS} hours and has lapsed`
const UNAPPROVED = 'APPROVAL_LAPSED: it was not approved in time'
/** Ended at once, so that a day's worth of them does not hold up the loop. */
const MOST_AT_ONCE = 200
/** When another record refused what follows from the end of one, it is tried again after this. */
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
  /** By when they are due, the latest first: the next one is taken from the end. Whoever was signed meanwhile is passed over then. */
  readonly #queue: Waiting[] = []

  constructor(engine: Engine, clock: { now(): number }, log: LapseLog) {
    this.#engine = engine
    this.#clock = clock
    this.#log = log
    const waiting: Waiting[] = []
    for (const { head } of engine.directory.entries()) {
      const dueAt = dueAtOf(head)
      if (dueAt !== null) waiting.push({ id: head.id, dueAt })
    }
    this.#queue.push(...waiting.sort((a, b) => b.dueAt - a.dueAt))
    engine.onCommitted((changes) => {
      for (const { previous, next } of changes) {
        const dueAt = dueAtOf(next)
        // Signed by others meanwhile, or approved by some, it is due as before.
        if (dueAt !== null && (previous === undefined || dueAtOf(previous) !== dueAt)) this.#insert({ id: next.id, dueAt })
      }
    })
  }

  /** How many wait, at most. */
  get waiting(): number {
    return this.#queue.length
  }

  /** Ends those whose time is over. */
  sweep(): void {
    const now = this.#clock.now()
    for (let count = 0; count < MOST_AT_ONCE; count += 1) {
      const next = this.#queue.at(-1)
      if (next === undefined || next.dueAt > now) return
      this.#queue.pop()
      this.#end(next, now)
    }
  }

  #end({ id }: Waiting, now: number): void {
    const entry = this.#engine.directory.byId(id)
    const dueAt = entry === undefined ? null : dueAtOf(entry.head)
    // It may have been approved since, and then waits in the queue for another time.
    if (entry === undefined || dueAt === null || dueAt > now) return
    const at = new Date(now).toISOString()
    try {
      // A failed write ends the process; there is nobody here to tell.
      settle(this.#engine, entry, { type: 'clock.lapsed', at, reason: waitsForApproval(entry.head) ? UNAPPROVED : UNSIGNED }, at).catch(
        () => undefined,
      )
    } catch (error) {
      if (!(error instanceof CommandRejected)) throw error
      this.#log.error({ transactionId: id, code: error.rejection.code }, error.rejection.detail)
      this.#insert({ id, dueAt: now + AGAIN_MS })
    }
  }

  /** Nearly always the latest, which is the first. */
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

/** When it lapses, Unix milliseconds; null: it does not wait for a signature. */
function dueAtOf(state: RecordState): number | null {
  const transaction = ofKind(state, 'transaction')
  if (transaction === undefined) return null
  const { value, context } = transaction
  const waits = value === 'prepared' || (value === 'partiallySigned' && !context.ourSignature)
  if (!waits) return null
  const { approval } = context
  return approval !== null && waitsForApproval(state)
    ? Date.parse(approval.expiresAt)
    : Date.parse(context.fixed.preparedAt) + LAPSES_AFTER_HOURS * HOUR_MS
}

function waitsForApproval(state: RecordState): boolean {
  const approval = ofKind(state, 'transaction')?.context.approval ?? null
  return approval !== null && !isApproved(approval)
}
