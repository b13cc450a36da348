// One run of the service: from the state of the disk, through `assemble`, to the kill. After that none of its timers,
// promises and answers has an effect.
import { sealedRowsOf } from '../../src/keys/sealed-rows.ts'
import { assemble, type AssembledService } from '../../src/service/assemble.ts'
import { openCluster } from '../../src/rpc/cluster.ts'
import type { Clock } from '../../src/time/clock.ts'
import { Engine } from '../../src/engine/engine.ts'
import { AccountKeys } from '../../src/keys/account-keys.ts'
import { KeyRing } from '../../src/keys/keyring.ts'
import { keypairFromSeed } from '../../src/keys/keypair.ts'
import { MasterKey } from '../../src/keys/master-key.ts'
import { Vault } from '../../src/keys/vault.ts'
import { WebhookSecrets } from '../../src/keys/webhook-secret.ts'
import { bootstrap } from '../../src/operations/admin/bootstrap.ts'
import { EVICTED } from '../../src/operations/views/bulk/evicted.ts'
import { OutcomeUnknown, StaleEpoch } from '../../snapshots/errors.ts'
import type { Store } from '../../snapshots/store.ts'
import type { Network } from './network.ts'
import type { Planted } from './planted/planted.ts'
import { HOOK_HOST, type HookHosts } from './sides/hook-side.ts'
import { LENDING_HOST, PROVIDER, type LendingHosts } from './lending-hosts.ts'
import type { PriceHosts } from './prices.ts'
import { Random } from './random.ts'
import { FEEDS, SETTINGS } from './settings.ts'
import type { Tally } from './audits/tally.ts'
import { lifeClock, type Life, type Time } from './time.ts'
import type { Sky } from './faults.ts'

export const CLUSTER = 'CHAIN_DEVNET'
export const ENDPOINTS = ['http://one.rpc', 'http://two.rpc'] as const

const LENDING_PROVIDERS = [
  {
    name: PROVIDER,
    url: `${LENDING_HOST}/orders`,
    operations: ['CREATE', 'SWAP', 'REPAY', 'CLOSE'],
    programs: [],
    bearer: null,
  },
] as const

/** The parts that a world provides to its processes. */
export interface Surroundings {
  readonly seed: string
  readonly time: Time
  /** A durable row of the store. */
  readonly row: (key: string) => string | undefined
  readonly network: Network
  readonly prices: PriceHosts
  readonly hooks: HookHosts
  readonly lending: LendingHosts
  /** Fee payers of parties that use the chain without the service. */
  readonly outsiders: Set<string>
  readonly sky: Sky
  readonly tally: Tally
  /** Planted bugs, to show that the simulator finds them. */
  readonly planted: Planted
  readonly violated: (kind: string, detail: string) => void
  /** A service that starts without recent records cannot tell which clock is wrong. */
  readonly hidesTime: () => boolean
}

const CLOCK_DOUBTED = 'the clock of this machine is wrong'

/** Opens the store of a process. `turn` resolves in a later turn of the event loop. */
export type OpenStore = (ports: {
  readonly process: Process
  readonly random: Random
  readonly onFatal: (error: unknown) => void
  readonly turn: () => Promise<void>
}) => Promise<Store>

export interface ProcessOptions {
  readonly openStore: OpenStore
  /** A failed write, or a failed start: the process ends by itself. */
  readonly died: (reason: string) => void
  /** Of the node in which it runs; absent: its own life and clock. */
  readonly node?: { readonly life: Life; readonly clock: Clock; readonly maySend: () => boolean }
}

export class Process {
  readonly life: Life
  readonly clock: Clock
  /** Null before it has started. */
  service: AssembledService | null = null
  engine: Engine | null = null
  store: Store | null = null
  /** A write has failed: it ends with the turn, and no more reads are possible. */
  hasFailed = false
  /** Its store is closed, and its node continues. */
  isClosed = false
  readonly #around: Surroundings
  readonly #random: Random
  readonly #options: ProcessOptions

  constructor(around: Surroundings, number: number, options: ProcessOptions) {
    this.#around = around
    this.#random = new Random(around.seed, 'process', number)
    this.life = options.node?.life ?? { name: `process ${number}`, alive: true }
    this.clock = options.node?.clock ?? lifeClock(around.time, this.life, new Random(around.seed, 'clock', number))
    this.#options = options
  }

  /** @param opened called with the engine before anything else */
  async start(opened: (engine: Engine) => void): Promise<void> {
    try {
      this.service = await this.#assembled(opened)
    } catch (error) {
      if (this.life.alive) this.#options.died(String(error))
    }
  }

  /** Work of a client, in this process. */
  serve<T>(work: (service: AssembledService) => Promise<T>): Promise<T> {
    if (this.service === null) throw new Error('the process is not up')
    return work(this.service)
  }

  async #assembled(opened: (engine: Engine) => void): Promise<AssembledService> {
    const { network, planted } = this.#around
    const { clock, life } = this
    const { openStore, died, node } = this.#options
    const random = this.#random
    const onFatal = (error: unknown): void => {
      this.hasFailed = true
      // The process ends with the turn.
      clock.soon(() => died(String(error)))
    }
    const turn = (): Promise<void> => new Promise((resolve) => clock.soon(resolve))
    const store = await openStore({ process: this, random, onFatal, turn })
    this.store = store
    const masterKey = new MasterKey(Buffer.alloc(32, 7))
    const vault = new Vault(masterKey)
    const ring = new KeyRing({
      vault,
      read: sealedRowsOf(store),
      now: () => clock.elapsed(),
    })
    const keys = new AccountKeys(vault, ring, { generate: () => keypairFromSeed(random.bytes(32)) })
    const retirement = { keep: 10, keepRetryable: 60, ...EVICTED }
    const engine = await Engine.open({ store, clock, onFatal, awakePerTenant: 50, eviction: retirement })
    this.engine = engine
    opened(engine)
    const ids = (): string => random.uuid()
    await bootstrap(engine, null, { clock, ids })
    const log = {
      info: () => undefined,
      warn: () => undefined,
      // A logged error would require the attention of an operator.
      error: (fields: object, message: string) => {
        if (message.startsWith(CLOCK_DOUBTED) && this.#around.hidesTime()) this.#around.tally.fault('clock doubted')
        else this.#around.violated('logged error', `${message} ${JSON.stringify(fields)}`)
      },
    }
    const cluster = await openCluster({
      id: CLUSTER,
      endpoints: ENDPOINTS,
      settings: node === undefined ? SETTINGS : { ...SETTINGS, lanes: { ...SETTINGS.lanes, maySend: node.maySend } },
      clock,
      openWire: network.openWire(life),
    })
    const limits = { maxFeeLamports: 10_000_000n }
    const parts = {
      store,
      engine,
      clusters: [cluster],
      keys,
      ring,
      clock,
      ids,
      limits,
      log,
      outbound: this.#outbound(),
      lendingProviders: LENDING_PROVIDERS,
      feeds: FEEDS,
      webhookSecrets: new WebhookSecrets(masterKey),
    }
    return await assemble({ ...parts, ...planted({ engine, keys }) })
  }

  #outbound(): NonNullable<Parameters<typeof assemble>[0]['outbound']> {
    const { prices, hooks, lending } = this.#around
    const { life } = this
    const priced = prices.open(life)
    const fetch: typeof priced.fetch = (uri, options) => {
      if (uri.startsWith(LENDING_HOST)) return lending.ask(options, life)
      return uri.startsWith(HOOK_HOST) ? hooks.ask(uri, options, life) : priced.fetch(uri, options)
    }
    return { ...priced, fetch }
  }
}

/** A process that exits on a failed write gets no further answers. */
export function deadAfterFailure(store: Store): Store {
  const commit = store.commit.bind(store)
  store.commit = (parts) =>
    commit(parts).catch((error: unknown) => {
      if (error instanceof OutcomeUnknown || error instanceof StaleEpoch) return new Promise<void>(() => undefined)
      throw error
    })
  return store
}
