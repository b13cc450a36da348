// Events of the transaction machine. Times are ISO 8601 and part of the event; the machine has no clock.
import type { Approval, Approver } from '../approval.ts'
import type { Debit } from '../debit-limits.ts'
import type { AttestedOutcome, Commitment, Countersigner, TransactionFixed } from './transaction-record.ts'

/** One member per event type, so that transitions can be typed by name. */
export type TransactionEvent =
  /**
   * Signatures arrived. `signatures`: number of required signatures present; `complete`: all are present, and
   * `signature` is then the fee payer's. `ourSignature` with `signatures` 0: a remote signer of this service was asked
   * and may have signed. `ourSignature` is also set when others have given all signatures, because they may send the
   * transaction.
   */
  | {
      readonly type: 'command.sign'
      readonly signatures: number
      readonly complete: boolean
      readonly ourSignature: boolean
      readonly signature: string | null
      readonly at: string
      /** Additional text for the history. */
      readonly detail?: string
      /** Other tenants that gave some of the signatures. */
      readonly countersigners?: readonly Countersigner[]
      /** The records on which nothing is reserved yet; absent: unchanged. */
      readonly unreserved?: readonly string[]
      /** With the first signature of this service: the debits that count against limits, classified anew. */
      readonly debits?: readonly Debit[]
    }
  /**
   * The transaction exceeds debit limits and needs approvals before this service signs. Sent again if further limits
   * turn out to be exceeded.
   */
  | { readonly type: 'command.hold'; readonly approval: Approval; readonly at: string }
  /** An approval by another key to exceed the limits. */
  | (Approver & { readonly type: 'command.approve'; readonly at: string })
  /** Replaces the message of the request while nothing is signed. */
  | { readonly type: 'command.rebuild'; readonly fixed: TransactionFixed }
  /** Cancels at once; rejected with CANCEL_NEEDS_PROOF when the transaction may land. */
  | { readonly type: 'command.cancel'; readonly at: string }
  /**
   * After CANCEL_NEEDS_PROOF: records the request to cancel, so that proof of expiry ends the transaction as CANCELLED.
   */
  | { readonly type: 'command.withdraw'; readonly at: string }
  /** It waited unsent in a suspended lane and may not be sent now: it waits for Submit. */
  | { readonly type: 'command.withhold'; readonly at: string; readonly detail: string }
  /** A transaction that was accepted asynchronously could not be built or signed. */
  | {
      readonly type: 'command.fail'
      readonly at: string
      readonly reason: string
      /**
       * A required signature was never given and never will be, and nobody outside can complete the transaction: it
       * cannot land, whatever else was signed.
       */
      readonly withheld?: true
    }
  /**
   * An administrator's key attests an outcome that nothing can prove: recorded at first, final once a second key
   * attests the same.
   */
  | {
      readonly type: 'command.attest'
      readonly outcome: AttestedOutcome
      readonly evidence: string
      readonly keyId: string
      readonly at: string
    }
  /**
   * The complete bytes were sent. `answer`: the endpoint's response, for the history only; it never ends a transaction.
   */
  | { readonly type: 'chain.sent'; readonly at: string; readonly endpoint: string; readonly answer?: string }
  | {
      readonly type: 'chain.seen'
      readonly commitment: Commitment
      readonly slot: number
      readonly blockTime: number | null
      readonly error: string | null
      readonly computeUnits: number | null
      readonly at: string
      readonly confirmations?: number | null
      /** Present only when the signature became known with this fact, because others completed the transaction. */
      readonly signature?: string
    }
  /**
   * Values that signature statuses lack, for a transaction that landed in `slot`. Never changes known values or the
   * state.
   */
  | {
      readonly type: 'chain.measured'
      readonly slot: number
      readonly blockTime: number | null
      readonly computeUnits: number | null
    }
  /** The fork it was seen on was dropped. */
  | { readonly type: 'chain.forgotten'; readonly at: string }
  /** Proof that the transaction did not land and cannot any more. */
  | { readonly type: 'chain.expired'; readonly at: string; readonly proof: unknown }
  /** Proof that the nonce was advanced without the transaction, or that it expired, after a request to cancel. */
  | { readonly type: 'chain.voided'; readonly at: string; readonly proof: unknown }
  /** The time limit for signing or approving has passed. */
  | { readonly type: 'clock.lapsed'; readonly at: string; readonly reason: string }

export type OnTransaction<K extends TransactionEvent['type']> = Extract<TransactionEvent, { readonly type: K }>
