// The interface between the JSON-RPC server of the embedded chain and its bank. The bank owns LiteSVM, clock, ledger
// and indexes; the server knows only encodings, error codes and sockets.

export type Commitment = 'processed' | 'confirmed' | 'finalized'

/**
 * A transaction error in the JSON form of a real node, e.g. `"BlockhashNotFound"` or `{ InstructionError: [0, { Custom:
 * 1 }] }`.
 */
export type TransactionErrorJson = string | Record<string, unknown>

export interface BankAccount {
  readonly lamports: bigint
  readonly owner: Uint8Array
  readonly data: Uint8Array
  readonly executable: boolean
}

export interface KeyedAccount {
  readonly address: Uint8Array
  readonly account: BankAccount
}

export interface TokenBalance {
  readonly accountIndex: number
  readonly mint: string
  readonly owner: string
  readonly programId: string
  readonly amount: string
  readonly decimals: number
}

export interface InnerInstructionSet {
  readonly index: number
  readonly instructions: readonly {
    readonly programIdIndex: number
    readonly accounts: readonly number[]
    readonly data: Uint8Array
    readonly stackHeight: number
  }[]
}

/** One executed transaction as stored in the ledger. */
export interface LedgerTransaction {
  readonly signature: string
  readonly slot: number
  /** Unix seconds of its slot. */
  readonly blockTime: number
  readonly bytes: Uint8Array
  readonly version: 'legacy' | 0
  readonly error: TransactionErrorJson | null
  readonly feeLamports: bigint
  readonly computeUnits: bigint
  readonly logs: readonly string[]
  readonly inner: readonly InnerInstructionSet[]
  readonly returnData: { readonly programId: string; readonly data: Uint8Array } | null
  /** Static keys, then looked-up writable, then looked-up readonly, base58. Balances below are in this order. */
  readonly accountKeys: readonly string[]
  readonly loadedAddresses: { readonly writable: readonly string[]; readonly readonly: readonly string[] }
  readonly preBalances: readonly bigint[]
  readonly postBalances: readonly bigint[]
  readonly preTokenBalances: readonly TokenBalance[]
  readonly postTokenBalances: readonly TokenBalance[]
}

export interface SignatureStatus {
  readonly slot: number
  /** Null once finalized ("rooted"), as a real node answers. */
  readonly confirmations: number | null
  readonly error: TransactionErrorJson | null
  readonly confirmationStatus: Commitment
}

export interface Simulation {
  readonly error: TransactionErrorJson | null
  readonly logs: readonly string[]
  readonly computeUnits: bigint
  readonly feeLamports: bigint
  readonly inner: readonly InnerInstructionSet[]
  readonly returnData: { readonly programId: string; readonly data: Uint8Array } | null
  /** State of the requested addresses after the simulation; null where the account does not exist. */
  readonly accounts: readonly (BankAccount | null)[]
}

export interface Block {
  readonly slot: number
  readonly parentSlot: number
  readonly blockHeight: number
  readonly blockhash: string
  readonly previousBlockhash: string
  readonly blockTime: number
  readonly signatures: readonly string[]
}

/**
 * `duplicate`, `refused` and `malformed`: rejected before execution, nothing was charged or stored. `refused` has the
 * JSON of the transaction error.
 */
export type SendOutcome =
  | {
      readonly kind: 'executed'
      readonly signature: string
      readonly slot: number
      readonly error: TransactionErrorJson | null
    }
  | { readonly kind: 'duplicate'; readonly signature: string }
  | { readonly kind: 'refused'; readonly error: TransactionErrorJson; readonly logs: readonly string[] }
  | { readonly kind: 'malformed'; readonly reason: string }

/** Functions for tests. */
export interface BankFaults {
  /**
   * Removes the open slot and up to `slots - 1` non-final slots before it. Resolves, when this is durable, with the
   * signatures of the removed transactions.
   */
  forkAway(slots: number): Promise<readonly string[]>
  /** Opens this many slots at once, in addition to those that time opens. */
  advance(slots: number): Promise<void>
  /** An account (32 bytes of address) as of the end of a recent slot. */
  accountAt(address: Uint8Array, slot: number): BankAccount | null
}

export interface Bank {
  readonly genesisHash: string
  readonly identity: string

  /** `processed` and `confirmed` are the open slot (its batches are durable), `finalized` the newest final slot. */
  slot(commitment: Commitment): number
  blockHeight(commitment: Commitment): number
  blockTime(slot: number): number | null
  firstAvailableBlock(): number
  transactionCount(): number
  latestBlockhash(commitment: Commitment): {
    readonly blockhash: string
    readonly lastValidBlockHeight: number
    readonly slot: number
  }
  isBlockhashValid(blockhash: string): boolean
  rentExemptLamports(dataLength: number): bigint
  /**
   * Fee of a message (signatures, plus unit limit x price); null when its blockhash is neither valid nor a current
   * nonce value.
   */
  messageFee(message: Uint8Array): bigint | null
  /**
   * Prices (micro-lamports per compute unit) paid in recent slots by transactions that wrote to any of these accounts.
   */
  recentPrioritizationFees(
    addresses: readonly Uint8Array[],
  ): readonly { readonly slot: number; readonly prioritizationFee: number }[]

  account(address: Uint8Array): BankAccount | null
  /** Every account, in no order. */
  allAccounts(): Iterable<KeyedAccount>
  accountsByProgram(program: Uint8Array): Iterable<KeyedAccount>
  /** Token accounts of an owner, of either token program. */
  tokenAccountsByOwner(owner: Uint8Array): Iterable<KeyedAccount>
  tokenAccountsByMint(mint: Uint8Array): Iterable<KeyedAccount>

  /** Resolves when the transaction and its changed accounts are durable. Never throws because of client bytes. */
  send(bytes: Uint8Array): Promise<SendOutcome>
  simulate(
    bytes: Uint8Array,
    options: {
      readonly sigVerify: boolean
      readonly replaceBlockhash: boolean
      readonly accounts: readonly Uint8Array[]
    },
  ): Simulation | { readonly malformed: string }
  airdrop(address: Uint8Array, lamports: bigint): Promise<string>

  /** `history` false: only the recent status cache. */
  signatureStatus(signature: string, history: boolean): SignatureStatus | null
  transaction(signature: string): LedgerTransaction | null
  /** Newest first; `before`/`until` exclusive. */
  signaturesForAddress(
    address: Uint8Array,
    options: { readonly limit: number; readonly before?: string; readonly until?: string },
  ): readonly LedgerTransaction[]
  block(slot: number): Block | null
  /** Slots in the range that have a block, ascending; the range is cut to 500,000 slots. */
  blocks(first: number, last: number): readonly number[]

  on(listener: (event: BankEvent) => void): () => void

  /** Null unless enabled. */
  readonly faults: BankFaults | null
}

export type BankEvent =
  | { readonly type: 'transaction'; readonly transaction: LedgerTransaction; readonly changed: readonly KeyedAccount[] }
  | { readonly type: 'slot'; readonly slot: number; readonly parent: number; readonly root: number }
  | { readonly type: 'forked'; readonly slot: number; readonly signatures: readonly string[] }
