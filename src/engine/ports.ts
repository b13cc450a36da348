// What the engine asks of storage. LevelDB answers today; anything that passes the conformance suite may answer tomorrow.

/** One record as it is stored: its machine's state and context, with enough beside it to know how to read them. */
export interface Envelope {
  readonly kind: string
  /** Version of the machine whose snapshot this is. */
  readonly version: number
  /** Counts the committed changes of the record, from 1. */
  readonly revision: number
  readonly tenant: string
  readonly cluster: string
  readonly id: string
  /** State of the machine. */
  readonly value: string
  readonly context: unknown
}

export type StoreOp =
  | { readonly type: 'record'; readonly envelope: Envelope }
  /** It is not loaded at a start any more. */
  | { readonly type: 'unloaded'; readonly tenant: string; readonly cluster: string; readonly id: string }
  | { readonly type: 'old'; readonly envelope: Envelope }
  | { readonly type: 'alias'; readonly tenant: string; readonly cluster: string; readonly name: string; readonly id: string }
  | {
      readonly type: 'listed'
      readonly tenant: string
      readonly list: string
      readonly atMs: number
      readonly id: string
      readonly row: unknown
    }
  | { readonly type: 'payload'; readonly tenant: string; readonly cluster: string; readonly id: string; readonly payload: unknown }
  | { readonly type: 'idempotency'; readonly tenant: string; readonly cluster: string; readonly scope: string; readonly row: unknown }
  | { readonly type: 'message'; readonly tenant: string; readonly cluster: string; readonly hash: string; readonly transactionId: string }
  | { readonly type: 'secret'; readonly tenant: string; readonly cluster: string; readonly id: string; readonly row: unknown }
  | { readonly type: 'file'; readonly tenant: string; readonly cluster: string; readonly id: string; readonly row: unknown }
  | { readonly type: 'event'; readonly tenant: string; readonly sequence: number; readonly row: unknown }
  | { readonly type: 'audit'; readonly tenant: string; readonly sequence: number; readonly row: unknown }
  | { readonly type: 'outbox'; readonly tenant: string; readonly sequence: number; readonly row: unknown }
  /** The last row of the sender's outbox that the tenant has taken. */
  | { readonly type: 'inbox'; readonly tenant: string; readonly sender: string; readonly sequence: number }
  | { readonly type: 'meta'; readonly name: string; readonly value: unknown }

/** An old record as a list shows it. */
export interface Listed {
  readonly id: string
  /** Unix milliseconds. */
  readonly atMs: number
  read(): unknown
}

/** What is durable at one moment. */
export interface StoreView {
  old(id: string): Envelope | undefined
  meta(name: string): unknown
  /** Of a list, within these times (null: no bound), the newest first and by id within one. */
  listed(list: string, fromMs: number | null, toMs: number | null): AsyncIterable<readonly Listed[]>
  close(): Promise<void>
}

export interface TenantBatch {
  readonly tenant: string
  readonly epoch: number
  readonly ops: readonly StoreOp[]
}

export interface Store {
  /** Atomic over all parts, durable when it resolves, and resolving in the order of the calls. */
  commit(parts: readonly TenantBatch[]): Promise<void>
  /** In pages. */
  load(tenant: string): AsyncIterable<readonly Envelope[]>
  tenants(): Promise<string[]>
  idempotency(tenant: string, cluster: string, scope: string): unknown
  transactionOfMessage(cluster: string, hash: string): string | undefined
  payload(tenant: string, cluster: string, id: string): unknown
  secret(tenant: string, cluster: string, id: string): unknown
  file(tenant: string, cluster: string, id: string): unknown
  meta(name: string): unknown
  /** Rows with a sequence above `after`, ascending, at most `limit`. Durable ones only. */
  events(tenant: string, after: number, limit: number): Promise<{ readonly sequence: number; readonly row: unknown }[]>
  audit(tenant: string, after: number, limit: number): Promise<{ readonly sequence: number; readonly row: unknown }[]>
  /** What a tenant has told others and not cleared away yet, oldest first. */
  outbox(tenant: string): Promise<{ readonly sequence: number; readonly row: unknown }[]>
  /** The last row of the sender's outbox that the tenant has taken; 0: none. */
  inbox(tenant: string, sender: string): number
  /** Sequence of the newest durable row of a log; 0: none. */
  lastSequence(log: 'event' | 'audit', tenant: string): Promise<number>
  old(id: string): Envelope | undefined
  /** Id of the old record that has this name too. */
  alias(cluster: string, name: string): string | undefined
  view(): StoreView
}
