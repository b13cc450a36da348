// Settles the facts that a cluster link reports, each transaction as its own unit of work; the store batches the units
// of one turn.
import { NotAtHand } from '../../../snapshots/not-at-hand.ts'
import type { ChainFact } from '../../submission/submission.ts'
import { MissingRows } from '../../../snapshots/at-hand.ts'
import { applyChainFact } from './countersigned.ts'
import type { Engine } from '../engine.ts'
import type { Entry } from '../records/entry.ts'
import type { TransactionEvent } from '../../../machines/transactions/transaction-events.ts'
import { settleTransaction, type SettlementResult } from './settlement.ts'
import { RecordFailed, type Rejection } from '../records/unit-of-work.ts'

export interface FactLog {
  error(fields: object, message: string): void
}

export class ChainFacts {
  readonly #engine: Engine
  readonly #log: FactLog
  /**
   * Facts rejected by another record for now, in order, by transaction. They wait for settlements not seen yet, e.g. of
   * a creation.
   */
  readonly #waiting = new Map<string, ChainFact[]>()
  /** Rows that a waiting fact lacked so far, by transaction. */
  readonly #lacking = new Map<string, MissingRows>()
  /** Transactions whose rows are being fetched. */
  readonly #fetching = new Set<string>()

  constructor(engine: Engine, log: FactLog) {
    this.#engine = engine
    this.#log = log
  }

  take(facts: readonly ChainFact[]): void {
    for (const fact of facts) this.#arrived(fact)
    let progress = true
    while (progress && this.#waiting.size > 0) progress = this.#retry()
  }

  /** Facts of one transaction are applied in order of arrival: a later fact never overtakes a waiting one. */
  #arrived(fact: ChainFact): void {
    // Sightings on a dropped fork no longer count, and those still waiting were never applied.
    if (fact.kind === 'forgotten') this.#waiting.delete(fact.transactionId)
    const earlier = this.#waiting.get(fact.transactionId)
    if (earlier?.[0]?.kind === 'forgotten' && landsWell(fact)) {
      // The transaction landed again before its undo could be applied: what builds on it has landed again as well. Only
      // the slot differs.
      this.#waiting.delete(fact.transactionId)
      this.#arrived(fact)
    } else if (earlier !== undefined) earlier.push(fact)
    else if (!this.#settle(fact)) this.#waiting.set(fact.transactionId, [fact])
  }

  /** Applies waiting facts again. Returns true if any succeeded, since others may succeed now. */
  #retry(): boolean {
    let progress = false
    for (const [transactionId, facts] of this.#waiting) {
      if (this.#fetching.has(transactionId)) continue
      let taken = 0
      while (taken < facts.length && this.#settle(facts[taken]!)) taken += 1
      facts.splice(0, taken)
      if (facts.length === 0) {
        this.#waiting.delete(transactionId)
        this.#lacking.delete(transactionId)
      }
      progress ||= taken > 0
    }
    return progress
  }

  /**
   * Returns false if the fact cannot be applied for now: another record rejected it, an actor threw, or rows have to be
   * fetched first.
   */
  #settle(fact: ChainFact): boolean {
    try {
      return this.#applied(fact)
    } catch (error) {
      if (!(error instanceof NotAtHand)) throw error
      this.#fetch(fact.transactionId, error)
      return false
    }
  }

  #fetch(transactionId: string, error: NotAtHand): void {
    const lacking = this.#lacking.get(transactionId) ?? new MissingRows(this.#engine)
    this.#lacking.set(transactionId, lacking)
    this.#fetching.add(transactionId)
    lacking.fetch(error).then(
      () => {
        this.#fetching.delete(transactionId)
        this.take([])
      },
      (reason: unknown) => {
        this.#fetching.delete(transactionId)
        this.#log.error({ err: reason, transactionId }, 'the rows for a fact of the chain could not be fetched')
      },
    )
  }

  #applied(fact: ChainFact): boolean {
    const entry = followed(this.#engine, fact.transactionId)
    if (entry === undefined) return true
    const at = new Date(fact.atMs).toISOString()
    try {
      const { result, durable } =
        entry.head.kind === 'countersignature'
          ? this.#applyToCountersignature(entry, fact, at)
          : settleTransaction(this.#engine, entry, eventOf(fact, at), at)
      // A failed write ends the process; there is no caller to report it to.
      durable.catch(() => undefined)
      return result === null || this.#isPassedBy(fact, entry, result)
    } catch (error) {
      // The record is restored, or quarantined until the next start. The fact is kept for a retry, and does not block
      // other facts.
      if (error instanceof RecordFailed) return false
      throw error
    }
  }

  #applyToCountersignature(entry: Entry, fact: ChainFact, at: string): SettlementResult {
    return this.#engine.transact((unit) => {
      const rejection = applyChainFact(this.#engine, unit, entry, { fact, at })
      if (rejection !== null) unit.discard()
      return rejection
    })
  }

  /**
   * Returns false if the fact must be retried later, because another record rejects it until a settlement that it
   * depends on.
   */
  #isPassedBy(fact: ChainFact, entry: Entry, { rejection, record }: Rejection): boolean {
    if (record.id !== entry.head.id) return false
    // A repeated fact about an ended transaction changes nothing; any other rejection is a defect and is logged.
    if (rejection.code !== 'ENDED')
      this.#log.error({ transactionId: fact.transactionId, fact: fact.kind, code: rejection.code }, rejection.detail)
    return true
  }
}

function landsWell(fact: ChainFact): boolean {
  return fact.kind === 'seen' && fact.commitment !== 'processed' && fact.error === null
}

/** The transaction, or a countersignature that is watched on its own. */
function followed(engine: Engine, id: string): Entry | undefined {
  const entry = engine.directory.byId(id)
  const kind = entry?.head.kind
  return kind === 'countersignature' || kind === 'transaction' ? entry : undefined
}

function eventOf(fact: ChainFact, at: string): TransactionEvent {
  switch (fact.kind) {
    case 'sent':
      return {
        type: 'chain.sent',
        at,
        endpoint: fact.endpoint,
        answer: fact.detail === null ? fact.outcome : `${fact.outcome}: ${fact.detail}`,
      }
    case 'seen':
      return {
        type: 'chain.seen',
        at,
        commitment: fact.commitment,
        slot: fact.slot,
        blockTime: fact.blockTime,
        error: fact.error,
        computeUnits: null,
        signature: fact.signature,
      }
    case 'forgotten':
      return { type: 'chain.forgotten', at }
    case 'expired':
      return { type: 'chain.expired', at, proof: fact.proof }
  }
}
