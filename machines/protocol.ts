// How the engine and a machine talk: every event gets exactly one answer, emitted in the same tick.
// Commands come from operations and may be refused; `chain.*` and `clock.*` are facts and are refused only where they make no sense.

/** Raw integer units (lamports, or a mint's base units) as a decimal string; `bigint` inside functions. */
export type Raw = string

export interface Accepted {
  readonly type: 'accepted'
  /** Type of the event answered. */
  readonly event: string
  /** Set when a fact left a balance below zero: true for the chain, so never refused, but the books miss something. Reconcile. */
  readonly notice?: 'BOOK_NEGATIVE'
}

/** Why something is refused. */
export interface Refusal {
  /** Stable code in the interface's spelling, e.g. `INSUFFICIENT_BALANCE`. */
  readonly code: string
  readonly detail: string
}

export interface Rejected extends Refusal {
  readonly type: 'rejected'
  readonly event: string
}

export type Answer = Accepted | Rejected

/** Where on chain, and by which transaction of ours, a record was last touched. `at` is an ISO 8601 instant in UTC. */
export interface Touch {
  readonly transactionId: string | null
  readonly signature: string
  readonly at: string
}

/** What a record keeps count of. `supply` exists on instruments only, `tokens` on positions only. */
export type Asset = 'lamports' | 'tokens' | 'supply'

/** One movement in a record's books: `released` leaves the reservation, `debited` and `credited` move the balance. */
export interface Movement {
  readonly asset: Asset
  readonly released: Raw
  readonly debited: Raw
  readonly credited: Raw
}
