// The side of a world that lends: its market, what is wanted of it, and the auditors of its loans and feeds.
import type { Engine } from '../../../src/engine/engine.ts'
import type { Change } from '../../../src/engine/records/change.ts'
import { ofKind, type RecordState } from '../../../src/engine/records/record.ts'
import { dataSourceDetails } from '../../../src/operations/market-data/data-source-details.ts'
import { loanDetails } from '../../../src/operations/loans/details.ts'
import type { SimulatedChain } from '../chain.ts'
import type { Clients } from '../clients.ts'
import { FeedAuditor } from '../audits/feed-auditor.ts'
import { landingOf } from '../landings.ts'
import { PROVIDER } from '../lending-hosts.ts'
import { Lending } from '../lending.ts'
import { checkDetails } from '../audits/loan-details-audit.ts'
import { LoanAuditor } from '../audits/loan-auditor.ts'
import { Market } from '../market.ts'
import type { Surroundings } from '../process.ts'
import { Random } from '../random.ts'
import type { Asking, Side } from './side.ts'
import { FEEDS } from '../settings.ts'
import { lookup, type Tenants } from '../tenants.ts'

const FURTHER_SECONDS = 12_345

export class LendingSide implements Side {
  readonly #around: Surroundings
  readonly #chain: SimulatedChain
  readonly #clients: Clients
  readonly #feeds: FeedAuditor
  readonly #records = new Map<string, RecordState<'transaction'>>()
  #market: Market | null = null
  #loans: LoanAuditor | null = null
  #lending: Lending | null = null

  constructor(around: Surroundings, chain: SimulatedChain, clients: Clients) {
    this.#around = around
    this.#chain = chain
    this.#clients = clients
    this.#feeds = new FeedAuditor(chain, around.prices, () => around.time.elapsedMs, around.violated)
    chain.onLanded((transaction) => {
      const landing = landingOf(transaction)
      this.#feeds.landed(landing)
      this.#loans?.landed(landing)
    })
  }

  async build(tenants: Tenants): Promise<void> {
    const { seed, time, violated } = this.#around
    const market = await Market.build(tenants, this.#chain, new Random(seed, 'market'), (feed) =>
      this.#feeds.watch(feed),
    )
    this.#market = market
    const recordOf = (id: string): RecordState<'transaction'> | undefined => this.#records.get(id)
    this.#loans = new LoanAuditor({
      chain: this.#chain,
      clients: this.#clients,
      market,
      feeds: this.#feeds,
      recordOf,
      violated,
    })
    this.#lending = new Lending(seed, market, this.#clients, this.#loans, time)
  }

  start(): void {
    this.#lending?.start()
  }

  /** Nothing new is wanted, and no price can be had: the schedule publishes nothing any more. */
  stop(): void {
    this.#lending?.stop()
    this.#around.prices.silent = true
  }

  committed(changes: readonly Change[]): void {
    this.#learn(changes.map(({ next }) => next))
    this.#loans?.committed(changes)
  }

  /** A process has read its disk. */
  opened(engine: Engine): void {
    this.#learn([...engine.directory.entries()].map(({ head }) => head))
    this.#loans?.opened(engine)
  }

  #learn(records: readonly RecordState[]): void {
    this.#feeds.shown(records)
    for (const record of records) {
      const transaction = ofKind(record, 'transaction')
      if (transaction !== undefined) this.#records.set(transaction.id, transaction)
    }
  }

  async auditAtRest(engine: Engine, ask: Asking): Promise<void> {
    const { violated } = this.#around
    const [market, loans] = [this.#market, this.#loans]
    if (market === null || loans === null) return
    loans.checkAtRest(engine)
    this.#feeds.checkSchedule(FEEDS.refreshSeconds * 1_000)
    for (const feed of Object.values(market.feeds)) {
      const { latest } = await ask(market.lender.organization, dataSourceDetails, {
        itemData: { onchainDataSource: lookup(feed) },
      })
      this.#feeds.checkDetails(feed.onchainId, latest as { value: string; sequence: number } | null)
    }
    for (const { head } of engine.directory.entries()) {
      const loan = ofKind(head, 'loan')
      if (loan === undefined || loan.context.protocol === PROVIDER) continue
      const books = loans.booksBy(loan.context.escrow.address)
      const until = Math.floor(this.#around.time.wallMs / 1000) + FURTHER_SECONDS
      const computeEstimatedInterestUntil = new Date(until * 1000).toISOString()
      const escrow = { onchainId: loan.context.escrow.address }
      const model = await ask({ tenant: loan.tenant, name: loan.context.organization }, loanDetails, {
        itemData: { escrow, computeEstimatedInterestUntil },
      })
      const fault = checkDetails(model, books, BigInt(until))
      if (fault !== null) violated('details of a loan differ', `loan ${loan.id}: ${fault}`)
    }
  }
}
