// Interface between the engine and the persistence of its state: one atomic, fenced, durable commit, and reads of
// durable rows. It knows bytes and order, not rules. Every implementation must pass the same conformance suite.
import type { ListedNames } from './disk.ts'
import type { ColdKey } from './not-at-hand.ts'

/** A machine's snapshot, with the data needed to find and restore it. */
export interface Envelope {
  readonly kind: string
  /** Version of the machine that produced the snapshot. */
  readonly version: number
  /** Number of changes of the record. */
  readonly revision: number
  readonly tenant: string
  readonly cluster: string
  readonly id: string
  /** State of the machine. */
  readonly value: string
  /** JSON-safe. */
  readonly context: unknown
}

/**
 * What changed of a record since its row, whose context is a list, was written: revisions now and of that row; the
 * state, null if it is the same; then the place of each changed member of the context with its value in turns. At a
 * place below 0 is what is appended to the list at that place without the sign. Replaces an earlier change.
 */
export type RecordChange = readonly [revision: number, since: number, value: string | null, ...members: unknown[]]

/**
 * One row. Rows are values: they must not be modified after the call, because they are serialized only when their batch
 * is written.
 */
export type StoreOp =
  /**
   * The last write of a key wins; of several in one batch, only the last is serialized. `isAlone`: no change of the
   * record was written, which the row would have to replace.
   */
  | { readonly type: 'record'; readonly envelope: Envelope; readonly isAlone?: boolean }
  /** What changed of a record since its row was written. For a store that keeps changes only. */
  | {
      readonly type: 'change'
      readonly tenant: string
      readonly cluster: string
      readonly id: string
      readonly change: RecordChange
    }
  /** Removes a record from those loaded at a start; it becomes a cold record. */
  | { readonly type: 'unloaded'; readonly tenant: string; readonly cluster: string; readonly id: string }
  /** A cold record, found by its id only, for any tenant. */
  | { readonly type: 'old'; readonly envelope: Envelope }
  /** Another name of a cold record, unique within a cluster. */
  | {
      readonly type: 'alias'
      readonly tenant: string
      readonly cluster: string
      readonly name: string
      readonly id: string
    }
  /** The list entry of a cold record, with its time in Unix milliseconds. */
  | {
      readonly type: 'listed'
      readonly tenant: string
      readonly list: string
      readonly atMs: number
      readonly id: string
      readonly row: unknown
    }
  /** Fixed part and complete signed bytes of a transaction, written once (again only before it is signed). */
  | {
      readonly type: 'payload'
      readonly tenant: string
      readonly cluster: string
      readonly id: string
      readonly payload: unknown
    }
  /** `scope`: hex digest of endpoint and key. */
  | {
      readonly type: 'idempotency'
      readonly tenant: string
      readonly cluster: string
      readonly scope: string
      readonly row: unknown
    }
  /** Claims the message for the transaction; unique within a cluster, across tenants. */
  | {
      readonly type: 'message'
      readonly cluster: string
      readonly hash: string
      readonly transactionId: string
      readonly tenant: string
    }
  /** A movement of a balance; `reversal`: the same row again, if it reverses a movement of a dropped fork. */
  | ({ readonly type: 'movement' | 'reversal'; readonly stamp: number; readonly row: unknown } & BookedBalance)
  /** An encrypted private key. Ciphertext only. */
  | {
      readonly type: 'secret'
      readonly tenant: string
      readonly cluster: string
      readonly id: string
      readonly row: unknown
    }
  /** A file of a record. A `row` of null deletes it. */
  | {
      readonly type: 'file'
      readonly tenant: string
      readonly cluster: string
      readonly id: string
      readonly row: unknown
    }
  | { readonly type: 'event'; readonly tenant: string; readonly sequence: number; readonly row: unknown }
  | { readonly type: 'audit'; readonly tenant: string; readonly sequence: number; readonly row: unknown }
  /**
   * A message to another tenant or to other processes, written with the change that causes it. A `row` of null deletes
   * it after delivery.
   */
  | { readonly type: 'outbox'; readonly tenant: string; readonly sequence: number; readonly row: unknown }
  /** Sequence of the last message taken from another tenant, written with the changes that the message causes. */
  | { readonly type: 'inbox'; readonly tenant: string; readonly sender: string; readonly sequence: number }
  /**
   * Other cells find the record under the name from this commit on; with `held` false no longer. For a store that keeps
   * names only.
   */
  | {
      readonly type: 'name'
      readonly tenant: string
      readonly cluster: string
      readonly id: string
      readonly name: string
      readonly held: boolean
    }
  /** Small facts of the whole service: genesis hashes, the service clock, sequences. A `value` of null deletes one. */
  | { readonly type: 'meta'; readonly name: string; readonly value: unknown }

/** Rows of one tenant, written by its owner under the epoch of its claim. */
export interface TenantBatch {
  readonly tenant: string
  readonly epoch: number
  readonly ops: readonly StoreOp[]
}

/** One balance of a record. */
export interface BookedBalance {
  readonly tenant: string
  /** Id of the record. */
  readonly record: string
  readonly asset: string
}

/** A movement of a balance. Stamps of one balance ascend in the order of its movements. */
export interface Stamped {
  readonly stamp: number
  readonly row: unknown
}

/** A row of an append-only log or of the outbox, with its sequence. */
export interface Sequenced {
  readonly sequence: number
  readonly row: unknown
}

/** A row of a list of cold records. */
export interface Listed {
  readonly id: string
  /** Unix milliseconds. */
  readonly atMs: number
  /** Parses the row. Throws `CorruptRow`. */
  read(): unknown
}

/** The durable rows at one moment, unaffected by later writes. */
export interface StoreView {
  /** A cold record; undefined proves that there was none. */
  old(id: string): Promise<Envelope | undefined>
  meta(name: string): Promise<unknown>
  /** The facts whose names begin with this, by name. */
  metas(prefix: string): Promise<ReadonlyMap<string, unknown>>
  /**
   * The rows of a list within these times, newest first, then by id; null: unbounded. Throws instead of ending early.
   */
  listed(list: string, fromMs: number | null, toMs: number | null): AsyncIterable<readonly Listed[]>
  /** All rows in key order, each record with what changed of it, for a copy. Throws instead of ending early. */
  everything(): AsyncIterable<readonly (readonly [key: string, text: string])[]>
  close(): Promise<void>
}

/** One pass over the movements of many balances of a tenant, as of its start. Must be closed. */
export interface MovementWalk {
  /**
   * The first movements of a balance with `from` <= stamp < `to`, at most `most`. Balances must ascend by record, then
   * by asset, and the times of one balance too.
   */
  take(balance: BookedBalance, from: number, to: number, most: number): Promise<readonly Stamped[]>
  close(): Promise<void>
}

export interface StoreStats {
  /** Units of work acknowledged since the store was opened, the batches written for them, and the rows of those. */
  readonly commits: number
  readonly batches: number
  readonly rows: number
  /** Rows of the latest batch. */
  readonly lastBatchSize: number
  /** Commits queued or being written. */
  readonly waiting: number
  /**
   * Rows per batch, not cumulative: `counts[i]` batches had at most `bounds[i]`, the last of `counts` more than all
   * bounds.
   */
  readonly batchRows: { readonly bounds: readonly number[]; readonly counts: readonly number[] }
  /**
   * Duration of writes with sync, not cumulative: `counts[i]` writes took at most `boundsMs[i]`, the last of `counts`
   * longer.
   */
  readonly fsyncMs: {
    readonly boundsMs: readonly number[]
    readonly counts: readonly number[]
    readonly sumMs: number
    readonly maxMs: number
  }
}

export interface Store {
  /** Epoch of the last claim, for commits. */
  readonly epoch: number
  /**
   * Owns all tenants of the store from now on, under the epoch that it resolves with: commits under earlier ones are
   * refused, also those of other processes. A store that several processes may open must be claimed before anything
   * else is asked of it.
   */
  claim(): Promise<number>

  /**
   * Writes all parts or none, and resolves when they survive a power failure. Everything queued since the last write
   * began is written in one batch; calls are acknowledged in order. An empty commit is acknowledged after all earlier
   * ones.
   * Rejects with `StaleEpoch`, `MessageTaken`, `ForeignRow`, `NotAtHand` or `StoreClosed` (nothing written), or with
   * `OutcomeUnknown` (the store is unusable; see `OpenOptions.onFatal`). `StaleEpoch` makes the store unusable too if
   * the epoch was the one of the last claim: another process has claimed the store since. `NotAtHand`: whether a
   * message of the commit is taken must be fetched first.
   */
  commit(parts: readonly TenantBatch[]): Promise<void>

  /**
   * Writes rows of a tenant unless the first of them exists: the first process that asks sets what all processes of a
   * store have in common, also for a tenant that it does not own. Resolves when these rows, or the earlier ones, are
   * durable and can be read: only then is it known whose they are.
   */
  settle(tenant: string, ops: readonly StoreOp[]): Promise<void>

  /** False: records are written whole, since others than the owner of a tenant read its rows. */
  readonly keepsChanges: boolean

  /**
   * All records of a tenant as of the first read, in key order, in pages (up to a million records). Throws instead of
   * ending early.
   */
  load(tenant: string): AsyncIterable<readonly Envelope[]>
  /** As `load`, the rows as they are: `rows.ts` reads them. */
  loadRows(tenant: string): AsyncIterable<readonly (readonly [key: string, text: string])[]>
  /** All tenants that ever committed, in key order; of a store that owns only some, those. */
  tenants(): Promise<string[]>

  /**
   * Makes the rows, or the knowledge that they do not exist, available to the synchronous reads below, at least until
   * the next commit is durable. The owner of a tenant is the only writer of its rows: what it commits while they are
   * fetched is never hidden by an older answer. Records of other cells are available for `keptMs`, as they were at some
   * moment of the call.
   */
  fetch(keys: readonly ColdKey[], keptMs?: number): Promise<void>

  /** Absent: nobody else owns records of the same database. */
  readonly names?: Names

  // Synchronous reads see durable rows only, except that a message counts as claimed once its commit is queued.
  // `undefined` proves absence: a row that cannot be read throws `CorruptRow`, `OutcomeUnknown` after a failed write,
  // or the disk's own error; a row that must be fetched first throws `NotAtHand`. Rows of `meta` and `inbox` are
  // always at hand.
  idempotency(tenant: string, cluster: string, scope: string): unknown
  /** Id of the transaction that claimed this message. */
  transactionOfMessage(cluster: string, hash: string): string | undefined
  payload(tenant: string, cluster: string, id: string): unknown
  secret(tenant: string, cluster: string, id: string): unknown
  file(tenant: string, cluster: string, id: string): unknown
  meta(name: string): unknown
  /** A cold record. */
  old(id: string): Envelope | undefined
  /** As `old` and `payload`, of many records, without holding the event loop. In the order of the request. */
  oldMany(ids: readonly string[]): Promise<readonly (Envelope | undefined)[]>
  payloadMany(
    places: readonly { readonly tenant: string; readonly cluster: string; readonly id: string }[],
  ): Promise<readonly unknown[]>
  /** Id of the cold record with this alias. */
  alias(cluster: string, name: string): string | undefined
  /** A view of the present moment. Must be closed. */
  view(): StoreView

  /** Rows with a sequence above `after`, ascending, at most `limit`. */
  events(tenant: string, after: number, limit: number): Promise<Sequenced[]>
  audit(tenant: string, after: number, limit: number): Promise<Sequenced[]>
  /** Sequence of the newest durable row of a log; 0 if there is none. */
  lastSequence(log: 'event' | 'audit', tenant: string): Promise<number>
  /** Movements of a balance with `from` <= stamp < `to`, ascending, in pages. Throws instead of ending early. */
  movements(
    log: 'movement' | 'reversal',
    balance: BookedBalance,
    from: number,
    to: number,
  ): AsyncIterable<readonly Stamped[]>
  /** The newest movement of a balance with a stamp below `before`. */
  lastMovement(balance: BookedBalance, before: number): Promise<Stamped | undefined>
  /** Record ids must be ASCII. */
  movementWalk(log: 'movement' | 'reversal', tenant: string): MovementWalk
  /** Undelivered messages, oldest first; all of them unless limited. */
  outbox(tenant: string, after?: number, limit?: number): Promise<Sequenced[]>
  /**
   * Sequence of the last message that the tenant has taken from the sender; 0: none. Synchronous, durable rows only.
   */
  inbox(tenant: string, sender: string): number

  stats(): StoreStats
  /** Writes what is queued, then closes the database. Later commits are rejected with `StoreClosed`. */
  close(): Promise<void>
}

/** A record of another cell; `payload` is the row of a transaction, read in the same moment. */
export type NamedEnvelope = Envelope & { readonly payload?: unknown }

/** Names by which records are found from other cells. They are written with the records (`StoreOp`). */
export interface Names {
  /** The tenants of this store whose records were written before there were names. */
  missing(): Promise<readonly string[]>
  /** The records of these tenants have their names from now on. */
  complete(tenants: readonly string[]): Promise<void>
  /** False: this is the only cell at this moment, and `of` need not be asked. */
  hasNeighbours(): boolean
  /**
   * The records of other cells that have the name, as their owners committed them some moments ago. Synchronous: throws
   * `NotAtHand`.
   */
  of(name: string): readonly NamedEnvelope[]
  /** The records of other cells that have a name which begins so, as of now. The name must be short. */
  under(beginning: string): Promise<readonly Envelope[]>
  /**
   * The first names of records of other cells that begin so, in the order of their escaped texts, and the number of all
   * of them, as of now. Reads no record. Long names, which are hashed, are not among them.
   */
  listed(beginning: string, limit: number): Promise<ListedNames>
  /**
   * Returns if nothing under this name is written by another cell before the unit of work that is queued in this turn
   * is durable: at once while this is the only cell. Synchronous: throws `NotAtHand`.
   * @param shownBy what shows that another cell has written it: read anew under the claim, also if it is at hand
   */
  claim(name: string, shownBy: readonly ColdKey[]): void
}

export interface OpenOptions {
  /** The database directory; created if absent. */
  readonly path: string
  /**
   * Called once, when a write fails (exactly-once, rule 13). The store then writes nothing more and rejects all queued
   * and later calls; the process is expected to exit with code 74.
   */
  readonly onFatal: (error: Error) => void
  /** How long to wait for the lock of a process that is still exiting. Default 0: `StoreLocked` at once. */
  readonly lockWaitMs?: number
}
