// What borrowers and lenders of a world want: loans made, changed by several at once, repaid in parts and as a whole,
// released, refinanced, liquidated and closed; other terms, other prices; and attempts at what lies in escrow.
import { burnTokens } from '../../src/operations/positions/burn.ts'
import { closeLoan } from '../../src/operations/loans/close.ts'
import { createLoan } from '../../src/operations/loans/create.ts'
import { liquidateLoan } from '../../src/operations/loans/liquidate.ts'
import { refinanceLoan } from '../../src/operations/loans/refinance.ts'
import { repayLoan } from '../../src/operations/loans/repay.ts'
import { swapCollateral } from '../../src/operations/loans/swap-collateral.ts'
import { updateStrategy } from '../../src/operations/loans/update-strategy.ts'
import { mintTokens } from '../../src/operations/positions/mint.ts'
import type { Write } from '../../src/operations/context/platform.ts'
import { refreshDataSource } from '../../src/operations/market-data/refresh.ts'
import { transferTokens } from '../../src/operations/positions/transfer.ts'
import { updateDataSource } from '../../src/operations/market-data/update.ts'
import type { Clients, Organization, Request } from './clients.ts'
import type { LoanAuditor } from './audits/loan-auditor.ts'
import { at, type Borrower, jobsOf, type Market, type Vault } from './market.ts'
import { Random } from './random.ts'
import { type Books, carries, listCollateral, owedInTheEnd, WHOLE } from './audits/reckoning.ts'
import type { Time } from './time.ts'
import { draft, type Ids, idsOf, lookup, memoOf } from './tenants.ts'
import { MAX_LOANS, MAX_OPEN, WEIGHTS } from './lending-weights.ts'

const PROTOCOL = 'ESCROW_VAULT'

interface Lent {
  readonly escrow: Ids
  readonly borrower: Borrower
}

export class Lending {
  readonly #market: Market
  readonly #clients: Clients
  readonly #auditor: LoanAuditor
  readonly #time: Time
  readonly #random: Random
  readonly #loans: Lent[] = []
  /** Vaults whose terms somebody is changing. */
  readonly #changing = new Set<Vault>()
  #open = 0
  #running = false

  constructor(seed: string, market: Market, clients: Clients, auditor: LoanAuditor, time: Time) {
    this.#market = market
    this.#clients = clients
    this.#auditor = auditor
    this.#time = time
    this.#random = new Random(seed, 'lending')
  }

  start(): void {
    this.#running = true
    this.#next()
  }

  stop(): void {
    this.#running = false
  }

  #next(): void {
    if (!this.#running) return
    const together = this.#random.chance(0.1) ? 2 + this.#random.below(3) : 1
    if (this.#open < MAX_OPEN) for (let i = 0; i < together; i += 1) void this[this.#random.weighted(WEIGHTS)]()
    this.#time.plan(this.#random.between(200, 1_500), () => this.#next())
  }

  /** Several want what one vault has. */
  rush(): void {
    const vault = this.#random.pick(this.#market.vaults).account.onchainId
    for (let i = 0; i < 3; i += 1) void this.create(vault)
  }

  async create(vault = this.#random.pick(this.#market.vaults).account.onchainId): Promise<void> {
    if (this.#loans.length >= MAX_LOANS) return
    const borrower = this.#random.pick(this.#market.borrowers)
    const pledging = this.#random.chance(0.3)
      ? [this.#market.bond, this.#market.share]
      : [this.#random.pick([this.#market.bond, this.#market.share])]
    const pledged = pledging.map((instrument) => ({
      instrument,
      amount: this.#part(this.#has(borrower, instrument), 0.4),
    }))
    const most = this.#borrowable(vault, pledged)
    const itemData = {
      defiProtocol: PROTOCOL,
      lendingDetails: { loanStrategyAddress: vault },
      itemsToBorrow: [
        this.#item(
          borrower,
          this.#market.cash,
          this.#random.chance(0.6) ? (most * BigInt(900 + this.#random.below(110))) / 1_000n : this.#part(most, 1),
        ),
      ],
      itemsToPledge: pledged.map(({ instrument, amount }) => this.#item(borrower, instrument, amount)),
      ...(this.#random.chance(0.3) ? { duration: { code: 'MINUTES', unit: 1 + this.#random.below(60) } } : {}),
    }
    const { state, body } = await this.#ask(borrower.organization, 'createLoan', createLoan, itemData)
    if (state === 'answered') this.#loans.push({ escrow: idsOf(body, 'newLoan'), borrower })
  }

  repay(): void {
    this.#onLoan(({ borrower, escrow }, books) => {
      const itemsToRepay = [this.#item(borrower, this.#market.cash, this.#part(books.debt?.lent ?? 0n, 0.9))]
      return this.#change(borrower.organization, 'repayLoan', repayLoan, escrow, { itemsToRepay })
    })
  }

  repayAll(): void {
    this.#onLoan(({ borrower, escrow }, books) => {
      const all = { positionLookup: place(borrower.wallet, this.#market.cash), repayAll: true }
      const itemsToRelease = this.#random.chance(0.5)
        ? listCollateral(books).map(([mint, amount]) => this.#itemOf(borrower, mint, amount))
        : []
      return this.#change(borrower.organization, 'repayLoan', repayLoan, escrow, {
        itemsToRepay: [all],
        itemsToRelease,
      })
    })
  }

  repayAndRelease(): void {
    this.#onLoan(({ borrower, escrow }, books) => {
      const itemsToRepay = [this.#item(borrower, this.#market.cash, this.#part(books.debt?.lent ?? 0n, 0.9))]
      const itemsToRelease = this.#some(borrower, books, 0.5)
      return this.#change(borrower.organization, 'repayLoan', repayLoan, escrow, { itemsToRepay, itemsToRelease })
    })
  }

  release(): void {
    this.#onLoan(({ borrower, escrow }, books) => {
      const edge = this.#random.chance(0.75) ? this.#edge(borrower, books) : []
      const itemsToRelease = edge.length > 0 ? edge : this.#some(borrower, books, this.#random.chance(0.4) ? 1 : 0.4)
      return this.#change(borrower.organization, 'repayLoan', repayLoan, escrow, { itemsToRelease })
    })
  }

  swap(): void {
    this.#onLoan(({ borrower, escrow }, books) => {
      const instrument = this.#random.pick([this.#market.bond, this.#market.share])
      const itemsToDeposit = this.#random.chance(0.8)
        ? [this.#item(borrower, instrument, this.#part(this.#has(borrower, instrument), 0.3))]
        : []
      const itemsToWithdraw =
        itemsToDeposit.length === 0 || this.#random.chance(0.6) ? this.#some(borrower, books, 0.8) : []
      return this.#change(borrower.organization, 'swapCollateral', swapCollateral, escrow, {
        itemsToDeposit,
        itemsToWithdraw,
      })
    })
  }

  renew(): void {
    this.#onLoan((lent, books) => this.#refinance(lent, books.vault))
  }

  refinance(): void {
    this.#onLoan((lent) => this.#refinance(lent, this.#random.pick(this.#market.vaults).account.onchainId))
  }

  #refinance({ borrower, escrow }: Lent, loanStrategyAddress: string): Promise<Request> {
    const duration = this.#random.chance(0.3) ? { duration: { code: 'MINUTES', unit: 1 + this.#random.below(60) } } : {}
    return this.#change(borrower.organization, 'refinanceLoan', refinanceLoan, escrow, {
      lendingDetails: { loanStrategyAddress },
      ...duration,
    })
  }

  /** Mostly where there is something to liquidate. */
  liquidate(): void {
    const [prices] = this.#auditor.prices()
    const at = BigInt(Math.floor(this.#time.wallMs / 1000))
    const bad = this.#loans.filter(({ escrow }) => {
      const books = this.#auditor.booksBy(escrow.onchainId)
      return books !== null && prices !== undefined && !carries(books, at, prices, 'liquidation')
    })
    const loans = bad.length > 0 && this.#random.chance(0.9) ? bad : this.#random.chance(0.2) ? this.#loans : []
    this.#onLoan(
      ({ escrow }) => this.#change(this.#market.lender.organization, 'liquidateLoan', liquidateLoan, escrow, {}),
      loans,
    )
  }

  async close(): Promise<void> {
    const emptied = this.#loans.filter(({ escrow }) => {
      const books = this.#auditor.booksBy(escrow.onchainId)
      return books !== null && listCollateral(books).length === 0
    })
    if (this.#loans.length === 0 || (emptied.length === 0 && this.#random.chance(0.8))) return
    const lent = this.#random.pick(emptied.length === 0 ? this.#loans : emptied)
    const { state, code } = await this.#change(lent.borrower.organization, 'closeLoan', closeLoan, lent.escrow, {})
    if ((state === 'answered' && this.#random.chance(0.8)) || code === 'LOAN_CLOSED') this.#forget(lent)
  }

  /** One at a time for each vault, so that it is known which terms follow which. */
  async otherTerms(): Promise<void> {
    const vault = this.#random.pick(this.#market.vaults)
    if (this.#changing.has(vault)) return
    this.#changing.add(vault)
    const { version, itemData } = this.#market.draftTerms(vault)
    const earlier = this.#market.versions.filter((each) => each.vault === version.vault)
    this.#market.versions.push(version)
    const { organization } = this.#market.lender
    const { state } = await this.#ask(organization, 'updateStrategy', updateStrategy, {
      strategy: { offchainId: vault.strategy },
      ...itemData,
    })
    if (state === 'answered') for (const each of earlier) each.replaced = true
    if (state === 'refused') version.refused = true
    await this.#pause(10_000)
    this.#changing.delete(vault)
  }

  /** New money for a vault. */
  fund(): void {
    void this.#mint(this.#random.pick(this.#market.vaults).account, this.#market.cash, 20_000)
  }

  equip(): void {
    const instrument = this.#random.pick([this.#market.cash, this.#market.bond, this.#market.share])
    void this.#mint(this.#random.pick(this.#market.borrowers).wallet, instrument, 40_000)
  }

  async #mint(owner: Ids, instrument: Ids, most: number): Promise<void> {
    const amount = BigInt(1 + this.#random.below(most))
    const position = this.#market.tokenAccount(owner.onchainId, instrument.onchainId)
    const destination = { position: { onchainId: position, offPlatform: true } }
    const legs = [{ address: position, asset: 'tokens', amount }] as const
    await this.#asking(
      this.#clients.ask((number) => ({
        ...draft(this.#market.lender.organization, 'mint', mintTokens, {
          itemData: { destination, lamports: String(amount), memo: memoOf(number) },
        }),
        legs,
      })),
    )
  }

  /** From one borrower to another: what one can pledge or repay with, others want as well. */
  pass(): void {
    const [from, to] = [this.#random.pick(this.#market.borrowers), this.#random.pick(this.#market.borrowers)]
    const instrument = this.#random.pick([this.#market.cash, this.#market.bond, this.#market.share])
    if (from === to) return
    const amount = this.#part(this.#has(from, instrument), 0.6)
    const [source, destination] = [from, to].map(({ wallet }) => place(wallet, instrument))
    const accounts = [from, to].map(({ wallet }) => this.#market.tokenAccount(wallet.onchainId, instrument.onchainId))
    const legs = [
      { address: accounts[0]!, asset: 'tokens', amount: -amount },
      { address: accounts[1]!, asset: 'tokens', amount },
    ] as const
    void this.#asking(
      this.#clients.ask((number) => ({
        ...draft(from.organization, 'transfer', transferTokens, {
          itemData: { source, destination, lamports: String(amount), memo: memoOf(number) },
        }),
        legs,
      })),
    )
  }

  refresh(): void {
    const feed = this.#market.feeds[this.#random.pick(['bond', 'share'] as const)]
    void this.#ask(this.#market.lender.organization, 'refreshFeed', refreshDataSource, {
      onchainDataSource: lookup(feed),
    })
  }

  redefine(): void {
    const name = this.#random.pick(['bond', 'share'] as const)
    const other = name === 'bond' ? 'share' : 'bond'
    const paths = this.#random.chance(0.5) ? [`/${name}`] : [`/${name}`, `/${name}-${other}`]
    const recipe = { paths, factor: BigInt(1 + this.#random.below(3)) }
    this.#market.watched(name).recipes.push(recipe)
    const oracleProviderDetails = { jobDefinition: jobsOf(recipe) }
    const itemData = { onchainDataSource: lookup(this.#market.feeds[name]), oracleProviderDetails }
    void this.#ask(this.#market.lender.organization, 'updateFeed', updateDataSource, itemData)
  }

  /** What lies in escrow is not the borrower's to move, nor the permanent delegate's. */
  reach(): void {
    this.#onLoan(({ borrower, escrow }) => {
      const instrument = this.#random.pick([this.#market.bond, this.#market.share])
      const forced = instrument === this.#market.bond && this.#random.chance(0.5)
      const organization = this.#random.chance(0.5) ? borrower.organization : this.#market.lender.organization
      const source = place(escrow, instrument)
      const common = { lamports: '1', ...(forced ? { permanentDelegate: true } : {}) }
      if (this.#random.chance(0.3)) return this.#ask(organization, 'reachByBurn', burnTokens, { source, ...common })
      return this.#ask(organization, 'reachByTransfer', transferTokens, {
        source,
        destination: place(borrower.wallet, instrument),
        ...common,
      })
    })
  }

  #onLoan(change: (lent: Lent, books: Books) => Promise<Request>, loans: readonly Lent[] = this.#loans): void {
    const idle = loans.filter(({ escrow }) => this.#auditor.isIdle(escrow.onchainId))
    if (loans.length === 0 || (idle.length === 0 && this.#random.chance(0.7))) return
    const lent = this.#random.pick(idle.length === 0 || this.#random.chance(0.1) ? loans : idle)
    const books = this.#auditor.booksBy(lent.escrow.onchainId)
    // Its creation has not landed: a request for it is refused.
    if (books === null && this.#random.chance(0.9)) return
    void change(lent, books ?? { vault: '', pledged: new Map(), debt: null, closed: false }).then(({ code }) => {
      if (code === 'LOAN_CLOSED') this.#forget(lent)
    })
  }

  #forget(lent: Lent): void {
    const index = this.#loans.indexOf(lent)
    if (index >= 0) this.#loans.splice(index, 1)
  }

  #change(
    organization: Organization,
    kind: string,
    write: Write<never>,
    escrow: Ids,
    members: object,
  ): Promise<Request> {
    return this.#ask(organization, kind, write, { defiProtocol: PROTOCOL, escrow: at(escrow), ...members })
  }

  #ask(organization: Organization, kind: string, write: Write<never>, itemData: object): Promise<Request> {
    const commitmentConfig = { commitmentLevel: this.#random.pick(['processed', 'confirmed', 'finalized'] as const) }
    const waitMs = this.#random.chance(0.5) ? 0 : this.#random.between(0, 20_000)
    return this.#asking(
      this.#clients.ask({
        ...draft(organization, kind, write, { itemData, chainTransactionConfig: { commitmentConfig } }),
        waitMs,
      }),
    )
  }

  async #asking(request: Promise<Request>): Promise<Request> {
    this.#open += 1
    return await request.finally(() => (this.#open -= 1))
  }

  #some(borrower: Borrower, books: Books, most: number): object[] {
    return listCollateral(books).flatMap(([mint, amount]) => {
      const part = most === 1 ? amount : this.#part(amount, most)
      return this.#random.chance(0.7) ? [this.#itemOf(borrower, mint, part)] : []
    })
  }

  /** About as much as the loan can do without: a little less, or a little more. */
  #edge(borrower: Borrower, { debt, pledged }: Books): object[] {
    const [prices] = this.#auditor.prices()
    if (debt === null || prices === undefined) return []
    const at = BigInt(Math.floor(this.#time.wallMs / 1000))
    const worthOf = (mint: string): bigint =>
      (prices.collateral.get(mint)?.units ?? 0n) * (debt.terms.get(mint)?.loanToValue ?? 0n)
    let spare = -owedInTheEnd(debt, at) * prices.cash.units * WHOLE
    for (const [mint, amount] of pledged) spare += amount * worthOf(mint)
    return listCollateral({ pledged })
      .flatMap(([mint, amount]) => {
        const most = spare <= 0n || worthOf(mint) === 0n ? 0n : spare / worthOf(mint)
        const wanted = (most * BigInt(950 + this.#random.below(200))) / 1_000n
        return most === 0n || wanted === 0n || wanted > amount ? [] : [this.#itemOf(borrower, mint, wanted)]
      })
      .slice(0, 1)
  }

  #item({ wallet }: Borrower, instrument: Ids, amount: bigint): object {
    return { positionLookup: place(wallet, instrument), lamports: String(amount) }
  }

  #itemOf(borrower: Borrower, mint: string, amount: bigint): object {
    return this.#item(borrower, mint === this.#market.bond.onchainId ? this.#market.bond : this.#market.share, amount)
  }

  #has({ wallet }: Borrower, instrument: Ids): bigint {
    return this.#market.balanceOf(wallet.onchainId, instrument.onchainId)
  }

  /** About as much as a vault lends on it. */
  #borrowable(vault: string, pledged: readonly { readonly instrument: Ids; readonly amount: bigint }[]): bigint {
    const [prices] = this.#auditor.prices()
    const terms = this.#market.versions.findLast((version) => version.vault === vault)?.terms
    const worth = pledged.reduce((sum, { instrument: { onchainId }, amount }) => {
      return (
        sum + amount * (prices?.collateral.get(onchainId)?.units ?? 0n) * (terms?.get(onchainId)?.loanToValue ?? 0n)
      )
    }, 0n)
    return worth / ((prices?.cash.units ?? 1n) * 1_000_000n) + 1n
  }

  #part(there: bigint, most: number): bigint {
    const amount = (there * BigInt(Math.floor(this.#random.between(0, most) * 1_000_000))) / 1_000_000n
    return amount > 0n ? amount : 1n
  }

  #pause(mostMs: number): Promise<void> {
    return new Promise((resolve) => this.#time.plan(this.#random.between(0, mostMs), resolve))
  }
}

function place(owner: Ids, instrument: Ids): object {
  return { owner: at(owner), financialInstrument: at(instrument) }
}
