// Protocol between the engine and a machine: every event gets exactly one answer, emitted in the same tick. Commands
// come from operations and may be rejected; `chain.*` and `clock.*` are facts and are rejected only where they make no
// sense.

/** Raw integer units (lamports, or base units of a mint) as a decimal string; `bigint` inside functions. */
export type Raw = string

export interface AcceptedEvent {
  readonly type: 'accepted'
  /** Type of the answered event. */
  readonly event: string
  /**
   * Set when a fact left a balance below zero. Such a fact is accepted, because it is true on chain, but the record
   * misses a movement and must be reconciled.
   */
  readonly notice?: 'BOOK_NEGATIVE'
}

/** Reason of a rejection. */
export interface RejectionReason {
  /** Stable code in the interface's spelling, e.g. `INSUFFICIENT_BALANCE`. */
  readonly code: string
  readonly detail: string
}

export interface RejectedEvent extends RejectionReason {
  readonly type: 'rejected'
  readonly event: string
}

export type EventAnswer = AcceptedEvent | RejectedEvent

/** The last touch of a record on chain, and the transaction of this service that caused it. `at` is ISO 8601 in UTC. */
export interface Touch {
  readonly transactionId: string | null
  readonly signature: string
  readonly at: string
}

/** Assets with a balance. `supply` exists on instruments only, `tokens` on positions only. */
export type Asset = 'lamports' | 'tokens' | 'supply'

/** One movement of a balance: `released` reduces the reservation; `debited` and `credited` change the balance. */
export interface Movement {
  readonly asset: Asset
  readonly released: Raw
  readonly debited: Raw
  readonly credited: Raw
}
