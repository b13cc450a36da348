// Units of work as the engine would commit them, built so that a reader can distinguish a whole one from a part.

import { NotAtHand, type ColdKey } from '../../snapshots/not-at-hand.ts'
import type { Envelope, Store, StoreOp, TenantBatch } from '../../snapshots/store.ts'

export const TENANT = 'first'
export const OTHER = 'second'
export const CLUSTER = 'localnet'

export function envelope(id: string, change: Partial<Envelope> = {}): Envelope {
  return {
    kind: 'account',
    version: 1,
    revision: 1,
    tenant: TENANT,
    cluster: CLUSTER,
    id,
    value: 'active',
    context: { of: id },
    ...change,
  }
}

export const record = (id: string, change: Partial<Envelope> = {}): StoreOp => ({
  type: 'record',
  envelope: envelope(id, change),
})

/** Under the first epoch: `write` replaces it with that of a store. */
export const part = (ops: readonly StoreOp[], tenant = TENANT, epoch = 1): TenantBatch => ({ tenant, epoch, ops })

/** Commits parts under the epoch of the store. */
export const write = (store: Store, parts: readonly TenantBatch[]): Promise<void> =>
  store.commit(parts.map((each) => ({ ...each, epoch: store.epoch })))

/**
 * Commits after the store has learned whether the messages of these parts exist, as for an engine that has fetched
 * them.
 */
export async function commitFetched(store: Store, parts: readonly TenantBatch[]): Promise<void> {
  const messages = parts.flatMap(({ ops }) => ops.filter((op) => op.type === 'message'))
  await store.fetch(messages.map(({ cluster, hash }) => ({ read: 'message', cluster, hash })))
}

/** A synchronous read that fetches the rows it lacks. */
export async function hand<T>(store: Pick<Store, 'fetch'>, read: () => T): Promise<T> {
  for (;;) {
    try {
      return read()
    } catch (error) {
      if (!(error instanceof NotAtHand)) throw error
      await store.fetch(error.keys)
    }
  }
}

export async function all(store: Store, tenant = TENANT): Promise<Envelope[]> {
  const envelopes: Envelope[] = []
  for await (const page of store.load(tenant)) envelopes.push(...page)
  return envelopes
}

/** Commit number `n`: rows of several types for two tenants, about `bytes` long together. */
export function numbered(n: number, bytes = 600): TenantBatch[] {
  const fill = fillFor(n, Math.ceil(bytes / 5))
  return [
    part([
      record(`record-${n}`, { context: { n, fill } }),
      { type: 'payload', tenant: TENANT, cluster: CLUSTER, id: `transaction-${n}`, payload: { n, fill } },
      { type: 'message', tenant: TENANT, cluster: CLUSTER, hash: `hash-${n}`, transactionId: `transaction-${n}` },
      { type: 'event', tenant: TENANT, sequence: n, row: { n, fill } },
      { type: 'meta', name: 'latest', value: n },
    ]),
    part(
      [
        record(`record-${n}`, { tenant: OTHER, context: { n, fill } }),
        { type: 'idempotency', tenant: OTHER, cluster: CLUSTER, scope: `scope-${n}`, row: { n, fill } },
      ],
      OTHER,
    ),
  ]
}

/** Text that does not compress, the same for the same `n`. */
function fillFor(n: number, length: number): string {
  let text = ''
  for (let seed = n + 1; text.length < length; seed = (seed * 48_271) % 2_147_483_647) text += seed.toString(36)
  return text.slice(0, length)
}

/** The numbered commits in the store. Throws if one is incomplete. */
export async function wholeCommits(store: Store): Promise<Set<number>> {
  const rowCounts = new Map<number, number>()
  const count = (n: number): void => void rowCounts.set(n, (rowCounts.get(n) ?? 0) + 1)
  const nOf = (row: unknown): number => (row as { n: number }).n
  for (const one of await all(store)) count(nOf(one.context))
  for (const one of await all(store, OTHER)) count(nOf(one.context))
  for (const { row } of await store.events(TENANT, -1, Number.MAX_SAFE_INTEGER)) count(nOf(row))
  const numbers = Array.from({ length: Math.max(-1, ...rowCounts.keys()) + 1_001 }, (_, n) => n)
  await store.fetch(numbers.flatMap(coldRowsOf))
  for (const n of numbers) {
    if (store.payload(TENANT, CLUSTER, `transaction-${n}`) !== undefined) count(n)
    if (store.transactionOfMessage(CLUSTER, `hash-${n}`) !== undefined) count(n)
    if (store.idempotency(OTHER, CLUSTER, `scope-${n}`) !== undefined) count(n)
  }
  for (const [n, rows] of rowCounts) if (rows !== 6) throw new Error(`commit ${n} is there with ${rows} of 6 rows`)
  const latest = store.meta('latest')
  if (latest !== undefined && !rowCounts.has(latest as number))
    throw new Error(`commit ${latest as number} left only its name`)
  return new Set(rowCounts.keys())
}

const coldRowsOf = (n: number): ColdKey[] => [
  { read: 'payload', tenant: TENANT, cluster: CLUSTER, id: `transaction-${n}` },
  { read: 'message', cluster: CLUSTER, hash: `hash-${n}` },
  { read: 'idempotency', tenant: OTHER, cluster: CLUSTER, scope: `scope-${n}` },
]

export const within = (some: ReadonlySet<number>, others: ReadonlySet<number>): boolean =>
  [...some].every((one) => others.has(one))

export const message = (hash: string, transactionId: string, tenant = TENANT, cluster = CLUSTER): StoreOp => ({
  type: 'message',
  tenant,
  cluster,
  hash,
  transactionId,
})
