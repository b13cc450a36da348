// The dependencies of every operation. `src/service/` creates the only instance of the process; tests create their own
// from the real parts.
import type { AccountCut } from '../../rpc/account-cut.ts'
import type { ChainAccount } from '../../rpc/account-read.ts'
import type { HistoryBounds } from '../../rpc/cluster.ts'
import type { SignatureEntry, ChainMovement } from '../../rpc/movements.ts'
import type { Submission, WatchState } from '../../submission/submission.ts'
import type { Engine } from '../../engine/engine.ts'
import type { RecordIndex } from '../../engine/index/record-index.ts'
import type { Entry } from '../../engine/records/entry.ts'
import type { Call, JsonObject, Outcome, SwitchPlace } from '../../contract/call.ts'
import type { CustodianAnswer } from '../../keys/custodians/protocol.ts'
import type { KeyRequest } from '../../keys/account-keys.ts'
import type { LocalSigner, RemoteSigner, Signer } from '../../keys/signer.ts'
import type { WebhookSecrets } from '../../keys/webhook-secret.ts'
import type { EventLog } from '../../contract/event-record.ts'
import type { Lending } from '../../contract/lending.ts'
import type { Oracle } from '../../contract/market-data.ts'
import type { CountersignQuestion, LentSignature, OtherCellOwners } from '../transactions/countersign/question.ts'
import type { RequestServers } from '../transactions/served-request.ts'
import type { PlanSteps } from '../transactions/plans/build-step.ts'
import type { Outbound } from './outbound/outbound.ts'
import type { OutboundShares } from './outbound/shares.ts'

export type { ChainAccount, KeyRequest, LocalSigner, RemoteSigner, Signer }

/** A read: renders committed records. Its route checks the answer against the contract. */
export type Read<Input, Answer = unknown> = (context: Context, input: Input) => Promise<Answer> | Answer

/** A write: decides, signs and submits in one synchronous unit of work, and resolves once that unit is durable. */
export type Write<Input, Members extends JsonObject = JsonObject> = (
  context: Context,
  input: Input,
) => Promise<Outcome<Members>>

/** What an operation works with: the parts of the service, and the request that it serves. */
export interface Context {
  readonly platform: Platform
  readonly call: Call
  /** Looks up each record of the request once (`lookup/request-records.ts`). Absent: each lookup asks the directory. */
  readonly records?: RecordIndex
}

export interface Platform {
  readonly engine: Engine
  readonly clusters: ReadonlyMap<string, PlatformCluster>
  readonly keys: Keys
  readonly signingQueue: SigningQueuePort
  /** Requests to hosts of clients. If absent, no such requests are made. */
  readonly outbound?: Pick<Outbound, 'fetch' | 'check'>
  /** Limits the concurrency of these requests. If absent, it is unlimited. */
  readonly outboundShares?: OutboundShares
  readonly events?: EventLog
  /** If absent, there are no webhooks. */
  readonly webhookSecrets?: WebhookSecrets
  /** Absent: there is no other process. */
  readonly otherCells?: OtherCells
  /**
   * False: this process must sign and send nothing now, because its lease is over. Absent: no other process can own its
   * tenants.
   */
  readonly mayAct?: () => boolean
  /** Asks tenants of other cells for countersignatures, and to serve requests. Absent: every tenant is of this cell. */
  readonly otherCellOwners?: OtherCellOwners & RequestServers
  /** Executes the jobs of data sources. If absent, no jobs run. */
  readonly oracle?: Oracle
  /** Age in seconds from which the value of a data source is stale; default one hour. */
  readonly feedStaleSeconds?: number
  /** `isOff`: true if this clock and the machine's differ by so much that nothing may be debited. */
  readonly clock: { now(): number; isOff?(): boolean }
  /** A new id of a record, never issued before: a UUID. */
  readonly ids: () => string
  /** Lending protocols, the built-in one and those of providers, by their name in the interface. */
  readonly lending?: ReadonlyMap<string, Lending>
  readonly limits: { readonly maxFeeLamports: bigint }
  readonly planSteps: PlanSteps
  /** Messages for the operator. Must contain no secrets. */
  readonly log?: { warn(fields: object, message: string): void }
}

/** Requests of a cell to the other cells. */
export interface OtherCells {
  /**
   * Resolves when the rights and switches of SYSTEM that were committed before the call are in effect in all cells.
   * @param switches the changed switches, from a cell that does not own SYSTEM
   */
  untilApplied(switches?: readonly SwitchPlace[]): Promise<void>
  /** Resolves when the tenants have processed all messages that the sender, of any cell, sent them before the call. */
  untilTaken(sender: string, tenants: readonly string[]): Promise<void>
  /** The tenants of all cells that have a record with this name. */
  holdersOf(name: string): Promise<readonly string[]>
  /** The tenant of another cell that has the record; undefined: none. */
  tenantOf(record: { readonly cluster: string; readonly id: string }): Promise<string | undefined>
}

export interface Blockhash {
  readonly blockhash: string
  /** Slot in which the blockhash was read. */
  readonly slot: number
  readonly lastValidBlockHeight: number
}

export interface PlatformCluster {
  readonly id: string
  readonly genesisHash: string
  /**
   * A blockhash from `confirmed` that is at most 10 s old, if one is cached. Synchronous, so that a unit of work can
   * use it.
   */
  currentBlockhash(): Blockhash | null
  freshBlockhash(): Promise<Blockhash>
  /** A blockhash other than `known`, as soon as the cluster has one; null: it has none for some seconds. */
  blockhashAfter(known: string): Promise<Blockhash | null>
  /** Lamports that exempt an account of this size from rent, as the cluster reports now. */
  rentExemptLamports(dataLength: number): Promise<bigint>
  /** At `confirmed`; null for accounts that do not exist. */
  accounts(addresses: readonly string[]): Promise<readonly (ChainAccount | null)[]>
  /**
   * As `accounts`, with their slot, which is never before `leastSlot` nor before any slot already seen of the cluster.
   */
  accountsAsOf(
    addresses: readonly string[],
    leastSlot?: number,
  ): Promise<{ readonly slot: number; readonly accounts: readonly (ChainAccount | null)[] }>
  /**
   * As `accountsAsOf`, with the statuses of transactions by signature, before and after the accounts were read: see
   * `inclusion.ts`.
   */
  cut(addresses: readonly string[], signatures: readonly string[], leastSlot?: number): Promise<AccountCut>
  /** The token accounts of an owner under both token programs, at `confirmed`. */
  tokenAccountsOf(owner: string): Promise<readonly { readonly address: string; readonly account: ChainAccount }[]>
  /** At `finalized`, as of `slot`. */
  finalizedAccounts(
    addresses: readonly string[],
  ): Promise<{ readonly slot: number; readonly accounts: readonly (ChainAccount | null)[] }>
  /**
   * The finalized addresses of those lookup tables that messages can use now, by table address. A table is read again
   * while fewer than `count` addresses of it are known. Tables that cannot be read are omitted.
   */
  lookupTables(
    wanted: readonly { readonly address: string; readonly count: number }[],
  ): Promise<ReadonlyMap<string, readonly string[]>>
  /** A setting of the cluster: transactions that the records cannot decide are simulated before they are signed. */
  readonly simulates: boolean
  /** True for the embedded chain, where `confirmed` means on disk. */
  readonly confirmsOnDisk: boolean
  simulate(message: Uint8Array): Promise<Simulation>
  /** Prices that recent transactions paid which wrote any of these accounts. */
  recentPrioritizationFees(addresses: readonly string[]): Promise<readonly { readonly microLamports: number }[]>
  /**
   * Reserves a queue place for a transaction, unless it has one. Must be called before anything is signed. Returns a
   * function that releases the place, for a request that ends without a submission. Throws 429 if the lane or the
   * tenant's share of the queue is full.
   */
  admit(tenant: string, lane: string, transactionId: string): () => void
  /** Submits a transaction whose bytes are durable. */
  submit(submission: Submission): void
  /** Watches a transaction that may land, or whose expiry needs proof. Sends nothing if the submission has no bytes. */
  watch(submission: Submission): void
  /** Stops watching the transaction. */
  forget(transactionId: string): void
  /** Stops sending the transaction, but keeps watching it. */
  recall(transactionId: string): void
  /** Sends a transaction that a resumed lane still holds for its review. */
  release(transactionId: string): void
  /** Checks the status of the transaction, or the proof of its expiry, now. */
  checkNow(transactionId: string): void
  /** Progress of a watched transaction; null if it is not watched. */
  state(transactionId: string): WatchState | null
  /** Details of a landed transaction that its status lacks; null if the cluster does not know the transaction. */
  landed(signature: string): Promise<LandedAt | null>
  /** The oldest `MAX_HISTORY` transactions that name the address, newest first. */
  historyOf(address: string, bounds?: HistoryBounds): Promise<readonly SignatureEntry[]>
  /** What a landed transaction moved, as the chain recorded it; null if the node does not know it. */
  movementOf(signature: string): Promise<ChainMovement | null>
  /** Block height at `confirmed` as of the last answer; null before the first. */
  blockHeight(): number | null
  /**
   * The current block height, if a transaction with this blockhash could still be accepted at it. null: it could not,
   * which does not prove expiry.
   */
  heightWhileValid(blockhash: string): Promise<number | null>
}

export interface LandedAt {
  readonly slot: number
  /** Unix seconds. */
  readonly blockTime: number | null
  readonly computeUnits: number | null
}

export interface Simulation {
  readonly error: string | null
  readonly computeUnits: number
  readonly logs: readonly string[]
}

/** Requests signatures from remote signers, after the write that records the requests is durable. */
export interface SigningQueuePort {
  /** Requests every signature that the transaction waits for. */
  ask(entry: Entry): void
  /** True while an answer may still complete the transaction. */
  asks(transactionId: string): boolean
  /**
   * Processes an answer that a custodian sent by a callback. False: no transaction waits for it. `invalid`: its
   * signature does not verify for the requested message, and is not used.
   */
  receive(custodian: string, id: string, answer: CustodianAnswer): Promise<boolean | 'invalid'>
  /** Requests signatures of keys lent to a transaction of another cell, of which the countersignature is durable. */
  askLent(question: CountersignQuestion, places: readonly KeyPlace[]): Promise<readonly LentSignature[]>
}

export interface KeyPlace {
  readonly tenant: string
  readonly cluster: string
  readonly id: string
  readonly address: string
}

export interface Keys {
  /** The signer of a managed account; null if its key is not held here. */
  signerFor(place: KeyPlace): Signer | null
  /** A new key that the service generates, not yet sealed to a record. */
  generate(): UnsealedKey
  /** As `generate`, of a key that is not expected to sign soon. */
  generateForRecord(): UnsealedKey
  /** Imports a private key in the form that clients send (base58 of 64 or 32 bytes). Throws if it is malformed. */
  import(privateKey: string): UnsealedKey
  /** Creates a key that is stored outside the service's store. Rejects with `KeyPlaceError`, `PrivateKeyError`. */
  make(request: KeyRequest): Promise<UnsealedKey>
  /** The key of a record, to be sealed to another record of the same address; null if no key is held here. */
  inherit(place: KeyPlace): KeepableKey | null
}

/**
 * `seal` returns the row to store, and stores durably whatever is kept elsewhere; `discard` undoes that. The plain key
 * is never stored.
 */
export interface KeepableKey {
  seal(place: KeyPlace): unknown
  discard?(place: KeyPlace): void
}

/** A new key, not yet sealed to a record. */
export type UnsealedKey = Signer & KeepableKey
