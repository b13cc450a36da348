// Lenders, borrowers, instruments and prices to try loans with. Prices stand in real records of data sources; time is the harness's.
import { generateKeypair } from '../../src/keys/keypair.ts'
import { systemClock } from '../../src/chain/clock.ts'
import type { Assembled } from '../../src/assemble.ts'
import type { Entry } from '../../src/engine/entry.ts'
import { dataSource } from '../machines/records.ts'
import { startWorld, type World } from './harness.ts'
import type { Ids } from './models.ts'

export const CLUSTER = 'CHAIN_DEVNET'

export interface Feed extends Ids {
  readonly entry: Entry
}

export class LoanYard {
  readonly world: World
  readonly inside: Assembled
  readonly #time: { aheadMs: number }

  private constructor(world: World, inside: Assembled, time: { aheadMs: number }) {
    this.world = world
    this.inside = inside
    this.#time = time
  }

  static async open(): Promise<LoanYard> {
    const time = { aheadMs: 0 }
    let inside: Assembled | undefined
    const clock = { ...systemClock, now: () => systemClock.now() + time.aheadMs }
    const world = await startWorld({}, undefined, { clock, opened: (assembled) => void (inside = assembled) })
    return new LoanYard(world, inside!, time)
  }

  /** Lets so many seconds pass. */
  pass(seconds: number): void {
    this.#time.aheadMs += seconds * 1000
  }

  /** Unix seconds by the service's clock. */
  now(): number {
    return Math.floor((Date.now() + this.#time.aheadMs) / 1000)
  }

  /** A PRICE feed of the instrument, of an organization; without a value yet. */
  async feed(instrument: Ids, organization = 'SYSTEM', tenant = organization): Promise<Feed> {
    const { address } = generateKeypair()
    const id = crypto.randomUUID()
    const { result: entry, durable } = this.inside.platform.engine.transact((unit) =>
      unit.create('dataSource', { tenant, cluster: CLUSTER, id }, {
        state: 'active',
        holding: {
          ...dataSource,
          address,
          organization,
          managed: false,
          keyOrigin: 'none',
          keyLocation: [],
          canPayFees: false,
          references: { ...dataSource.references, organizationExternalId: organization, accountNumber: null, code: null, type: 'ASSET_TOKEN' },
          financialInstrument: { address: instrument.onchainId, id: instrument.offchainId },
          dataKind: 'PRICE',
          latest: null,
          landedSlot: null,
        },
      }),
    )
    await durable
    return { onchainId: address, offchainId: id, entry }
  }

  #sequence = 0

  /** What the chain shows of the feed from now on. */
  async price(feed: Feed, value: string, ageSeconds = 0): Promise<void> {
    this.#sequence += 1
    const latest = { value, asOf: this.now() - ageSeconds, slot: this.#sequence, sequence: this.#sequence }
    const { durable } = this.inside.platform.engine.transact((unit) =>
      unit.tell<'dataSource'>(feed.entry, { type: 'chain.feedRead', latest, authority: dataSource.authority, slot: this.#sequence }),
    )
    await durable
  }
}
