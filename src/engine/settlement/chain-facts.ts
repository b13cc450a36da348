// Takes what a cluster's link reports and settles it, each transaction as its own unit of work; the store makes one batch of a turn.
import type { ChainFact } from '../../submission/submission.ts'
import { hearFact } from './countersigned.ts'
import type { Engine } from '../engine.ts'
import type { Entry } from '../records/entry.ts'
import { settle, transactionEntry, type TransactionEvent } from './settlement.ts'
import { CommandRejected } from '../records/unit-of-work.ts'

export interface FactLog {
  error(fields: object, message: string): void
}

export class ChainFacts {
  readonly #engine: Engine
  readonly #log: FactLog
  /** Facts that another record refused for now, by transaction and in order: they wait for settlements not seen yet, e.g. of a creation. */
  readonly #waiting = new Map<string, ChainFact[]>()

  constructor(engine: Engine, log: FactLog) {
    this.#engine = engine
    this.#log = log
  }

  take(facts: readonly ChainFact[]): void {
    for (const fact of facts) this.#arrived(fact)
    let progress = true
    while (progress && this.#waiting.size > 0) progress = this.#retry()
  }

  /** Facts of one transaction are told in the order they came in: a later one never overtakes one that waits. */
  #arrived(fact: ChainFact): void {
    // What was seen on a fork that died counts no more, and was never counted.
    if (fact.kind === 'forgotten') this.#waiting.delete(fact.transactionId)
    const earlier = this.#waiting.get(fact.transactionId)
    if (earlier?.[0]?.kind === 'forgotten' && landsWell(fact)) {
      // It is back before its undoing could be told: what stands on it has landed again, too, and keeps it. Only its slot is another.
      this.#waiting.delete(fact.transactionId)
      this.#arrived(fact)
    } else if (earlier !== undefined) earlier.push(fact)
    else if (!this.#settle(fact)) this.#waiting.set(fact.transactionId, [fact])
  }

  /** Tells what waits once more; true if any of it was taken, so that others may be taken now. */
  #retry(): boolean {
    let progress = false
    for (const [transactionId, facts] of this.#waiting) {
      let taken = 0
      while (taken < facts.length && this.#settle(facts[taken]!)) taken += 1
      facts.splice(0, taken)
      if (facts.length === 0) this.#waiting.delete(transactionId)
      progress ||= taken > 0
    }
    return progress
  }

  /** False: another record refused it for now. */
  #settle(fact: ChainFact): boolean {
    const entry = followed(this.#engine, fact.transactionId)
    if (entry === undefined) return true
    const at = new Date(fact.atMs).toISOString()
    try {
      const settled =
        entry.head.kind === 'countersignature'
          ? this.#engine.transact((unit) => hearFact(this.#engine, unit, entry, fact, at)).durable
          : settle(this.#engine, entry, eventOf(fact, at), at)
      // A failed write ends the process; there is nobody here to tell.
      settled.catch(() => undefined)
      return true
    } catch (error) {
      return this.#refused(fact, entry, error)
    }
  }

  #refused(fact: ChainFact, entry: Entry, error: unknown): boolean {
    if (!(error instanceof CommandRejected)) throw error
    if (error.record.id !== entry.head.id) return false
    // What a transaction that has ended is told again changes nothing; anything else is a defect worth a look.
    if (error.rejection.code !== 'ENDED')
      this.#log.error({ transactionId: fact.transactionId, fact: fact.kind, code: error.rejection.code }, error.rejection.detail)
    return true
  }
}

function landsWell(fact: ChainFact): boolean {
  return fact.kind === 'seen' && fact.commitment !== 'processed' && fact.error === null
}

/** A transaction, or a countersignature whose transaction is not there to hear for it. */
function followed(engine: Engine, id: string): Entry | undefined {
  const entry = engine.directory.byId(id)
  return entry?.head.kind === 'countersignature' ? entry : transactionEntry(engine, id)
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
