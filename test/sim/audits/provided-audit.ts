// The auditor of provided loans. From the chain: a transaction of a loan moves each thing that its request asked for
// at most once, whole, and nothing else; nothing else takes from escrow or from the provider; the provider's thief
// gets nothing, and nothing that it lied about lands. At rest the books of each loan are those that its standing
// transactions make, and its escrow holds exactly what they say.
import type { Engine } from '../../../src/engine/engine.ts'
import type { Change } from '../../../src/engine/records/change.ts'
import { ofKind, type RecordState } from '../../../src/engine/records/record.ts'
import type { LoanChange } from '../../../machines/lending/loan-books.ts'
import type { SimulatedChain } from '../chain.ts'
import { describe, requestOfKey, type Clients, type Request } from '../clients.ts'
import { Flows } from '../flows.ts'
import type { Landing } from '../landings.ts'
import type { LendingHosts } from '../lending-hosts.ts'
import { afterPayment, computeDebt, withRate, type Debt, type Terms } from './reckoning.ts'

export interface ProvidedDependencies {
  readonly chain: SimulatedChain
  readonly clients: Clients
  readonly hosts: LendingHosts
  readonly violated: (kind: string, detail: string) => void
}

/** What is lent and what is pledged, and on which terms. */
export interface Goods {
  readonly cash: string
  readonly bond: string
  readonly terms: Terms
}

/** Raw units that a request means to move: into escrow, and to the provider. Negative: out of it, lent. */
export interface Wanted {
  readonly bond: bigint
  readonly cash: bigint | 'all'
}

interface Parties {
  readonly escrow: string
  readonly borrower: string
}

/** A transaction of a provided loan as the service has it on record. */
interface Plan extends Parties {
  readonly loan: string
  readonly request: Request
  readonly at: bigint
}

interface Made {
  readonly signature: string
  readonly plan: Plan
  readonly bond: bigint
  readonly cash: bigint
}

interface Books {
  readonly bond: bigint
  readonly debt: Debt | null
}

type Loan = RecordState<'loan'>

const NAMED = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g

export class ProvidedAudit {
  readonly #dependencies: ProvidedDependencies
  readonly #wanted = new Map<Request, Wanted>()
  readonly #loans = new Map<string, Parties>()
  readonly #plans = new Map<string, Plan>()
  /** By loan, in the order in which they landed; those of dead forks are taken out when they are looked at. */
  readonly #made = new Map<string, Made[]>()
  goods: Goods | null = null

  constructor(dependencies: ProvidedDependencies) {
    this.#dependencies = dependencies
  }

  want(request: Request, wanted: Wanted): void {
    this.#wanted.set(request, wanted)
  }

  learn(records: readonly RecordState[], protocol: string): void {
    for (const record of records) {
      const loan = ofKind(record, 'loan')
      if (loan?.context.protocol !== protocol) continue
      this.#loans.set(loan.id, { escrow: loan.context.escrow.address, borrower: loan.context.borrower.address })
    }
    for (const record of records) {
      const transaction = ofKind(record, 'transaction')
      if (transaction !== undefined) this.#planned(transaction)
    }
  }

  committed(changes: readonly Change[], protocol: string): void {
    this.learn(
      changes.map(({ next }) => next),
      protocol,
    )
  }

  #planned({ context }: RecordState<'transaction'>): void {
    const { messageHash, entries, requestedBy } = context.fixed
    if (this.#plans.has(messageHash)) return
    for (const { record, facts } of entries) {
      const parties = this.#loans.get(record)
      const change = facts.find(({ event }) => event.type === 'chain.changed')?.event['change'] as
        LoanChange | undefined
      const request = this.#dependencies.clients.requests[(requestOfKey(requestedBy) ?? 0) - 1]
      if (parties === undefined || change === undefined || request === undefined) continue
      this.#plans.set(messageHash, { ...parties, loan: record, request, at: BigInt(change.at) })
    }
  }

  landed(landing: Landing): void {
    const { chain, hosts, violated } = this.#dependencies
    if (this.goods === null || landing.error !== null) return
    const flows = new Flows(landing.transaction)
    const thief = hosts.thief.publicKey.toBase58()
    if (landing.lamports.has(thief) || flows.list.some(({ owner }) => owner === thief))
      violated('a provider took what is not its own', landing.signature)
    const ids = Buffer.from(landing.transaction.bytes).toString('latin1').match(NAMED) ?? []
    if (ids.some((id) => hosts.lied.has(id))) violated('what a provider lied about was signed', landing.signature)
    const plan = this.#plans.get(landing.hash)
    if (plan === undefined) {
      const escrows = new Set([...this.#loans.values()].map(({ escrow }) => escrow))
      const out = flows.list.find(({ owner, amount }) => amount < 0n && (escrows.has(owner) || owner === hosts.address))
      if (out !== undefined)
        violated('taken out of a provided loan', `${landing.signature}: ${out.amount} of ${out.mint} of ${out.owner}`)
      return
    }
    const all = (this.#made.get(plan.loan) ?? []).filter(({ signature }) => signature !== landing.signature)
    this.#made.set(plan.loan, all)
    const landed = all.filter(({ signature }) => chain.standing.has(signature))
    const change = this.#judged(plan, landing, flows, landed)
    if (change !== null) all.push(change)
  }

  #judged(plan: Plan, { signature }: Landing, flows: Flows, standing: readonly Made[]): Made | null {
    const { cash, bond } = this.goods!
    const { hosts, chain, violated } = this.#dependencies
    const description = `${describe(plan.request)}, escrow ${plan.escrow}, in ${signature}`
    const expected = this.#wanted.get(plan.request)
    if (expected === undefined) {
      violated('a provided loan is changed that nobody asked for', description)
      return null
    }
    const moved = { bond: flows.of(plan.escrow, bond), cash: flows.of(hosts.address, cash) }
    const due = expected.cash === 'all' ? this.#due(standing, plan.at) : expected.cash
    // After a fork it may stand on other books than those it was made on: then it does what it was signed for.
    const isOther = moved.cash !== 0n && moved.cash !== due && (expected.cash !== 'all' || chain.forks === 0)
    if (isOther || (moved.bond !== 0n && moved.bond !== expected.bond))
      violated(
        'a provided loan moved something else than asked for',
        `${description}: ${moved.bond} of ${expected.bond}, ${moved.cash} of ${due}`,
      )
    const mirrored: readonly (readonly [string, string, bigint])[] = [
      [plan.borrower, bond, -moved.bond],
      [plan.borrower, cash, -moved.cash],
      [plan.escrow, cash, 0n],
      [hosts.address, bond, 0n],
    ]
    for (const [owner, mint, amount] of mirrored) {
      if (flows.of(owner, mint) !== amount)
        violated(
          'a provided loan moved something else than asked for',
          `${description}: ${flows.of(owner, mint)} of ${owner}`,
        )
    }
    const owners = new Set([plan.escrow, plan.borrower, hosts.address])
    const stranger = flows.list.find(({ owner, mint }) => !owners.has(owner) || (mint !== bond && mint !== cash))
    if (stranger !== undefined)
      violated("a stranger's tokens moved with a provided loan", `${description}: ${stranger.owner}`)
    const before = standing.filter((each) => each.plan.request === plan.request)
    const isTwice = before.some(
      (each) => (each.bond !== 0n && moved.bond !== 0n) || (each.cash !== 0n && moved.cash !== 0n),
    )
    if (isTwice) violated('a provided loan moved twice for one request', description)
    return { signature, plan, ...moved }
  }

  #due(standing: readonly Made[], at: bigint): bigint {
    const { debt } = this.#booksAfter(standing)
    return debt === null ? 0n : computeDebt(debt, at)
  }

  #booksAfter(made: readonly Made[]): Books {
    const { bond, terms } = this.goods!
    let books: Books = { bond: 0n, debt: null }
    for (const { plan, ...moved } of made) {
      const pledged = new Map([[bond, books.bond + moved.bond]])
      const fresh = {
        terms: new Map([[bond, terms]]),
        apy: 0n,
        lent: -moved.cash,
        repaid: 0n,
        interest: 0n,
        since: plan.at,
        begins: plan.at,
        ends: 0n,
      }
      const debt = moved.cash < 0n ? fresh : books.debt === null ? null : afterPayment(books.debt, moved.cash, plan.at)
      books = { bond: books.bond + moved.bond, debt: debt === null ? null : withRate(debt, pledged) }
    }
    return books
  }

  /** What stands of a loan by its escrow. */
  booksBy(escrow: string): Books {
    const loan = [...this.#loans].find(([, parties]) => parties.escrow === escrow)?.[0]
    return this.#booksAfter(
      (this.#made.get(loan ?? '') ?? []).filter(({ signature }) => this.#dependencies.chain.standing.has(signature)),
    )
  }

  checkAtRest(engine: Engine, balanceOf: (owner: string, mint: string) => bigint): void {
    const { violated } = this.#dependencies
    if (this.goods === null) return
    for (const id of this.#loans.keys()) {
      const loan = ofKind(engine.directory.resident(id)?.head, 'loan')
      if (loan === undefined) continue
      const { context, value } = loan
      const books = this.booksBy(context.escrow.address)
      const onChain = balanceOf(context.escrow.address, this.goods.bond)
      if (onChain !== books.bond)
        violated('a provided escrow differs from what was moved', `loan ${id}: ${books.bond}, on chain ${onChain}`)
      if (textOf(loan) !== textFrom(books))
        violated(
          'books of a provided loan differ from the chain',
          `loan ${id} (${value}): ${textOf(loan)}, on chain ${textFrom(books)}`,
        )
      if (context.open !== null || value === 'pending')
        violated('provided loan still under way at rest', `loan ${id} is ${value}, ${context.open ?? ''}`)
    }
  }
}

function textFrom({ bond, debt }: Books): string {
  return [bond, ...(debt === null ? [] : [debt.lent, debt.repaid, debt.interest, debt.since])].join()
}

function textOf({ context }: Loan): string {
  const bond = context.pledged.reduce((sum, { amount }) => sum + BigInt(amount), 0n)
  const [debt] = context.debts
  return [
    bond,
    ...(debt === undefined ? [] : [debt.principalDue, debt.principalRepaid, debt.interest, debt.updatedAt]),
  ].join()
}
