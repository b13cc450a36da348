// The whole service without its HTTP front, on a disk that can lose power, with a real embedded chain and remote
// signers that both survive a crash of the service.
import { randomUUID } from 'node:crypto'
import { assemble, type AssembledService } from '../../../src/service/assemble.ts'
import { addressBytes } from '../../../src/solana/address.ts'
import { systemClock } from '../../../src/time/clock.ts'
import { openCluster } from '../../../src/rpc/cluster.ts'
import { Engine } from '../../../src/engine/engine.ts'
import { organizationKey } from '../../../src/engine/index/index-keys.ts'
import { isHolding, ofKind, type RecordState } from '../../../src/engine/records/record.ts'
import type { UnitOfWork } from '../../../src/engine/records/unit-of-work.ts'
import { AccountKeys } from '../../../src/keys/account-keys.ts'
import { KeyRing } from '../../../src/keys/keyring.ts'
import { generateKeypair, type Keypair } from '../../../src/keys/keypair.ts'
import { MasterKey } from '../../../src/keys/master-key.ts'
import { Vault } from '../../../src/keys/vault.ts'
import type { Call, JsonObject } from '../../../src/contract/call.ts'
import type { Keys, Platform, Write } from '../../../src/operations/context/platform.ts'
import { transferNetworkCurrency } from '../../../src/operations/positions/transfer-network-currency.ts'
import type { Book, Holding } from '../../../machines/holding.ts'
import { openStoreOn } from '../../../snapshots/disk-store.ts'
import { QUICK } from '../../submission/linked.ts'
import { eventually, serveChain, type ServedChain } from '../../localnet/rpc-chain.ts'
import { account, organization } from '../../machines/records.ts'
import { simulatedDisk } from '../../snapshots/simulated-disk.ts'
import { Elsewhere } from './elsewhere.ts'
import { atEndOfFile } from '../../cleanup.ts'

export const CLUSTER = 'CHAIN_DEVNET'
export const SOL = 1_000_000_000n

export interface Wallet {
  readonly onchainId: string
  readonly offchainId: string
  readonly pair: Keypair
}

/** A blockhash lives for half a minute, the time that a slow machine needs to sign and send. */
const SLOT_MS = 200
const LIFETIME_BLOCKS = 150
/** More slots than the lifetime of a blockhash. */
const LIFETIME_SLOTS = 160

interface ChainOptions {
  readonly slotMs?: number
  readonly finalitySlots?: number
  readonly faults?: boolean
}

interface StationOptions extends ChainOptions {
  /** Items of each batch of a distribution. */
  readonly batchItems?: number
}

const SILENT = { info: () => undefined, warn: () => undefined, error: () => undefined }

export class Station {
  readonly disk = simulatedDisk()
  readonly elsewhere = new Elsewhere()
  readonly chain: ServedChain
  readonly #vault = new Vault(new MasterKey(Buffer.alloc(32, 7)))
  readonly #batchItems: number | undefined
  #service!: AssembledService

  private constructor(chain: ServedChain, batchItems: number | undefined) {
    this.chain = chain
    this.#batchItems = batchItems
  }

  static open(...tenants: readonly string[]): Promise<Station> {
    return Station.on({}, ...tenants)
  }

  /** On a chain with other bounds, or with faults. */
  static async on({ batchItems, ...options }: StationOptions, ...tenants: readonly string[]): Promise<Station> {
    const station = new Station(await serveChain({ slotMs: SLOT_MS, ...options }), batchItems)
    atEndOfFile(async () => {
      await station.#service.stop()
      await station.chain.close()
    })
    await station.#start()
    for (const externalId of tenants) {
      const input = { organization: { ...organization, externalId, name: externalId, acceptsSigningRequests: true } }
      await station.commit((unit) =>
        unit.create('organization', { tenant: externalId, cluster: '*', id: `organization ${externalId}` }, input),
      )
    }
    return station
  }

  /** The organization of the tenant accepts a fee payer of another tenant. */
  async accept(tenant: string, ...payers: readonly Wallet[]): Promise<void> {
    const entry = this.platform.engine.directory.first(organizationKey(tenant))!
    const before = ofKind(entry.head, 'organization')?.context.acceptedFeePayers ?? []
    const acceptedFeePayers = [...before, ...payers.map(({ onchainId }) => onchainId)]
    await this.commit((unit) =>
      unit.order<'organization'>(entry, { type: 'command.update', changes: { acceptedFeePayers } }),
    )
  }

  /** Power off and on. `underwayLands`: whether pending writes are on disk. */
  async crash(underwayLands = false): Promise<void> {
    const deadService = this.#service
    this.disk.crash(underwayLands)
    // Its pending writes are never answered.
    deadService.stop().catch(() => undefined)
    await this.#start()
  }

  async #start(): Promise<void> {
    const fatal = (error: unknown): never => {
      throw error
    }
    const store = await openStoreOn(this.disk.attach(), { path: 'station', onFatal: fatal })
    const ring = new KeyRing({ vault: this.#vault, read: (tenant, cluster, id) => store.secret(tenant, cluster, id) })
    const local = new AccountKeys(this.#vault, ring)
    const keys: Keys = {
      signerFor: (place) => this.elsewhere.signer(place.address) ?? local.signerFor(place),
      generate: () => local.generate(),
      generateForRecord: () => local.generateForRecord(),
      import: (text) => local.import(text),
      make: (request) => local.make(request),
      inherit: (place) => local.inherit(place),
    }
    const engine = await Engine.open({ store, clock: systemClock })
    const cluster = await openCluster({ id: CLUSTER, endpoints: [this.chain.url], settings: QUICK, clock: systemClock })
    const limits = { maxFeeLamports: 10_000_000n }
    this.#service = await assemble({
      store,
      engine,
      clusters: [cluster],
      keys,
      ring,
      clock: systemClock,
      ids: randomUUID,
      limits,
      distributionBatchItems: this.#batchItems,
      log: SILENT,
    })
  }

  get platform(): Platform {
    return this.#service.platform
  }

  call(tenant: string, more: Partial<Call> = {}): Call {
    const caller = {
      keyId: `key of ${tenant}`,
      organization: tenant,
      tenant,
      system: false,
      roles: new Set<string>(),
      clusters: null,
    }
    return {
      caller,
      organization: tenant,
      tenant,
      cluster: CLUSTER,
      requestId: 'r',
      endpoint: 'POST /api/v1/tested',
      idempotency: null,
      waitMs: 60_000,
      dryRun: false,
      ...more,
    }
  }

  async run<Input>(
    tenant: string,
    write: Write<{ itemData: Input }>,
    itemData: Input,
    more: Partial<Call> = {},
  ): Promise<JsonObject> {
    return (await this.#service.performer.perform(this.call(tenant, more), write, { itemData })).body
  }

  /** Pays from `source`; returns the result of the transaction. */
  async pay(
    tenant: string,
    source: Wallet,
    to: Wallet,
    lamports: number,
    feePayer: Wallet,
    more: Partial<Call> = {},
  ): Promise<JsonObject> {
    const input = {
      itemData: { source: idOf(source), destination: { onchainId: to.onchainId }, lamports: String(lamports) },
      chainTransactionConfig: { feePayer: idOf(feePayer) },
    }
    return (await this.#service.performer.perform(this.call(tenant, more), transferNetworkCurrency, input)).body
  }

  async commit<T>(work: (unit: UnitOfWork) => T): Promise<T> {
    const { result, durable } = this.platform.engine.transact(work)
    await durable
    return result
  }

  /** A funded account of the tenant. The service holds its key, or with `remote` a remote signer. */
  async wallet(tenant: string, more: Partial<Holding> = {}, remote = false, lamports = SOL): Promise<Wallet> {
    const pair = remote ? this.elsewhere.newKey() : generateKeypair()
    if (lamports > 0n) await this.chain.bank.airdrop(addressBytes(pair.address), lamports)
    const id = randomUUID()
    const place = { tenant, cluster: CLUSTER, id }
    await this.commit((unit) => {
      if (!remote)
        unit.also(tenant, {
          type: 'secret',
          ...place,
          row: this.#vault.seal({ ...place, address: pair.address }, pair),
        })
      const references = { ...account.references, organizationExternalId: tenant, accountNumber: null }
      const books = { lamports: { balance: String(lamports), reserved: '0' } }
      const holding = {
        ...account,
        canPayFees: true,
        organization: tenant,
        ...more,
        address: pair.address,
        references,
        ...books,
      }
      unit.create('account', place, { state: 'active', holding })
    })
    return { onchainId: pair.address, offchainId: id, pair }
  }

  record(id: string): RecordState {
    const state = this.platform.engine.directory.byId(id)?.committed
    if (state === undefined) throw new Error(`no record ${id}`)
    return state
  }

  transaction(id: unknown): RecordState<'transaction'> {
    const state = ofKind(this.record(String(id)), 'transaction')
    if (state === undefined) throw new Error(`${String(id)} is no transaction`)
    return state
  }

  get transactions(): RecordState<'transaction'>[] {
    return [...this.platform.engine.directory.entries()].flatMap(({ head }) => ofKind(head, 'transaction') ?? [])
  }

  get countersignatures(): RecordState<'countersignature'>[] {
    return [...this.platform.engine.directory.entries()].flatMap(({ head }) => ofKind(head, 'countersignature') ?? [])
  }

  async until(id: unknown, value: string): Promise<RecordState<'transaction'>> {
    await eventually(() => this.transaction(id).value === value)
    return this.transaction(id)
  }

  /**
   * Until it holds, while the slots pass that a blockhash lives for, and those of the next one; then until the service
   * has a blockhash of the last of these slots, for what it signs afterwards.
   */
  async pastLifetimes(holds: () => boolean): Promise<void> {
    for (let turn = 0; !holds(); turn += 1) {
      if (turn % 50 === 0) await this.chain.bank.advance(LIFETIME_SLOTS)
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
    const height = this.chain.bank.blockHeight('confirmed')
    const cluster = this.platform.clusters.get(CLUSTER)!
    await eventually(() => (cluster.currentBlockhash()?.lastValidBlockHeight ?? 0) >= height + LIFETIME_BLOCKS)
  }

  /** As `until`, for an outcome that is proven by an expired blockhash. */
  async untilOver(id: unknown, value: string): Promise<RecordState<'transaction'>> {
    await this.pastLifetimes(() => this.transaction(id).value === value)
    return this.transaction(id)
  }

  book({ offchainId }: Wallet): Book {
    const state = this.record(offchainId)
    if (!isHolding(state)) throw new Error('no account')
    return state.context.lamports
  }

  onchain({ onchainId }: Wallet): bigint {
    return this.chain.bank.account(addressBytes(onchainId))?.lamports ?? 0n
  }

  /** The books equal the chain, and nothing is reserved. */
  agree(...wallets: readonly Wallet[]): boolean {
    return wallets.every((wallet) => {
      const { balance, reserved } = this.book(wallet)
      return reserved === '0' && balance === String(this.onchain(wallet))
    })
  }
}

function idOf({ onchainId }: Wallet): { onchainId: string } {
  return { onchainId }
}
