// The side of a world that borrows from a lending provider, which builds the transactions: loans are created, changed
// several times concurrently, repaid, released and closed, while the provider is late, refuses and lies.
import { addressBytes, addressOf } from '../../../src/solana/address.ts'
import { associatedTokenAddress } from '../../../src/solana/derive.ts'
import type { Engine } from '../../../src/engine/engine.ts'
import type { Change } from '../../../src/engine/records/change.ts'
import { createDataSource } from '../../../src/operations/market-data/create.ts'
import { initializePosition } from '../../../src/operations/positions/initialize.ts'
import { closeLoan } from '../../../src/operations/loans/close.ts'
import { createLoan } from '../../../src/operations/loans/create.ts'
import { createStrategy } from '../../../src/operations/loans/create-strategy.ts'
import { repayLoan } from '../../../src/operations/loans/repay.ts'
import { swapCollateral } from '../../../src/operations/loans/swap-collateral.ts'
import { mintTokens } from '../../../src/operations/positions/mint.ts'
import type { Write } from '../../../src/operations/context/platform.ts'
import { transferTokens } from '../../../src/operations/positions/transfer.ts'
import type { SimulatedChain } from '../chain.ts'
import type { Clients, Request } from '../clients.ts'
import { landingOf } from '../landings.ts'
import { PROVIDER } from '../lending-hosts.ts'
import { at, type Borrower } from '../market.ts'
import { PacedSide } from './paced-side.ts'
import { PRICE_HOST } from '../prices.ts'
import type { Surroundings } from '../process.ts'
import { ProvidedAudit, type Wanted } from '../audits/provided-audit.ts'
import { draft, idsOf, lookup, type House, type Ids, type Tenants } from '../tenants.ts'

const TERMS = { apy: 30_000_000, loanToValueRatio: 500_000, liquidationRatio: 800_000, maxPriceAgeSeconds: 36_000 }
const LAMPORTS = 400_000_000n
const CASH = 1_000_000n
const BONDS = 300_000n
const ENOUGH = '1000000000'
const MAX_LOANS = 8
const WEIGHTS = { create: 5, repay: 4, repayAll: 4, release: 2, deposit: 3, close: 3, reach: 2 }

interface Lent {
  readonly escrow: Ids
  readonly borrower: Borrower
}

export class ProvidedSide extends PacedSide {
  readonly #chain: SimulatedChain
  readonly #audit: ProvidedAudit
  readonly #borrowers: Borrower[] = []
  readonly #loans: Lent[] = []
  #cash: Ids | null = null
  #bond: Ids | null = null

  constructor(around: Surroundings, chain: SimulatedChain, clients: Clients) {
    super(around, clients, { name: 'provided loans', mostOpen: 5, betweenMs: [1_000, 8_000] })
    this.#chain = chain
    this.#audit = new ProvidedAudit({ chain, clients, hosts: around.lending, violated: around.violated })
    chain.onLanded((transaction) => this.#audit.landed(landingOf(transaction)))
  }

  override async build(tenants: Tenants): Promise<void> {
    await super.build(tenants)
    const house = tenants.houses[0]!
    const { organization } = house
    const [cash, bond] = [await tenants.instrument(house, 'SPL'), await tenants.instrument(house, 'TOKEN_2022')]
    ;[this.#cash, this.#bond] = [cash, bond]
    const publisher = await tenants.account(
      organization,
      { offchainReferences: { type: 'TOKEN_MANAGEMENT_AUTHORITY' } },
      0n,
    )
    const feeds = [await this.#feed(tenants, house, publisher, cash), await this.#feed(tenants, house, publisher, bond)]
    await this.#chain.bank.airdrop(addressBytes(this.around.lending.address), LAMPORTS)
    const pool = await tenants.account(
      organization,
      { managed: false, onchainId: this.around.lending.address, alreadyOnchain: true },
      0n,
    )
    await this.#fill(tenants, house, pool, cash, CASH)
    for (const { organization: other } of tenants.houses) {
      const wallet = await tenants.account(other, { canPayFees: true, tokenDebitLimits: [] }, LAMPORTS)
      for (const instrument of [cash, bond]) await this.#open(tenants, { organization: other, wallet }, instrument)
      await this.#mint(tenants, house, this.#tokenAccount(wallet.onchainId, bond.onchainId), BONDS)
      // Interest must be funded.
      await this.#mint(tenants, house, this.#tokenAccount(wallet.onchainId, cash.onchainId), BONDS)
      this.#borrowers.push({ organization: other, wallet })
    }
    const borrowers = tenants.houses.map((each) => ({ organizationExternalId: each.organization.name, cap: ENOUGH }))
    const itemData = {
      defiProtocol: PROVIDER,
      strategyAccount: lookup(pool),
      financialInstrument: lookup(cash),
      onchainDataSource: lookup(feeds[0]!),
      borrowers,
      originationsEnabled: true,
      exemptFromDebitLimits: true,
      duration: { code: 'MINUTES', unit: 120 },
      collateral: [{ financialInstrument: at(bond), onchainDataSource: at(feeds[1]!), ...TERMS }],
    }
    await tenants.ask(organization, 'createProvidedTerms', createStrategy, { itemData })
    const [apy, loanToValue, liquidation] = [
      BigInt(TERMS.apy),
      BigInt(TERMS.loanToValueRatio),
      BigInt(TERMS.liquidationRatio),
    ]
    const terms = { apy, loanToValue, liquidation, maxAgeSeconds: BigInt(TERMS.maxPriceAgeSeconds) }
    this.#audit.goods = { cash: cash.onchainId, bond: bond.onchainId, terms }
  }

  async #feed(tenants: Tenants, { organization }: House, publisher: Ids, instrument: Ids): Promise<Ids> {
    // Its price is always one, but it queries a host: when the hosts stop, nothing is published any more.
    const tasks = [{ httpTask: { url: `${PRICE_HOST}/steady` } }, { valueTask: { big: '1' } }]
    const oracleProviderDetails = { kind: 'QUOTES', jobDefinition: JSON.stringify({ tasks }) }
    const itemData = {
      defiProtocol: 'PUBLISHED_FEED',
      onchainDataSource: {},
      financialInstrument: lookup(instrument),
      onchainDataSourceAuthority: lookup(publisher),
      dataDetails: { kind: 'PRICE' },
      oracleProviderDetails,
    }
    const { body } = await tenants.ask(organization, 'createFeed', createDataSource, { itemData })
    return idsOf(body, 'newOnchainDataSource')
  }

  async #open(tenants: Tenants, { organization, wallet }: Borrower, instrument: Ids): Promise<void> {
    const itemData = { owner: lookup(wallet), financialInstrument: at(instrument) }
    await tenants.ask(organization, 'initializePosition', initializePosition, { itemData })
  }

  async #fill(tenants: Tenants, house: House, owner: Ids, instrument: Ids, amount: bigint): Promise<void> {
    await this.#open(tenants, { organization: house.organization, wallet: owner }, instrument)
    await this.#mint(tenants, house, this.#tokenAccount(owner.onchainId, instrument.onchainId), amount)
  }

  async #mint(tenants: Tenants, { organization }: House, onchainId: string, amount: bigint): Promise<void> {
    const itemData = { destination: { position: { onchainId, offPlatform: true } }, lamports: String(amount) }
    await tenants.ask(organization, 'mint', mintTokens, { itemData })
  }

  committed(changes: readonly Change[]): void {
    this.#audit.committed(changes, PROVIDER)
  }

  opened(engine: Engine): void {
    this.#audit.learn(
      [...engine.directory.entries()].map(({ head }) => head),
      PROVIDER,
    )
  }

  protected async work(): Promise<void> {
    await this[this.random.weighted(WEIGHTS)]()
  }

  async create(): Promise<void> {
    if (this.#loans.length >= MAX_LOANS) return
    const borrower = this.random.pick(this.#borrowers)
    const bond = this.#part(this.#balance(borrower.wallet.onchainId, this.#bond), 0.3)
    const cash = this.#part(bond, 0.52)
    const itemData = {
      lendingDetails: { loanStrategyAddress: this.around.lending.address },
      itemsToBorrow: [this.#item(borrower, this.#cash, cash)],
      itemsToPledge: [this.#item(borrower, this.#bond, bond)],
    }
    const { state, body } = await this.#ask(borrower, 'createProvided', createLoan, itemData, { bond, cash: -cash })
    if (state === 'answered') this.#loans.push({ escrow: idsOf(body, 'newLoan'), borrower })
  }

  async repay(): Promise<void> {
    const lent = this.#one()
    if (lent === null) return
    const { bond: pledged, debt } = this.#audit.booksBy(lent.escrow.onchainId)
    const cash = this.#part(debt === null ? 0n : debt.lent - debt.repaid, 0.9)
    const out = this.random.chance(0.4) ? this.#part(pledged, 0.5) : 0n
    const itemsToRepay = [this.#item(lent.borrower, this.#cash, cash)]
    await this.#change(
      lent,
      'repayProvided',
      repayLoan,
      { itemsToRepay, ...this.#released(lent, out) },
      { bond: -out, cash },
    )
  }

  async repayAll(): Promise<void> {
    const lent = this.#one()
    if (lent === null) return
    const { bond: pledged } = this.#audit.booksBy(lent.escrow.onchainId)
    const out = this.random.chance(0.6) ? pledged : 0n
    const itemsToRepay = [{ positionLookup: this.#place(lent.borrower.wallet, this.#cash), repayAll: true }]
    await this.#change(
      lent,
      'repayProvided',
      repayLoan,
      { itemsToRepay, ...this.#released(lent, out) },
      { bond: -out, cash: 'all' },
    )
  }

  async release(): Promise<void> {
    const lent = this.#one()
    if (lent === null) return
    const { bond: pledged } = this.#audit.booksBy(lent.escrow.onchainId)
    const out = this.random.chance(0.5) ? pledged : this.#part(pledged, 0.5)
    if (out > 0n)
      await this.#change(lent, 'repayProvided', repayLoan, this.#released(lent, out), { bond: -out, cash: 0n })
  }

  async deposit(): Promise<void> {
    const lent = this.#one()
    if (lent === null) return
    const bond = this.#part(this.#balance(lent.borrower.wallet.onchainId, this.#bond), 0.2)
    const itemsToDeposit = [this.#item(lent.borrower, this.#bond, bond)]
    await this.#change(lent, 'swapProvided', swapCollateral, { itemsToDeposit }, { bond, cash: 0n })
  }

  async close(): Promise<void> {
    const emptied = this.#loans.filter(({ escrow }) => this.#audit.booksBy(escrow.onchainId).bond === 0n)
    if (emptied.length === 0) return
    const lent = this.random.pick(emptied)
    const { state, code } = await this.#change(lent, 'closeProvided', closeLoan, {}, { bond: 0n, cash: 0n })
    if (state === 'answered' || code === 'LOAN_CLOSED') this.#loans.splice(this.#loans.indexOf(lent), 1)
  }

  /** Neither the borrower nor the permanent delegate can move tokens in escrow. */
  async reach(): Promise<void> {
    const lent = this.#one()
    if (lent === null) return
    const organization = this.random.chance(0.5) ? lent.borrower.organization : this.houses[0]!.organization
    const forced = this.random.chance(0.5) ? { permanentDelegate: true } : {}
    const [source, destination] = [this.#place(lent.escrow, this.#bond), this.#place(lent.borrower.wallet, this.#bond)]
    await this.clients.ask(
      draft(organization, 'reachProvided', transferTokens, {
        itemData: { source, destination, lamports: '1', ...forced },
      }),
    )
  }

  #one(): Lent | null {
    return this.#loans.length === 0 ? null : this.random.pick(this.#loans)
  }

  #released({ borrower }: Lent, amount: bigint): object {
    return amount === 0n ? {} : { itemsToRelease: [this.#item(borrower, this.#bond, amount)] }
  }

  #change(
    { borrower, escrow }: Lent,
    kind: string,
    write: Write<never>,
    members: object,
    wanted: Wanted,
  ): Promise<Request> {
    return this.#ask(borrower, kind, write, { escrow: at(escrow), ...members }, wanted)
  }

  /** The auditor knows the intended effect before any of it can land. */
  #ask(
    { organization }: Borrower,
    kind: string,
    write: Write<never>,
    members: object,
    wanted: Wanted,
  ): Promise<Request> {
    const commitmentConfig = { commitmentLevel: this.random.pick(['processed', 'confirmed', 'finalized'] as const) }
    const input = { itemData: { defiProtocol: PROVIDER, ...members }, chainTransactionConfig: { commitmentConfig } }
    const waitMs = this.random.chance(0.5) ? 0 : this.random.between(0, 20_000)
    const request = this.clients.ask({ ...draft(organization, kind, write, input), waitMs })
    const newest = this.clients.requests.at(-1)
    if (newest !== undefined) this.#audit.want(newest, wanted)
    return request
  }

  #item({ wallet }: Borrower, instrument: Ids | null, amount: bigint): object {
    return { positionLookup: this.#place(wallet, instrument), lamports: String(amount) }
  }

  #place(owner: Ids, instrument: Ids | null): object {
    return { owner: at(owner), financialInstrument: at(instrument!) }
  }

  #part(there: bigint, most: number): bigint {
    const amount = (there * BigInt(Math.floor(this.random.between(0, most) * 1_000_000))) / 1_000_000n
    return amount > 0n ? amount : 1n
  }

  #balance(owner: string, instrument: Ids | null): bigint {
    return this.#balanceOf(owner, instrument!.onchainId)
  }

  #balanceOf(owner: string, mint: string): bigint {
    const account = this.#chain.bank.account(addressBytes(this.#tokenAccount(owner, mint)))
    return account === null || account.data.length < 72 ? 0n : Buffer.from(account.data).readBigUInt64LE(64)
  }

  #tokenAccount(owner: string, mint: string): string {
    const { owner: program } = this.#chain.bank.account(addressBytes(mint))!
    return associatedTokenAddress(owner, mint, addressOf(program))
  }

  auditAtRest(engine: Engine): void {
    this.#audit.checkAtRest(engine, (owner, mint) => this.#balanceOf(owner, mint))
  }
}
