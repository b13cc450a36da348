// What goes to the chain and what comes back: the vocabulary between the chain floor and whoever hosts the transactions.
import type { ExpiryProof } from '../rpc/expiry/proof.ts'
import type { Commitment } from '../rpc/rpc.ts'
import type { SendScope } from './suspensions.ts'

/** A signed transaction, durable before it gets here. */
export interface Submission {
  readonly transactionId: string
  readonly tenant: string
  /** External id of the organization it was made for. */
  readonly organization?: string
  /** Address of its fee payer, or of its nonce account. Sends of one lane go out in order. */
  readonly lane: string
  /** Base58, derived from the bytes; null: the first signature is an outsider's and not known to us (then `bytes` is null too). */
  readonly signature: string | null
  /** Every other signature ever made for the same request. */
  readonly otherSignatures?: readonly string[]
  /** Complete wire bytes; null: watched only, because not every signature is here. */
  readonly bytes: Uint8Array | null
  readonly blockhash: string
  /** Slot of the answer the blockhash (or the nonce value) was taken from; with `foreign`, of the answer that showed it valid. */
  readonly blockhashSlot: number
  /** The message was made outside: it may have been sent before we saw it. */
  readonly foreign?: boolean
  /** Null with a durable nonce. */
  readonly lastValidBlockHeight: number | null
  readonly nonce?: { readonly account: string; readonly value: string }
  /** Set when the first signature is not known to us: what to look for in the history of `address`, a static account of the message. */
  readonly unknownSignature?: { readonly messageHash: string; readonly address: string }
}

export type SendOutcome = 'accepted' | 'duplicate' | 'refused' | 'unanswered' | 'mismatched'

/** What the chain said: facts about one transaction each, in the order in which they were learnt. `atMs`: Unix milliseconds. */
export type ChainFact =
  | {
      readonly kind: 'sent'
      readonly transactionId: string
      readonly atMs: number
      /** Name of the endpoint, without credentials. */
      readonly endpoint: string
      readonly outcome: SendOutcome
      readonly detail: string | null
    }
  | {
      readonly kind: 'seen'
      readonly transactionId: string
      readonly atMs: number
      readonly signature: string
      readonly commitment: Commitment
      readonly slot: number
      /** Unix seconds of the slot; null while unknown. */
      readonly blockTime: number | null
      /** Null when it landed well; else JSON of the chain's error and the same in words. */
      readonly error: string | null
    }
  /** A status seen before is gone, or stands in another slot: the fork it was on died. */
  | { readonly kind: 'forgotten'; readonly transactionId: string; readonly atMs: number; readonly slot: number }
  /** Proven: no signature of the request has landed or can land. */
  | { readonly kind: 'expired'; readonly transactionId: string; readonly atMs: number; readonly proof: ExpiryProof }

/** Something that must be looked at by a person. Holds no secret. */
export interface ChainAlarm {
  readonly kind: 'SIGNATURE_MISMATCH'
  readonly endpoint: string
  readonly transactionId: string
  readonly detail: string
}

/** Refused before anything was signed: too much is under way (429 upstream). */
export class LaneFull extends Error {
  override readonly name = 'LaneFull'
  readonly scope: 'lane' | 'tenant' | 'cluster'

  constructor(scope: 'lane' | 'tenant' | 'cluster', limit: number) {
    super(`the ${scope} has ${limit} transactions under way; try again when some have been confirmed`)
    this.scope = scope
  }
}

/** What is known of one transaction under watch, for explanations. */
export interface WatchState {
  readonly attempts: number
  readonly commitment: Commitment | null
  readonly slot: number | null
  /** Why the last attempt at a proof of expiry proved nothing; null when none was made. */
  readonly unproven: string | null
  /** A send is due and held back: its lane is suspended, or it was recalled. */
  readonly held: boolean
}

/** Transactions of a cluster by where they stand, and its suspensions. */
export interface LinkTotals {
  readonly underWay: number
  readonly queued: number
  readonly inFlight: number
  /** Sends that an endpoint has answered, since the start. */
  readonly sent: number
  readonly held: number
  readonly suspensions: number
}

/** The way to one cluster for signed transactions. */
export interface ClusterLink {
  /**
   * Takes a place for a transaction, unless it has one. Throws LaneFull. To be asked before anything is signed: what is submitted or
   * watched afterwards is never dropped. The answer gives the place back, for when it comes to neither.
   */
  admit(tenant: string, lane: string, transactionId: string): () => void
  /**
   * Sends it, and goes on until it is final or proven expired. Ignored for a transaction that is being sent already; one that was only
   * watched goes on from what is known of it.
   * This and `watch` throw when the signature is not the one in the bytes: a fault of the caller that must not go on.
   */
  submit(submission: Submission): void
  /** The same after a restart: it counts as possibly sent, so the chain is asked before it goes out again. */
  watch(submission: Submission, known?: { readonly commitment: Commitment; readonly slot: number }): void
  /** Stops sending and watching: its outcome was settled otherwise. */
  forget(transactionId: string): void
  /** Stops sending, and goes on watching: nobody wants it to land any more, but it still may. */
  recall(transactionId: string): void
  /** From here on nothing within the scope is handed to an endpoint, until `resume`. It stays queued, watched and counted. */
  suspend(scope: SendScope): void
  /** What was held back goes out in the order it came, unless another suspension holds it. */
  resume(scope: SendScope): void
  /** Asks for its status, and for a proof of expiry if one may be possible, without waiting for the next turn. */
  hurry(transactionId: string): void
  state(transactionId: string): WatchState | null
  /** Transactions under way. */
  readonly open: number
  readonly totals: LinkTotals
  /** Stops everything; resolves when no request is under way. Reports nothing after it resolves. */
  close(): Promise<void>
}
