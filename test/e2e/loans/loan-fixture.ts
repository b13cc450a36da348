// Prices and time for tests of loans: real feeds publish the prices on chain, and time advances by the clock of the
// service.
import { expect } from 'vitest'
import { systemClock } from '../../../src/time/clock.ts'
import type { Client } from '../client.ts'
import type { Bench } from '../../../src/service/service.ts'
import { startWorld, type World } from '../harness.ts'
import type { Account, Ids, Result } from '../models.ts'

const SOURCES = '/market-data/onchain-data-source'

export interface Feed extends Ids {
  readonly api: Client
}

export class LoanFixture {
  readonly world: World
  readonly #time: { aheadMs: number }

  private constructor(world: World, time: { aheadMs: number }) {
    this.world = world
    this.#time = time
  }

  /**
   * @param changes further `HOLDFAST_*` settings
   * @param opened receives the parts of the service
   */
  static async open(
    changes: Readonly<Record<string, string>> = {},
    opened: NonNullable<Bench['opened']> = () => undefined,
  ): Promise<LoanFixture> {
    const time = { aheadMs: 0 }
    const clock = {
      ...systemClock,
      now: () => systemClock.now() + time.aheadMs,
      elapsed: () => systemClock.elapsed() + time.aheadMs,
    }
    const world = await startWorld(changes, undefined, { clock, opened })
    return new LoanFixture(world, time)
  }

  /** In a world that runs already, in real time. */
  static over(world: World): LoanFixture {
    return new LoanFixture(world, { aheadMs: 0 })
  }

  /** Advances the clock of the service by this number of seconds. */
  pass(seconds: number): void {
    this.#time.aheadMs += seconds * 1000
  }

  /** Unix seconds by the clock of the service. */
  now(): number {
    return Math.floor((Date.now() + this.#time.aheadMs) / 1000)
  }

  /** A PRICE feed of the instrument, published on chain, of the organization of the client. */
  async feed(instrument: Ids, value: string, api: Client = this.world.api): Promise<Feed> {
    const authority = await this.world.records
      .with(api)
      .account({ offchainReferences: { type: 'TOKEN_MANAGEMENT_AUTHORITY' } })
    const { newOnchainDataSource } = await api.ok<{ newOnchainDataSource: Ids }>(201, 'POST', SOURCES, {
      defiProtocol: 'PUBLISHED_FEED',
      onchainDataSource: {},
      financialInstrument: { onchainId: instrument.onchainId },
      onchainDataSourceAuthority: authority,
      dataDetails: { kind: 'PRICE' },
      oracleProviderDetails: { kind: 'QUOTES', jobDefinition: jobOf(value) },
    })
    return { ...newOnchainDataSource, api }
  }

  /** Sets the price that the feed shows on chain from now on. */
  async price({ api, onchainId, offchainId }: Feed, value: string): Promise<void> {
    const onchainDataSource = { onchainId, offchainId }
    await api.ok(200, 'PATCH', SOURCES, { onchainDataSource, oracleProviderDetails: { jobDefinition: jobOf(value) } })
    const refreshed = await api.ok<{ value: string; chainTransaction: Result }>(200, 'PATCH', `${SOURCES}/refresh`, {
      onchainDataSource,
    })
    expect([refreshed.value, refreshed.chainTransaction.success]).toEqual([value, true])
  }
}

function jobOf(value: string): string {
  return JSON.stringify({ tasks: [{ valueTask: { big: value } }] })
}

export interface Plan {
  readonly offchainId: string
  readonly status: string
  readonly steps: number
  readonly confirmed: number
  readonly errorMessage?: string
}

export interface LoanCreation {
  readonly newLoan: Ids
  readonly chainTransaction: Result
  readonly chainTransactions?: readonly Result[]
  readonly chainPlan?: Plan
}

export interface Loan {
  readonly status: string
  readonly lifecycleState: string
  readonly defiProtocol: string
  readonly chainPlan?: Plan
  readonly escrow: Account
  readonly borrower: Account
  readonly lender: Account
  readonly pledgedItems: readonly { readonly pledgedAmount: number | string; readonly accountDetails: Account }[]
  readonly borrowedItems: readonly {
    readonly apy: number
    readonly loanToValueRatio: number
    readonly liquidationRatio: number
    readonly principalDue: number | string
    readonly principalRepaid: number | string
    readonly interestPerSecond: number | string
    readonly interestOutstanding: number | string
    readonly estimatedInterest: number | string
    readonly duration: object
    readonly lastInterestUpdateTime: string
    readonly accountDetails: Account
  }[]
  readonly marketData: readonly {
    readonly financialInstrument: Account
    readonly oracle: Account
    readonly price: number | string | null
    readonly stale: boolean
  }[]
  readonly health: number | null
  readonly currentLoanToValue: number | null
}

export const terms = (financialInstrument: Ids, more: object = {}) => ({
  financialInstrument,
  apy: 100_000,
  loanToValueRatio: 500_000,
  liquidationRatio: 800_000,
  maxPriceAgeSeconds: 3_600,
  ...more,
})
