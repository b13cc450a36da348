// What a transaction answers to. Times are ISO 8601 and come with the event; the machine has no clock.
import type { Approval } from './approval.ts'
import type { Debit } from './debit-limits.ts'
import type { AttestedOutcome, Commitment, Countersigner, TransactionFixed } from './transaction-record.ts'

/** One event type each, so that transitions can be typed by name. */
export type TransactionEvent =
  /**
   * Signatures arrived. `signatures`: how many of the required ones are there now; `complete`: all of them, and `signature` is then the
   * fee payer's.
   * `ourSignature` with `signatures` 0: a remote signer of ours has been asked, and may have signed. It is set as well when others have
   * given every signature there is to give: they may send it.
   */
  | {
      readonly type: 'command.sign'
      readonly signatures: number
      readonly complete: boolean
      readonly ourSignature: boolean
      readonly signature: string | null
      readonly at: string
      /** More to say of it in the history. */
      readonly detail?: string
      /** Other tenants that gave some of the signatures. */
      readonly countersigners?: readonly Countersigner[]
      /** With the first signature of ours: what counts against debit limits, decided anew. */
      readonly debits?: readonly Debit[]
    }
  /** It exceeds debit limits: no signature of ours before others have approved it. Again when more turn out to be exceeded. */
  | { readonly type: 'command.hold'; readonly approval: Approval; readonly at: string }
  /** Another key's word that the limits may be exceeded. */
  | { readonly type: 'command.approve'; readonly keyId: string; readonly at: string }
  /** Another message for the same request, while nothing is signed. */
  | { readonly type: 'command.rebuild'; readonly fixed: TransactionFixed }
  /** Cancel at once; refused with CANCEL_NEEDS_PROOF when it may land. */
  | { readonly type: 'command.cancel'; readonly at: string }
  /** After CANCEL_NEEDS_PROOF: note that cancelling was asked for, so that proof of expiry ends it as CANCELLED. */
  | { readonly type: 'command.withdraw'; readonly at: string }
  /** Accepted asynchronously, and it could then not be built or signed. */
  | {
      readonly type: 'command.fail'
      readonly at: string
      readonly reason: string
      /** A signature it needs was provably never asked for, and nobody else can give it: whatever else was signed, it cannot land. */
      readonly neverAsked?: true
    }
  /** An administrator's key says what nothing can prove any more: recorded at first, and the end once a second key says the same. */
  | {
      readonly type: 'command.attest'
      readonly outcome: AttestedOutcome
      readonly evidence: string
      readonly keyId: string
      readonly at: string
    }
  /** The complete bytes went out. `answer`: what the endpoint said, for the history; it never ends a transaction. */
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
      /** Only when it became known just now: others completed it. */
      readonly signature?: string
    }
  /** What a status does not tell of one that landed in `slot`. It never changes what is known already, nor how it stands. */
  | {
      readonly type: 'chain.measured'
      readonly slot: number
      readonly blockTime: number | null
      readonly computeUnits: number | null
    }
  /** The fork it was seen on died. */
  | { readonly type: 'chain.forgotten'; readonly at: string }
  /** Proven: it did not land and cannot any more. */
  | { readonly type: 'chain.expired'; readonly at: string; readonly proof: unknown }
  /** Proven: its nonce was advanced without it, or it expired, and cancelling was asked for. */
  | { readonly type: 'chain.voided'; readonly at: string; readonly proof: unknown }
  /** Its time to be signed or approved is over. */
  | { readonly type: 'clock.lapsed'; readonly at: string; readonly reason: string }

export type OnTransaction<K extends TransactionEvent['type']> = Extract<TransactionEvent, { readonly type: K }>
