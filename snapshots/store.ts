// Interface between the engine and the persistence of its state: one atomic, fenced, durable commit, and reads of
// durable rows. It handles bytes and order, not rules. Every implementation must pass the same conformance suite.
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
 * The changes of a record since its row was written. The context of that row is a list. The parts are: the revision
 * now, the revision of that row, the state (null: unchanged), then pairs of the position of a changed member of the
 * context and its value. A negative position appends the value to the list at the position without the sign. A change
 * replaces the earlier ones of the record.
 */
export type RecordChange = readonly [revision: number, since: number, value: string | null, ...members: unknown[]]

/**
 * One row. Rows are values: they must not be modified after the call, because they are serialized only when their batch
 * is written.
 */
export type StoreOp =
  /**
   * The last write of a key wins; of several in one batch, only the last is serialized. `isAlone`: the record has no
   * change row that this row would have to replace.
   */
  | { readonly type: 'record'; readonly envelope: Envelope; readonly isAlone?: boolean }
  /** The changes of a record since its row was written. Only for a store with `keepsChanges`. */
  | {
      readonly type: 'change'
      readonly tenant: string
      readonly cluster: string
      readonly id: string
      readonly change: RecordChange
    }
  /** Removes a record from those loaded at a start; it becomes a cold record. */
  | { readonly type: 'unloaded'; readonly tenant: string; readonly cluster: string; readonly id: string }
  /** A cold record. Its key has only the id, without the tenant. */
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
  /** A movement of a balance; `reversal`: a copy of a movement that reverses one of a dropped fork. */
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
  /** Sequence of the last processed message of another tenant, written with the changes that the message causes. */
  | { readonly type: 'inbox'; readonly tenant: string; readonly sender: string; readonly sequence: number }
  /**
   * From this commit on, other cells find the record by the name; with `held` false no longer. Only for a store with
   * `names`.
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

/** A movement of a balance. The stamps of a balance ascend in the order of its movements. */
export interface StampedRow {
  readonly stamp: number
  readonly row: unknown
}

/** A row of an append-only log or of the outbox, with its sequence. */
export interface SequencedRow {
  readonly sequence: number
  readonly row: unknown
}

/** A row of a list of cold records. */
export interface ListedRow {
  readonly id: string
  /** Unix milliseconds. */
  readonly atMs: number
  /** Parses the row. Throws `CorruptRow`. */
  read(): unknown
}

/** A consistent snapshot of the durable rows. */
export interface StoreView {
  /** A cold record; undefined proves that it did not exist. */
  old(id: string): Promise<Envelope | undefined>
  meta(name: string): Promise<unknown>
  /** The facts whose names begin with `prefix`, by name. */
  metas(prefix: string): Promise<ReadonlyMap<string, unknown>>
  /**
   * The rows of a list within these times, newest first, then by id; null: unbounded. Throws instead of ending early.
   */
  listed(list: string, fromMs: number | null, toMs: number | null): AsyncIterable<readonly ListedRow[]>
  /** All rows in key order, for a copy. Changes are merged into records. Throws instead of ending early. */
  everything(): AsyncIterable<readonly (readonly [key: string, text: string])[]>
  close(): Promise<void>
}

/** One pass over the movements of many balances of a tenant, as of its start. Must be closed. */
export interface MovementWalk {
  /**
   * The first movements of a balance with `from` <= stamp < `to`, at most `most`. Calls must ascend by record, then by
   * asset, then by time.
   */
  take(balance: BookedBalance, from: number, to: number, most: number): Promise<readonly StampedRow[]>
  close(): Promise<void>
}

export interface StoreStats {
  /** Units of work acknowledged since the store was opened; the batches written for them; the rows of the batches. */
  readonly commits: number
  readonly batches: number
  readonly rows: number
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
  }
}

export interface Store {
  /** Epoch of the last claim, for commits. */
  readonly epoch: number
  /**
   * Makes this process the owner of all tenants of the store, and resolves with the epoch. Commits under earlier epochs
   * are refused, also those of other processes. On a store that several processes may open, `claim` must be the first
   * call.
   */
  claim(): Promise<number>

  /**
   * Writes all parts or none, and resolves when they survive a power failure. Everything queued since the last write
   * began is written in one batch; calls are acknowledged in order. An empty commit is acknowledged after all earlier
   * ones.
   * Rejects with `StaleEpoch`, `MessageTaken`, `ForeignRow`, `NotAtHand` or `StoreClosed` (nothing written), or with
   * `OutcomeUnknown` (the store is unusable; see `OpenOptions.onFatal`). `StaleEpoch` makes the store unusable too if
   * the epoch was that of the last claim, because another process has claimed the store since. `NotAtHand`: the row
   * that says whether a message of the commit is taken must be fetched first.
   */
  commit(parts: readonly TenantBatch[]): Promise<void>

  /**
   * Writes rows of a tenant unless the first of them exists, also for a tenant that this process does not own. The
   * first caller thus sets facts that all processes of a store share. Resolves when these rows, or the existing ones,
   * are durable; read them to learn which.
   */
  settle(tenant: string, ops: readonly StoreOp[]): Promise<void>

  /** False: records must be written whole, because processes other than the owner read single rows. */
  readonly keepsChanges: boolean

  /**
   * All records of a tenant as of the first read, in key order, in pages (up to a million records). Throws instead of
   * ending early.
   */
  load(tenant: string): AsyncIterable<readonly Envelope[]>
  /** As `load`, but the encoded rows (see `rows.ts`). */
  loadRows(tenant: string): AsyncIterable<readonly (readonly [key: string, text: string])[]>
  /** The tenants of this store that ever committed, in key order. */
  tenants(): Promise<string[]>

  /**
   * Makes the rows, or their absence, available to the synchronous reads below, at least until the next commit is
   * durable. A commit during the fetch is never hidden by an older answer. Records of other cells are available for
   * `keptMs`, in a state that they had during the call.
   */
  fetch(keys: readonly ColdKey[], keptMs?: number): Promise<void>

  /** Absent: no other process owns records of the same database. */
  readonly names?: Names

  // Synchronous reads see durable rows only, except that a message counts as claimed once its commit is queued.
  // `undefined` proves absence: a row that cannot be read throws `CorruptRow`, `OutcomeUnknown` after a failed write,
  // or the disk's own error; a row that must be fetched first throws `NotAtHand`. Rows of `meta` and `inbox` are always
  // available.
  idempotency(tenant: string, cluster: string, scope: string): unknown
  /** Id of the transaction that claimed this message. */
  transactionOfMessage(cluster: string, hash: string): string | undefined
  payload(tenant: string, cluster: string, id: string): unknown
  secret(tenant: string, cluster: string, id: string): unknown
  file(tenant: string, cluster: string, id: string): unknown
  meta(name: string): unknown
  /** A cold record. */
  old(id: string): Envelope | undefined
  /** As `old` and `payload`, for many records, without blocking the event loop. In the order of the request. */
  oldMany(ids: readonly string[]): Promise<readonly (Envelope | undefined)[]>
  payloadMany(
    places: readonly { readonly tenant: string; readonly cluster: string; readonly id: string }[],
  ): Promise<readonly unknown[]>
  /** Id of the cold record with this alias. */
  alias(cluster: string, name: string): string | undefined
  /** Takes a snapshot. Must be closed. */
  view(): StoreView

  /** Rows with a sequence above `after`, ascending, at most `limit`. */
  events(tenant: string, after: number, limit: number): Promise<SequencedRow[]>
  audit(tenant: string, after: number, limit: number): Promise<SequencedRow[]>
  /** Sequence of the newest durable row of a log; 0 if there is none. */
  lastSequence(log: 'event' | 'audit', tenant: string): Promise<number>
  /** Movements of a balance with `from` <= stamp < `to`, ascending, in pages. Throws instead of ending early. */
  movements(
    log: 'movement' | 'reversal',
    balance: BookedBalance,
    from: number,
    to: number,
  ): AsyncIterable<readonly StampedRow[]>
  /** The newest movement of a balance with a stamp below `before`. */
  lastMovement(balance: BookedBalance, before: number): Promise<StampedRow | undefined>
  /** Record ids must be ASCII. */
  movementWalk(log: 'movement' | 'reversal', tenant: string): MovementWalk
  /** Undelivered messages, oldest first; all of them unless limited. */
  outbox(tenant: string, after?: number, limit?: number): Promise<SequencedRow[]>
  /** Sequence of the last message of the sender that the tenant has processed; 0: none. Synchronous. */
  inbox(tenant: string, sender: string): number

  stats(): StoreStats
  /** Writes all queued commits, then closes the database. Later commits are rejected with `StoreClosed`. */
  close(): Promise<void>
}

/** A record of another cell; `payload` is the payload row of a transaction, from the same snapshot. */
export type NamedEnvelope = Envelope & { readonly payload?: unknown }

/** Names by which other cells find records. They are written with the records (`StoreOp`). */
export interface Names {
  /** The tenants of this store whose records lack names, because an earlier release wrote them. */
  missing(): Promise<readonly string[]>
  /** Marks the names of these tenants as complete. */
  complete(tenants: readonly string[]): Promise<void>
  /** False: this is the only cell at this moment, so `of` would find nothing. */
  hasNeighbours(): boolean
  /**
   * The records of other cells with the name, in a recently committed state (`fetch`). Synchronous: throws `NotAtHand`.
   */
  of(name: string): readonly NamedEnvelope[]
  /** Reads the records of other cells with a name that begins with this text. The names must be short. */
  under(beginning: string): Promise<readonly Envelope[]>
  /**
   * Reads the first names of other cells that begin with this text, in the order of their escaped forms, and the number
   * of all of them. Reads no record. Long names, which are hashed, are not included.
   */
  listed(beginning: string, limit: number): Promise<ListedNames>
  /**
   * Returns if no other cell can write this name before the unit of work queued in this turn is durable. Returns
   * immediately while this is the only cell. Synchronous: throws `NotAtHand`.
   * @param shownBy reads that show whether another cell has written the name; repeated under the claim
   */
  claim(name: string, shownBy: readonly ColdKey[]): void
}

export interface OpenOptions {
  /** The database directory; created if absent. */
  readonly path: string
  /**
   * Called once, when a write fails. The store then writes nothing more and rejects all queued
   * and later calls; the process is expected to exit with code 74.
   */
  readonly onFatal: (error: Error) => void
  /** How long to wait for the lock of a process that is still exiting. Default 0: `StoreLocked` at once. */
  readonly lockWaitMs?: number
}
