// The market of a simulated world: one lender with two vaults, two kinds of collateral with their price feeds, and
// borrowers of every organization. Created through the service.
import { addressBytes, addressOf } from '../../src/solana/address.ts'
import { associatedTokenAddress } from '../../src/solana/derive.ts'
import { createDataSource } from '../../src/operations/market-data/create.ts'
import { initializePosition } from '../../src/operations/positions/initialize.ts'
import { createStrategy } from '../../src/operations/loans/create-strategy.ts'
import { mintTokens } from '../../src/operations/positions/mint.ts'
import type { SimulatedChain } from './chain.ts'
import type { Organization } from './clients.ts'
import type { Recipe, WatchedFeed } from './audits/feed-auditor.ts'
import type { Version } from './audits/loan-judge.ts'
import { PRICE_HOST } from './prices.ts'
import type { Random } from './random.ts'
import type { Terms } from './audits/reckoning.ts'
import { idsOf, lookup, type House, type Ids, type Tenants } from './tenants.ts'

export interface Vault {
  readonly account: Ids
  strategy: string
}

export interface Borrower {
  readonly organization: Organization
  readonly wallet: Ids
}

export type Traded = 'cash' | 'bond' | 'share'

const BORROWER_LAMPORTS = 400_000_000n
/** Little, so that loans compete for it. */
const VAULT_CASH = 150_000n
const BORROWERS_OWN: Readonly<Record<Traded, bigint>> = { cash: 60_000n, bond: 300_000n, share: 300_000n }
const PROGRAMS = { cash: 'SPL', bond: 'TOKEN_2022', share: 'SPL' } as const
/** More principal than any vault ever has, display units. */
const ENOUGH = 1_000_000_000
const NAMES = ['cash', 'bond', 'share'] as const

export class Market {
  readonly lender: House
  readonly chain: SimulatedChain
  readonly #tenants: Tenants
  readonly #random: Random
  readonly vaults: Vault[] = []
  readonly borrowers: Borrower[] = []
  /** Terms of the strategies of the vaults, in the order of their requests. */
  readonly versions: Version[] = []
  readonly #instruments = new Map<Traded, Ids>()
  readonly #feeds = new Map<Traded, WatchedFeed>()

  private constructor(tenants: Tenants, chain: SimulatedChain, random: Random) {
    this.#tenants = tenants
    this.chain = chain
    this.#random = random
    this.lender = tenants.houses.at(-1)!
  }

  static async build(
    tenants: Tenants,
    chain: SimulatedChain,
    random: Random,
    watch: (feed: WatchedFeed) => void,
  ): Promise<Market> {
    const market = new Market(tenants, chain, random)
    await market.#build(watch)
    return market
  }

  get cash(): Ids {
    return this.#instruments.get('cash')!
  }

  get bond(): Ids {
    return this.#instruments.get('bond')!
  }

  get share(): Ids {
    return this.#instruments.get('share')!
  }

  get feeds(): Readonly<Record<Traded, Ids>> {
    const of = (name: Traded): Ids => ({
      onchainId: this.#feeds.get(name)!.address,
      offchainId: this.#feeds.get(name)!.id,
    })
    return { cash: of('cash'), bond: of('bond'), share: of('share') }
  }

  watched(name: Traded): WatchedFeed {
    return this.#feeds.get(name)!
  }

  /** The token account of an owner in a mint of the market. */
  tokenAccount(owner: string, mint: string): string {
    const { owner: program } = this.chain.bank.account(addressBytes(mint))!
    return associatedTokenAddress(owner, mint, addressOf(program))
  }

  balanceOf(owner: string, mint: string): bigint {
    const account = this.chain.bank.account(addressBytes(this.tokenAccount(owner, mint)))
    return account === null || account.data.length < 72 ? 0n : Buffer.from(account.data).readBigUInt64LE(64)
  }

  /** New terms, and the body that requests them. */
  draftTerms(vault: Vault): { readonly version: Version; readonly itemData: object } {
    const random = this.#random
    const number = this.versions.length
    const terms = (instrument: Ids, feed: Ids, apy: number) => {
      const [loanToValueRatio, maxPriceAgeSeconds] = [500_000 + 50_000 * random.below(5), random.pick([60, 180, 600])]
      const liquidationRatio = loanToValueRatio + 50_000 + 50_000 * random.below(3)
      return {
        financialInstrument: at(instrument),
        onchainDataSource: at(feed),
        apy,
        loanToValueRatio,
        liquidationRatio,
        maxPriceAgeSeconds,
      }
    }
    const collateral = [
      terms(this.bond, this.feeds.bond, 20_000_000 + number * 10),
      terms(this.share, this.feeds.share, 60_000_000 - number * 10),
    ]
    const cap = random.chance(0.5) ? null : 10_000 + random.below(100_000)
    const buffer = random.chance(0.3) ? 0 : random.below(500_000)
    const minutes = 5 + random.below(300)
    const enabled = random.chance(0.95)
    const version: Version = {
      vault: vault.account.onchainId,
      terms: new Map(
        collateral.map((each): [string, Terms] => [
          each.financialInstrument.onchainId,
          {
            apy: BigInt(each.apy),
            loanToValue: BigInt(each.loanToValueRatio),
            liquidation: BigInt(each.liquidationRatio),
            maxAgeSeconds: BigInt(each.maxPriceAgeSeconds),
          },
        ]),
      ),
      cap: cap === null ? null : BigInt(cap),
      buffer: BigInt(buffer),
      enabled,
      durationSeconds: BigInt(minutes) * 60n,
      replaced: false,
      refused: false,
    }
    const itemData = {
      collateral,
      duration: { code: 'MINUTES', unit: minutes },
      originationsEnabled: enabled,
      originationCap: cap === null ? null : String(cap / 100),
      liquidityBuffer: buffer,
      borrowers: [...new Set(this.borrowers.map(({ organization }) => organization.name))].map(
        (organizationExternalId) => ({
          organizationExternalId,
          cap: String(ENOUGH),
        }),
      ),
      exemptFromDebitLimits: true,
    }
    return { version, itemData }
  }

  async #build(watch: (feed: WatchedFeed) => void): Promise<void> {
    const { lender } = this
    const { organization } = lender
    for (const name of NAMES) this.#instruments.set(name, await this.#tenants.instrument(lender, PROGRAMS[name]))
    const publisher = await this.#tenants.account(
      organization,
      { offchainReferences: { type: 'TOKEN_MANAGEMENT_AUTHORITY' } },
      0n,
    )
    await Promise.all(NAMES.map((name) => this.#feed(name, publisher, watch)))
    await Promise.all(
      this.#tenants.houses.flatMap((house, index) =>
        Array.from({ length: index === 0 ? 2 : 1 }, () => this.#borrower(house)),
      ),
    )
    for (let i = 0; i < 2; i += 1) await this.#vault()
  }

  async #feed(name: Traded, publisher: Ids, watch: (feed: WatchedFeed) => void): Promise<void> {
    const recipe: Recipe = { paths: [`/${name}`], factor: 1n }
    const { body } = await this.#tenants.ask(this.lender.organization, 'createFeed', createDataSource, {
      itemData: {
        defiProtocol: 'PUBLISHED_FEED',
        onchainDataSource: {},
        financialInstrument: lookup(this.#instruments.get(name)!),
        onchainDataSourceAuthority: lookup(publisher),
        dataDetails: { kind: 'PRICE' },
        oracleProviderDetails: { kind: 'QUOTES', jobDefinition: jobsOf(recipe) },
      },
    })
    const { onchainId, offchainId } = idsOf(body, 'newOnchainDataSource')
    const feed: WatchedFeed = { address: onchainId, id: offchainId, recipes: [recipe], scheduled: name === 'cash' }
    this.#feeds.set(name, feed)
    watch(feed)
  }

  async #borrower({ organization }: House): Promise<void> {
    // The vault belongs to another tenant: by default little may be paid to it.
    const wallet = await this.#tenants.account(
      organization,
      { canPayFees: true, tokenDebitLimits: [] },
      BORROWER_LAMPORTS,
    )
    for (const name of NAMES) {
      const financialInstrument = at(this.#instruments.get(name)!)
      const itemData = { owner: lookup(wallet), financialInstrument }
      const { body } = await this.#tenants.ask(organization, 'initializePosition', initializePosition, { itemData })
      await this.#mint(idsOf(body, 'newPosition'), BORROWERS_OWN[name])
    }
    this.borrowers.push({ organization, wallet })
  }

  async #vault(): Promise<void> {
    const { organization } = this.lender
    const account = await this.#tenants.account(organization, {}, 0n)
    const itemData = { owner: lookup(account), financialInstrument: lookup(this.cash) }
    const { body } = await this.#tenants.ask(organization, 'initializePosition', initializePosition, { itemData })
    await this.#mint(idsOf(body, 'newPosition'), VAULT_CASH)
    const vault: Vault = { account, strategy: '' }
    const { version, itemData: terms } = this.draftTerms(vault)
    this.versions.push(version)
    const creation = await this.#tenants.ask(organization, 'createStrategy', createStrategy, {
      itemData: {
        strategyAccount: lookup(account),
        financialInstrument: lookup(this.cash),
        onchainDataSource: lookup(this.feeds.cash),
        ...terms,
      },
    })
    vault.strategy = idsOf(creation.body, 'newStrategy').offchainId
    this.vaults.push(vault)
  }

  async #mint(position: Ids, amount: bigint): Promise<void> {
    const itemData = { destination: { position: { ...at(position), offPlatform: true } }, lamports: String(amount) }
    await this.#tenants.ask(this.lender.organization, 'mint', mintTokens, { itemData })
  }
}

export function at({ onchainId }: Ids): { readonly onchainId: string } {
  return { onchainId }
}

export function jobsOf({ paths, factor }: Recipe): string {
  const job = (path: string) => ({
    tasks: [
      { httpTask: { url: `${PRICE_HOST}${path}` } },
      { jsonParseTask: { path: '$.price' } },
      ...(factor === 1n ? [] : [{ multiplyTask: { big: String(factor) } }]),
    ],
  })
  return JSON.stringify(paths.length === 1 ? job(paths[0]!) : paths.map(job))
}
