// The seam between the engine and what keeps its state: one atomic, fenced, durable commit, and reads of what is durable.
// It knows bytes and order, not rules. A second implementation must pass the same conformance suite as the first.

/** A machine's snapshot with what is needed to find and to restore it. */
export interface Envelope {
  readonly kind: string
  /** Version of the machine that made the snapshot. */
  readonly version: number
  /** Counts the record's changes. */
  readonly revision: number
  readonly tenant: string
  readonly cluster: string
  readonly id: string
  /** The machine's state. */
  readonly value: string
  /** JSON-safe. */
  readonly context: unknown
}

/** One row. Rows are values: nothing handed over may be changed afterwards, because it is serialised only when its batch is written. */
export type StoreOp =
  /** The latest of a key wins; of several in one batch only that one is serialised. */
  | { readonly type: 'record'; readonly envelope: Envelope }
  /** The record is not among those that are loaded any more: it has become old. */
  | { readonly type: 'unloaded'; readonly tenant: string; readonly cluster: string; readonly id: string }
  /** A record that is found by its id only, whoever's it is. */
  | { readonly type: 'old'; readonly envelope: Envelope }
  /** Another name of an old record, unique within a cluster. */
  | { readonly type: 'alias'; readonly tenant: string; readonly cluster: string; readonly name: string; readonly id: string }
  /** What a list of old records shows of one, and when it was, Unix milliseconds. */
  | { readonly type: 'listed'; readonly tenant: string; readonly list: string; readonly atMs: number; readonly id: string; readonly row: unknown }
  /** A transaction's fixed part and complete signed bytes, written once (again only before it is signed). */
  | { readonly type: 'payload'; readonly tenant: string; readonly cluster: string; readonly id: string; readonly payload: unknown }
  /** `scope`: hex digest of endpoint and key. */
  | { readonly type: 'idempotency'; readonly tenant: string; readonly cluster: string; readonly scope: string; readonly row: unknown }
  /** Claims the message for the transaction; unique within a cluster, whoever the tenant. */
  | { readonly type: 'message'; readonly cluster: string; readonly hash: string; readonly transactionId: string; readonly tenant: string }
  /** An encrypted private key. Ciphertext only. */
  | { readonly type: 'secret'; readonly tenant: string; readonly cluster: string; readonly id: string; readonly row: unknown }
  /** A file that belongs to a record. A `row` of null deletes. */
  | { readonly type: 'file'; readonly tenant: string; readonly cluster: string; readonly id: string; readonly row: unknown }
  | { readonly type: 'event'; readonly tenant: string; readonly sequence: number; readonly row: unknown }
  | { readonly type: 'audit'; readonly tenant: string; readonly sequence: number; readonly row: unknown }
  /** What another tenant, or the directory, has to be told; it rides with the change itself. A `row` of null deletes: it was taken. */
  | { readonly type: 'outbox'; readonly tenant: string; readonly sequence: number; readonly row: unknown }
  /** The last row of another tenant's outbox that this one has taken; it rides with what that row changed. */
  | { readonly type: 'inbox'; readonly tenant: string; readonly sender: string; readonly sequence: number }
  /** Small facts of the whole service: genesis hashes, the service clock, sequences. */
  | { readonly type: 'meta'; readonly name: string; readonly value: unknown }

/** Rows of one tenant, written by its owner under `epoch`. */
export interface TenantBatch {
  readonly tenant: string
  readonly epoch: number
  readonly ops: readonly StoreOp[]
}

/** A row of an append-only log (or of the outbox), with its place in it. */
export interface Sequenced {
  readonly sequence: number
  readonly row: unknown
}

/** A row of a list of old records. */
export interface Listed {
  readonly id: string
  /** Unix milliseconds. */
  readonly atMs: number
  /** Parses it. Throws `CorruptRow`. */
  read(): unknown
}

/** What is durable at one moment, whatever is written later. */
export interface StoreView {
  old(id: string): Envelope | undefined
  meta(name: string): unknown
  /** The rows of a list within these times, the newest first and by id within one; null: no bound. Throws rather than end early. */
  listed(list: string, fromMs: number | null, toMs: number | null): AsyncIterable<readonly Listed[]>
  /** All rows as they lie on disk, in key order: for a copy. Throws rather than end early. */
  everything(): AsyncIterable<readonly (readonly [key: string, text: string])[]>
  close(): Promise<void>
}

export interface StoreStats {
  /** Units of work acknowledged since the store was opened, the writes they rode in, and the rows of those. */
  readonly commits: number
  readonly batches: number
  readonly rows: number
  /** Rows of the latest batch. */
  readonly lastBatchSize: number
  /** Commits handed over and not yet answered. */
  readonly waiting: number
  /** Rows of the batches: `counts[i]` of them had at most `bounds[i]`, the last of `counts` more than all. */
  readonly batchRows: { readonly bounds: readonly number[]; readonly counts: readonly number[] }
  /** Duration of writes with their sync: `counts[i]` of them took at most `boundsMs[i]`, the last of `counts` longer than all. */
  readonly fsyncMs: { readonly boundsMs: readonly number[]; readonly counts: readonly number[]; readonly sumMs: number; readonly maxMs: number }
}

export interface Store {
  /**
   * Write all parts or none, and resolve once they survive a power cut. Everything handed over since the last write began rides in
   * one batch; answers come in the order of the calls. An empty commit is answered after all earlier ones.
   *
   * Rejects with `StaleEpoch`, `MessageTaken` or `ForeignRow` (nothing written), with `StoreClosed` (nothing written), or with
   * `OutcomeUnknown` (the store is finished; see `OpenOptions.onFatal`).
   */
  commit(parts: readonly TenantBatch[]): Promise<void>

  /** All records of a tenant as of the first read, in key order, in pages: a start has a million to take. Throws rather than end early. */
  load(tenant: string): AsyncIterable<readonly Envelope[]>
  /** Every tenant that has ever committed, in key order. */
  tenants(): Promise<string[]>

  // Synchronous reads see durable rows only, except that a message counts as taken from the moment it was handed over. `undefined` is
  // proof of absence: what cannot be read throws (`CorruptRow`, `OutcomeUnknown` after a failed write, or the disk's own error).
  idempotency(tenant: string, cluster: string, scope: string): unknown
  /** Id of the transaction that has this message. */
  transactionOfMessage(cluster: string, hash: string): string | undefined
  payload(tenant: string, cluster: string, id: string): unknown
  secret(tenant: string, cluster: string, id: string): unknown
  file(tenant: string, cluster: string, id: string): unknown
  meta(name: string): unknown
  /** A record that is not loaded. */
  old(id: string): Envelope | undefined
  /** Id of the old record that has this name too. */
  alias(cluster: string, name: string): string | undefined
  /** Of this very moment. To be closed. */
  view(): StoreView

  /** Rows with a sequence above `after`, ascending, at most `limit`. */
  events(tenant: string, after: number, limit: number): Promise<Sequenced[]>
  audit(tenant: string, after: number, limit: number): Promise<Sequenced[]>
  /** Sequence of the newest durable row of a log; 0: none. */
  lastSequence(log: 'event' | 'audit', tenant: string): Promise<number>
  /** What is still to be delivered, oldest first; all of it unless limited. */
  outbox(tenant: string, after?: number, limit?: number): Promise<Sequenced[]>
  /** The last row of the sender's outbox that the tenant has taken; 0: none. Synchronous, of durable rows. */
  inbox(tenant: string, sender: string): number

  stats(): StoreStats
  /** Write what is queued, then let go of the database. Commits handed over later are rejected with `StoreClosed`. */
  close(): Promise<void>
}

export interface OpenOptions {
  /** The database directory; made if absent. */
  readonly path: string
  /**
   * Called once, when a write has failed (exactly-once, rule 13). The store writes nothing after it, whatever the disk says, and
   * rejects everything queued or still to come; the process is expected to exit 74.
   */
  readonly onFatal: (error: Error) => void
  /** How long to wait for the lock of a process that is still going down. Default 0: `StoreLocked` at once. */
  readonly lockWaitMs?: number
}
