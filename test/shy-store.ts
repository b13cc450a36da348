// A store that has no cold row at hand, beside other cells that have nothing: each row, and each name, is denied the
// first time it is asked for, and again after every commit that became durable since it was fetched. A view fixes its
// moment some turns after it was opened. A reader that is not ready to repeat fails over it.
import { setImmediate as nextTurn } from 'node:timers/promises'
import { NotAtHand, type ColdKey } from '../snapshots/not-at-hand.ts'
import type { Envelope, Names, Store, StoreView } from '../snapshots/store.ts'

let bold = false

/** Runs synchronous work of a test for which everything is at hand. */
export function boldly<T>(work: () => T): T {
  const before = bold
  bold = true
  try {
    return work()
  } finally {
    bold = before
  }
}

/** True while work runs for which everything is at hand. */
export const isBold = (): boolean => bold

const NOTHING: readonly Envelope[] = []

const nameOf = (key: ColdKey): string => Object.values(key).join('\u0000')

/** @param turn resolves in a later turn of the event loop; replaced by simulations */
export function shy<S extends Store>(store: S, turn: () => Promise<unknown> = nextTurn): S {
  /** By name: what was fetched since the last commit. */
  const fetched = new Set<string>()
  const read = <T>(key: ColdKey, answer: () => T): T => {
    if (!bold && !fetched.has(nameOf(key))) throw new NotAtHand([key])
    return answer()
  }
  const keepsNames = store.names !== undefined
  const names: Names = {
    missing: () => store.names?.missing() ?? Promise.resolve([]),
    complete: (tenants) => store.names?.complete(tenants) ?? Promise.resolve(),
    hasNeighbours: () => true,
    of: (name) => read({ read: 'name', name }, () => store.names?.of(name) ?? NOTHING),
    under: (beginning) => store.names?.under(beginning) ?? Promise.resolve(NOTHING),
    listed: (beginning, limit) => store.names?.listed(beginning, limit) ?? Promise.resolve({ names: [], count: 0 }),
    claim: (name, shownBy) => read({ read: 'claim', name }, () => store.names?.claim(name, shownBy)),
  }
  const overrides: Partial<Store> = {
    names,
    async commit(parts) {
      await store.commit(
        parts.map((part) => ({ ...part, ops: part.ops.filter(({ type }) => keepsNames || type !== 'name') })),
      )
      fetched.clear()
    },
    async fetch(keys, keptMs) {
      await turn()
      await store.fetch(keys, keptMs)
      for (const key of keys) fetched.add(nameOf(key))
    },
    idempotency: (tenant, cluster, scope) =>
      read({ read: 'idempotency', tenant, cluster, scope }, () => store.idempotency(tenant, cluster, scope)),
    transactionOfMessage: (cluster, hash) =>
      read({ read: 'message', cluster, hash }, () => store.transactionOfMessage(cluster, hash)),
    payload: (tenant, cluster, id) =>
      read({ read: 'payload', tenant, cluster, id }, () => store.payload(tenant, cluster, id)),
    secret: (tenant, cluster, id) =>
      read({ read: 'secret', tenant, cluster, id }, () => store.secret(tenant, cluster, id)),
    file: (tenant, cluster, id) => read({ read: 'file', tenant, cluster, id }, () => store.file(tenant, cluster, id)),
    old: (id) => read({ read: 'old', id }, () => store.old(id)),
    alias: (cluster, name) => read({ read: 'alias', cluster, name }, () => store.alias(cluster, name)),
    view: () => lateView(store, turn),
  }
  return new Proxy(store, {
    get(target, name) {
      const value = (overrides as Record<PropertyKey, unknown>)[name] ?? Reflect.get(target, name, target)
      return typeof value === 'function' ? (value.bind(target) as unknown) : value
    },
  })
}

function lateView(store: Store, turn: () => Promise<unknown>): StoreView {
  let openView: Promise<StoreView> | undefined
  const view = (): Promise<StoreView> => (openView ??= turn().then(() => store.view()))
  return {
    old: async (id) => await (await view()).old(id),
    meta: async (name) => await (await view()).meta(name),
    metas: async (prefix) => await (await view()).metas(prefix),
    async *listed(list, fromMs, toMs) {
      yield* (await view()).listed(list, fromMs, toMs)
    },
    async *everything() {
      yield* (await view()).everything()
    },
    async close() {
      await (await openView)?.close()
    },
  }
}

/** Test files whose services run on a shy store unless SHY_STORE says otherwise: 1, all that can; 0, none. */
const SHY_FILES =
  /\/(?:transfers|idempotency|transactions|signed-bytes|remote-signers|countersigning|batches|batch-approvals|distributions|schedules|payment-requests|pending-changes|screening|webhooks|statements|explain|logos|nonces|nonce-signing|concurrency|loans-(?:life|provided|liquidation|forked))\.test\.ts$/

/** Wraps the methods of the store itself to count them. */
const NEVER_SHY = /\/equal-work\.test\.ts$/

export function isShy(testPath = ''): boolean {
  return !NEVER_SHY.test(testPath) && (readSetting() ?? SHY_FILES.test(testPath))
}

/** Half of the simulated worlds run on a shy store. */
export function isShySeed(seed: string): boolean {
  return readSetting() ?? Buffer.from(seed).reduce((sum, code) => sum + code, 0) % 2 === 0
}

/** null: by file or seed. */
function readSetting(): boolean | null {
  const setting = process.env['SHY_STORE']
  return setting === undefined ? null : setting !== '0'
}
