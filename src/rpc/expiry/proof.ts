// The request for a proof of expiry, and the proof as stored: every response it rests on, so that it can be verified
// again.
import type { PaceMark } from '../chain-pace.ts'

export interface ExpiryRequest {
  /** Every signature ever made for the request, base58. */
  readonly signatures: readonly string[]
  readonly blockhash: string
  readonly blockhashSlot: number
  /** The message was created outside the service, so it may have been sent before `blockhashSlot`. */
  readonly foreign?: boolean
  /** An endpoint has shown the transaction as landed: null statuses of other endpoints are then not sufficient. */
  readonly disputed?: boolean
  /** Null with a durable nonce. */
  readonly lastValidBlockHeight: number | null
  readonly nonce?: { readonly account: string; readonly value: string }
  /**
   * Progress of the cluster when its blocks began to be counted for this request; null, absent: they are not counted.
   */
  readonly watchedSince?: PaceMark | null
  readonly unknownSignature?: { readonly messageHash: string; readonly address: string }
}

/** Blocks read one by one, each naming its predecessor by hash, from the blockhash to past the last valid height. */
export interface WindowEvidence {
  readonly firstSlot: number
  readonly lastSlot: number
  readonly firstBlockHeight: number
  readonly lastBlockHeight: number
  readonly firstBlockhash: string
  readonly lastBlockhash: string
  readonly blocks: number
  readonly transactions: number
  /** Height of the block that produced the blockhash; null: it is none of these blocks. */
  readonly blockhashHeight?: number | null
}

/** The history of an address, read back past the first slot in which the message can have landed. */
export interface HistoryEvidence {
  readonly address: string
  readonly sinceSlot: number
  readonly minContextSlot: number
  /** Entries that were read. */
  readonly signatures: number
  /** Height of the block of the blockhash, in `sinceSlot`; null: it was not found. */
  readonly blockhashHeight?: number | null
  /** A block that the message cannot have landed in, nor in a later one: no later entry was read. Null: all were. */
  readonly past?: { readonly slot: number; readonly blockHeight: number; readonly blockhash: string } | null
  /** With a nonce: the other transaction that used the value. */
  readonly consumedBy?: string
}

export interface ExpiryProof {
  readonly rule: 'blockhash' | 'nonce'
  /** Unix milliseconds. */
  readonly atMs: number
  readonly endpoint: string
  readonly genesisHash: string
  readonly blockhash: string
  readonly blockhashSlot: number
  readonly lastValidBlockHeight: number | null
  readonly finalized: { readonly slot: number; readonly blockHeight: number | null; readonly nonceValue: string | null }
  readonly statuses: {
    readonly contextSlot: number
    readonly signatures: readonly string[]
    readonly values: readonly null[]
  } | null
  readonly window: WindowEvidence | null
  readonly history: HistoryEvidence | null
}
