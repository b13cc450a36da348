// Takes what a cluster's link reports and settles it, each transaction as its own unit of work; the store makes one batch of a turn.
import type { ChainFact } from '../chain/submission.ts'
import type { Engine } from './engine.ts'
import type { Entry } from './entry.ts'
import { settle, transactionEntry, type TransactionEvent } from './settlement.ts'
import { CommandRejected } from './unit-of-work.ts'

export interface FactLog {
  error(fields: object, message: string): void
}

export class ChainFacts {
  readonly #engine: Engine
  readonly #log: FactLog
  /** Facts that other records refused for now: they wait for settlements that have not been seen yet, e.g. of the creation they build on. */
  #waiting: ChainFact[] = []

  constructor(engine: Engine, log: FactLog) {
    this.#engine = engine
    this.#log = log
  }

  take(facts: readonly ChainFact[]): void {
    const earlier = this.#waiting
    this.#waiting = []
    for (const fact of facts) this.#settle(fact)
    for (const fact of earlier) this.#settle(fact)
  }

  #settle(fact: ChainFact): void {
    const entry = transactionEntry(this.#engine, fact.transactionId)
    if (entry === undefined) return
    const at = new Date(fact.atMs).toISOString()
    try {
      // A failed write ends the process; there is nobody here to tell.
      settle(this.#engine, entry, eventOf(fact, at), at).catch(() => undefined)
    } catch (error) {
      this.#refused(fact, entry, error)
    }
  }

  #refused(fact: ChainFact, entry: Entry, error: unknown): void {
    if (!(error instanceof CommandRejected)) throw error
    if (error.record.id !== entry.head.id) {
      this.#waiting.push(fact)
      return
    }
    // What a transaction that has ended is told again changes nothing; anything else is a defect worth a look.
    if (error.rejection.code !== 'ENDED')
      this.#log.error({ transactionId: fact.transactionId, fact: fact.kind, code: error.rejection.code }, error.rejection.detail)
  }
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
