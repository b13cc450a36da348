// What a proof of expiry is asked for, and what is kept of it: every answer it rests on, so that anybody can judge it again.

export interface ExpiryRequest {
  /** Every signature ever made for the request, base58. */
  readonly signatures: readonly string[]
  readonly blockhash: string
  readonly blockhashSlot: number
  /** The message is an outsider's: it may have been sent before `blockhashSlot`. */
  readonly foreign?: boolean
  /** An endpoint has shown it landed: that others know nothing of it is not enough then. */
  readonly disputed?: boolean
  /** Null with a durable nonce. */
  readonly lastValidBlockHeight: number | null
  readonly nonce?: { readonly account: string; readonly value: string }
  readonly unknownSignature?: { readonly messageHash: string; readonly address: string }
}

/** Blocks read one by one, each naming the one before by its hash, from the blockhash to past the last valid height. */
export interface WindowEvidence {
  readonly firstSlot: number
  readonly lastSlot: number
  readonly firstBlockHeight: number
  readonly lastBlockHeight: number
  readonly firstBlockhash: string
  readonly lastBlockhash: string
  readonly blocks: number
  readonly transactions: number
}

/** The history of an address, read back past the start of the window. */
export interface HistoryEvidence {
  readonly address: string
  readonly sinceSlot: number
  readonly minContextSlot: number
  readonly signatures: number
  /** With a nonce: the other transaction that used the value up. */
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
  readonly statuses: { readonly contextSlot: number; readonly signatures: readonly string[]; readonly values: readonly null[] } | null
  readonly window: WindowEvidence | null
  readonly history: HistoryEvidence | null
}
