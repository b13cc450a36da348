// What the operations stand on. `src/service.ts` makes the one instance; tests make their own with the real parts.
import type { AccountCut } from '../../rpc/account-cut.ts'
import type { Submission, WatchState } from '../../submission/submission.ts'
import type { Engine } from '../../engine/engine.ts'
import type { Entry } from '../../engine/records/entry.ts'
import type { Call, JsonObject, Outcome } from '../../contract/call.ts'
import type { WebhookSecrets } from '../../keys/webhook-secret.ts'
import type { EventLog } from '../../contract/event-record.ts'
import type { Lending } from '../../contract/lending.ts'
import type { Oracle } from '../../contract/market-data.ts'
import type { PlanSteps } from '../transactions/plans/draw-step.ts'
import type { Outbound } from './outbound/outbound.ts'
import type { OutboundShares } from './outbound/shares.ts'

/** A read: renders committed records. */
export type Read<Input> = (platform: Platform, call: Call, input: Input) => Promise<JsonObject> | JsonObject

/** A write: decides, signs and hands over in one synchronous stretch, and resolves once that is durable. */
export type Write<Input> = (platform: Platform, call: Call, input: Input) => Promise<Outcome>

export interface Platform {
  readonly engine: Engine
  readonly clusters: ReadonlyMap<string, ClusterAccess>
  readonly keys: Keys
  readonly desk: Desk
  /** Requests to hosts of clients; without it none is made. */
  readonly outbound?: Pick<Outbound, 'fetch' | 'check'>
  /** How many of these may be under way. Absent: any number. */
  readonly outboundShares?: OutboundShares
  readonly events?: EventLog
  /** Without it there are no webhooks. */
  readonly webhookSecrets?: WebhookSecrets
  /** Executes the jobs of data sources; without it there are none. */
  readonly oracle?: Oracle
  /** Age from which the value of a data source is shown as stale, seconds; default an hour. */
  readonly feedStaleSeconds?: number
  /** `isOff`: it disagrees with the machine by so much that nothing may be debited. */
  readonly clock: { now(): number; isOff?(): boolean }
  /** A new id of a record, never given before: a UUID. */
  readonly ids: () => string
  /** Lending protocols, the built-in one and those of providers, by their name in the interface. */
  readonly lending?: ReadonlyMap<string, Lending>
  readonly limits: { readonly maxFeeLamports: bigint }
  readonly planSteps: PlanSteps
  /** For what the operator has to hear of besides the records. Holds no secret. */
  readonly log?: { warn(fields: object, message: string): void }
}

export interface Blockhash {
  readonly blockhash: string
  /** Slot it was taken at. */
  readonly slot: number
  readonly lastValidBlockHeight: number
}

/** An account as read from the chain. */
export interface ChainAccount {
  readonly lamports: bigint
  /** Base58 of the owning program. */
  readonly owner: string
  readonly data: Uint8Array
  readonly executable: boolean
}

export interface ClusterAccess {
  readonly id: string
  readonly genesisHash: string
  /** A blockhash from `confirmed` at most 10 s old, if one is at hand; synchronous, so that it can be used inside a stretch. */
  currentBlockhash(): Blockhash | null
  freshBlockhash(): Promise<Blockhash>
  /** Lamports that exempt an account of so many bytes from rent, as the cluster says now. */
  rentExemptLamports(dataLength: number): Promise<bigint>
  /** At `confirmed`; null where there is none. */
  accounts(addresses: readonly string[]): Promise<readonly (ChainAccount | null)[]>
  /** The same with the slot they are as of: never before `leastSlot`, nor before anything seen of the cluster. */
  accountsAsOf(
    addresses: readonly string[],
    leastSlot?: number,
  ): Promise<{ readonly slot: number; readonly accounts: readonly (ChainAccount | null)[] }>
  /** As `accountsAsOf`, with the statuses of transactions by signature, before and after the accounts were read: see `inclusion.ts`. */
  cut(addresses: readonly string[], signatures: readonly string[], leastSlot?: number): Promise<AccountCut>
  /** At `finalized`, as of `slot`. */
  finalizedAccounts(addresses: readonly string[]): Promise<{ readonly slot: number; readonly accounts: readonly (ChainAccount | null)[] }>
  /**
   * What lookup tables hold, as finalized, by address: of those that messages can use now. `count` is how many addresses a table is
   * believed to hold. What cannot be read is left out.
   */
  lookupTables(
    wanted: readonly { readonly address: string; readonly count: number }[],
  ): Promise<ReadonlyMap<string, readonly string[]>>
  /** What the records cannot decide is simulated before it is signed: a setting of the cluster. */
  readonly rehearses: boolean
  /** The embedded chain: `confirmed` means on disk. */
  readonly confirmsOnDisk: boolean
  simulate(message: Uint8Array): Promise<Simulation>
  /** What recent transactions that wrote any of these accounts paid. */
  recentPrioritizationFees(addresses: readonly string[]): Promise<readonly { readonly microLamports: number }[]>
  /**
   * Takes a place for a transaction, unless it has one. Throws a refusal (429) when the lane or the tenant's share of the queue is full;
   * asked before anything is signed. The answer gives the place back, for a request that comes to nothing.
   */
  admit(tenant: string, lane: string, transactionId: string): () => void
  /** Takes over a transaction whose bytes are durable. */
  submit(submission: Submission): void
  /** Looks for a transaction that may land, or whose expiry has to be proven, without sending it. */
  watch(submission: Submission): void
  /** Stops looking for it. */
  forget(transactionId: string): void
  /** Stops sending it, but not looking for it. */
  recall(transactionId: string): void
  /** Asks for its status, or a proof of its expiry, now. */
  hurry(transactionId: string): void
  /** How far it has got with one it looks for; null: it does not. */
  state(transactionId: string): WatchState | null
  /** What a status does not tell of a landed transaction; null when the cluster does not know it. */
  landed(signature: string): Promise<Landed | null>
  /** Block height at `confirmed` as of the last answer; null before the first. */
  blockHeight(): number | null
  /** Block height at which a transaction with this blockhash could be accepted, now; null: it could not, which proves nothing. */
  heightWhileValid(blockhash: string): Promise<number | null>
}

export interface Landed {
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

/** Signs messages with one key. Whether it is remote is known without asking it. */
export type Signer = LocalSigner | RemoteSigner

export interface LocalSigner {
  readonly address: string
  readonly remote: false
  sign(message: Uint8Array): Uint8Array
}

/** Asked by the signing desk alone, for what is durable. `key` is the same for the same question. */
export interface RemoteSigner {
  readonly address: string
  readonly remote: true
  sign(message: Uint8Array, key: string): Promise<Uint8Array>
}

/** Asks remote signers, after the write that says what they are asked. */
export interface Desk {
  /** Asks for every signature that a transaction waits for. */
  ask(entry: Entry): void
  /** True while an answer may still complete the transaction. */
  asks(transactionId: string): boolean
}

export interface KeyPlace {
  readonly tenant: string
  readonly cluster: string
  readonly id: string
  readonly address: string
}

export interface Keys {
  /** The signer of a managed account, null when its key is not here. */
  signerFor(place: KeyPlace): Signer | null
  /** A new key of the service's own making, not yet sealed to a record. */
  generate(): FreshKey
  /** Takes a private key as clients send it (base58 of 64 or 32 bytes); throws when it is malformed. */
  import(privateKey: string): FreshKey
  /** A key that is to be kept elsewhere than in the store. Rejects with `KeyPlaceError`, `PrivateKeyError`. */
  make(wish: KeyWish): Promise<FreshKey>
  /** The key of a record for one more record of its address; null when none is here. */
  inherit(place: KeyPlace): KeepableKey | null
}

/** Where a key is to be kept that is not to lie in the store. */
export type KeyWish =
  | { readonly location: 'SECRETS'; readonly privateKey?: string }
  | { readonly location: 'DKG'; readonly players: readonly string[] | null; readonly threshold: number | null }

/** `seal` gives the row that may be stored, and keeps what lies elsewhere durably; `discard` takes that back. The key itself is never stored. */
export interface KeepableKey {
  seal(place: KeyPlace): unknown
  discard?(place: KeyPlace): void
}

/** A new key, not kept for a record yet. */
export type FreshKey = Signer & KeepableKey
