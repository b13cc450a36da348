// Types shared by the submission of signed transactions and the engine that hosts them: what is submitted, the facts
// that come back, and the link to one cluster.
import type { ExpiryProof } from '../rpc/expiry/proof.ts'
import type { Commitment } from '../rpc/rpc.ts'
import type { SendScope } from './suspensions.ts'

/** A signed transaction. The caller makes it durable before it submits it. */
export interface Submission {
  readonly transactionId: string
  readonly tenant: string
  /** External id of the organization for which the transaction was created. */
  readonly organization?: string
  /** Address of the fee payer, or of the nonce account. Sends of one lane leave in order. */
  readonly lane: string
  /**
   * Base58. With `bytes`: the one in the bytes. Null when the first signature is made by an outside signer and is
   * unknown to the service; `bytes` is then null too.
   */
  readonly signature: string | null
  /** Every other signature ever made for the same request. */
  readonly otherSignatures?: readonly string[]
  /** Complete wire bytes. Null when a signature is missing here: the transaction is only watched. */
  readonly bytes: Uint8Array | null
  readonly blockhash: string
  /**
   * Slot of the response that the blockhash (or nonce value) was read from. With `foreign`: slot of the response that
   * showed it to be valid.
   */
  readonly blockhashSlot: number
  /** The message was created outside the service, so it may have been sent before the service saw it. */
  readonly foreign?: boolean
  /** Null with a durable nonce. */
  readonly lastValidBlockHeight: number | null
  readonly nonce?: { readonly account: string; readonly value: string }
  /** Absent: the message cannot have another first signature than those above. */
  readonly message?: MessageInHistory
}

/** How to find a message that landed with a first signature that is not known here. */
export interface MessageInHistory {
  readonly messageHash: string
  /** A static account of the message: its history contains every landing. */
  readonly address: string
  /** Must be asked before each proof of expiry, because the key of the fee payer may have been exported meanwhile. */
  mayHaveUnknownSignature(): Promise<boolean>
}

export type SendOutcome = 'accepted' | 'duplicate' | 'refused' | 'unanswered' | 'mismatched'

/**
 * Facts from the chain, each about one transaction, in the order in which they were learnt. `atMs`: Unix milliseconds.
 */
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
      /** Block time of the slot in Unix seconds; null while unknown. */
      readonly blockTime: number | null
      /** Null if the transaction succeeded; else the chain's error as JSON and as text. */
      readonly error: string | null
    }
  /** A status seen before is gone, or is now in another slot: its fork was abandoned. */
  | { readonly kind: 'forgotten'; readonly transactionId: string; readonly atMs: number; readonly slot: number }
  /** Proven: no signature of the request has landed or can land. */
  | { readonly kind: 'expired'; readonly transactionId: string; readonly atMs: number; readonly proof: ExpiryProof }

/** A condition that an operator must look into. Contains no secret. */
export interface ChainAlarm {
  readonly kind: 'SIGNATURE_MISMATCH'
  readonly endpoint: string
  readonly transactionId: string
  readonly detail: string
}

/** Rejected before anything was signed: too many transactions are in progress (the API answers 429). */
export class LaneFull extends Error {
  override readonly name = 'LaneFull'
  readonly scope: 'lane' | 'tenant' | 'cluster'

  constructor(scope: 'lane' | 'tenant' | 'cluster', limit: number) {
    super(`the ${scope} has ${limit} transactions under way; try again when some have been confirmed`)
    this.scope = scope
  }
}

/** The state of one watched transaction, for diagnostics. */
export interface WatchState {
  readonly attempts: number
  readonly commitment: Commitment | null
  readonly slot: number | null
  /** The reason why the last attempt to prove expiry failed; null: there was no attempt. */
  readonly unproven: string | null
  /** A send is due but held back: the lane is suspended, or the transaction was recalled. */
  readonly held: boolean
}

/** Counts of the transactions of a cluster by state, and of its suspensions. */
export interface LinkTotals {
  readonly underWay: number
  readonly queued: number
  readonly inFlight: number
  /** Sends that an endpoint has answered since the start. */
  readonly sent: number
  readonly held: number
  readonly suspensions: number
}

/** Submits signed transactions to one cluster and watches them. */
export interface ClusterLink {
  /**
   * Claims a place for a transaction, unless it has one. Must be called before anything is signed: a transaction that
   * is submitted or watched afterwards is never dropped. Returns a function that releases the place of a transaction
   * that is neither submitted nor watched.
   * Throws LaneFull.
   */
  admit(tenant: string, lane: string, transactionId: string): () => void
  /**
   * Sends the transaction, and resends it until it is final or proven expired. Ignored for a transaction that is
   * already being sent. A transaction that was only watched keeps the state known from watching.
   *
   * `submit` and `watch` throw when `signature` is not the one in `bytes`: this is a bug of the caller, and sending
   * must not continue.
   */
  submit(submission: Submission): void
  /**
   * Like `submit`, after a restart: the transaction counts as possibly sent, so its status is queried before it is sent
   * again.
   */
  watch(submission: Submission, known?: { readonly commitment: Commitment; readonly slot: number }): void
  /** Stops sending and watching, because the outcome was settled in another way. */
  forget(transactionId: string): void
  /** Stops sending but keeps watching: the transaction is no longer wanted, but may still land. */
  recall(transactionId: string): void
  /**
   * Until `resume`, no transaction within the scope is handed to an endpoint. Such transactions stay watched and
   * counted.
   */
  suspend(scope: SendScope): void
  /**
   * Sends the transactions that were held back, in order of arrival, unless another suspension holds them. With
   * `review`, those that this process has not sent are passed to it instead, and wait for `release` or `forget`.
   */
  resume(scope: SendScope, review?: (transactionIds: readonly string[]) => void): void
  /** Only watches the transaction until `release`, because it is reviewed first. */
  hold(transactionId: string): void
  /** Sends a transaction after its review. No effect if it is not held, or if a suspension holds it again. */
  release(transactionId: string): void
  /**
   * Queries the status, and attempts a proof of expiry if one may be possible, without waiting for the next scheduled
   * turn.
   */
  checkNow(transactionId: string): void
  state(transactionId: string): WatchState | null
  /** Number of transactions in progress. */
  readonly open: number
  readonly totals: LinkTotals
  /** Stops all work. Resolves when no request is in flight. Reports nothing after it resolves. */
  close(): Promise<void>
}
