// One life of the service: from the disk as it was left, through `assemble`, to the moment it is killed. After that
// none of its timers, promises and answers does anything any more.
import { sealedRowsOf } from '../../src/keys/sealed-rows.ts'
import { isShySeed, shy } from '../shy-store.ts'
import { assemble, type Assembled } from '../../src/assemble.ts'
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
import { openStoreOn } from '../../snapshots/disk-store.ts'
import { OutcomeUnknown } from '../../snapshots/errors.ts'
import type { Store } from '../../snapshots/store.ts'
import type { SimulatedDisk } from '../snapshots/simulated-disk.ts'
import { slowDisk } from './disk.ts'
import type { Network } from './network.ts'
import type { Planted } from './planted.ts'
import { HOOK_HOST, type HookHosts } from './hook-side.ts'
import { LENDING_HOST, PROVIDER, type LendingHosts } from './lending-hosts.ts'
import type { PriceHosts } from './prices.ts'
import { Random } from './random.ts'
import { FEEDS, SETTINGS } from './settings.ts'
import type { Tally } from './tally.ts'
import { lifeClock, type Life, type Time } from './time.ts'
import type { Sky } from './weather.ts'

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

/** What a world lends its processes. */
export interface Surroundings {
  readonly seed: string
  readonly time: Time
  readonly disk: SimulatedDisk
  readonly network: Network
  readonly prices: PriceHosts
  readonly hooks: HookHosts
  readonly lending: LendingHosts
  /** Fee payers of those who use the chain without the service. */
  readonly outsiders: Set<string>
  readonly sky: Sky
  readonly tally: Tally
  /** Known bugs to be put in, so that the simulator can be seen to find them. */
  readonly planted: Planted
  readonly violated: (kind: string, detail: string) => void
}

export class Process {
  readonly life: Life
  readonly clock: Clock
  /** Null before it is up. */
  service: Assembled | null = null
  engine: Engine | null = null
  /** A write has failed: it ends with the turn, and nothing can be read any more. */
  hasFailed = false
  readonly #around: Surroundings
  readonly #random: Random
  readonly #died: (reason: string) => void

  /** @param died a failed write, or a start that failed: what ends the process by itself */
  constructor(around: Surroundings, number: number, died: (reason: string) => void) {
    this.#around = around
    this.#random = new Random(around.seed, 'process', number)
    this.life = { name: `process ${number}`, alive: true }
    this.clock = lifeClock(around.time, this.life, new Random(around.seed, 'clock', number))
    this.#died = died
  }

  /** @param opened told of the engine before anything is done with it */
  async start(opened: (engine: Engine) => void): Promise<void> {
    try {
      this.service = await this.#assembled(opened)
    } catch (error) {
      if (this.life.alive) this.#died(String(error))
    }
  }

  async #assembled(opened: (engine: Engine) => void): Promise<Assembled> {
    const { time, disk, network, sky, tally, planted } = this.#around
    const { clock, life } = this
    const random = this.#random
    const onFatal = (error: unknown): void => {
      this.hasFailed = true
      // The process ends with the turn.
      clock.soon(() => this.#died(String(error)))
    }
    const slow = slowDisk(disk, time, life, random, tally, () => (sky.healed ? 0 : sky.climate.diskFails))
    const turn = (): Promise<void> => new Promise((resolve) => clock.soon(resolve))
    const plain = deadAfterFailure(await openStoreOn(slow, { path: 'memory', onFatal, turn }))
    const store = isShySeed(this.#around.seed) ? shy(plain, turn) : plain
    const masterKey = new MasterKey(Buffer.alloc(32, 7))
    const vault = new Vault(masterKey)
    const ring = new KeyRing({
      vault,
      read: sealedRowsOf(store),
      now: () => clock.elapsed(),
    })
    const keys = new AccountKeys(vault, ring, () => keypairFromSeed(random.bytes(32)))
    const retirement = { keep: 10, keepRetryable: 60, ...EVICTED }
    const engine = await Engine.open({ store, clock, onFatal, awakePerTenant: 50, eviction: retirement })
    this.engine = engine
    opened(engine)
    const ids = (): string => random.uuid()
    await bootstrap(engine, null, { clock, ids })
    const log = {
      info: () => undefined,
      warn: () => undefined,
      // An error that is logged is something an operator would have to look at.
      error: (fields: object, message: string) =>
        this.#around.violated('logged error', `${message} ${JSON.stringify(fields)}`),
    }
    const cluster = await openCluster({
      id: CLUSTER,
      endpoints: ENDPOINTS,
      settings: SETTINGS,
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

/** A process that exits on a failed write hears nothing of it any more. */
function deadAfterFailure(store: Store): Store {
  const commit = store.commit.bind(store)
  store.commit = (parts) =>
    commit(parts).catch((error: unknown) => {
      if (error instanceof OutcomeUnknown) return new Promise<void>(() => undefined)
      throw error
    })
  return store
}
