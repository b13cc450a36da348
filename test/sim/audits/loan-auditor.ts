// The auditor of loans keeps a book of each from what the chain moved: which tokens came into escrow, which left the
// vault, which came back. Of the service it takes which transaction is of which loan, the instant that interest is
// settled to, and which version of the terms it lends on; the rest it reckons itself, and says where the service's
// books are not as they must be.
import type { Engine } from '../../../src/engine/engine.ts'
import type { Change } from '../../../src/engine/records/change.ts'
import { ofKind, type RecordState } from '../../../src/engine/records/record.ts'
import type { LoanChange } from '../../../machines/lending/loan-books.ts'
import type { SimulatedChain } from '../chain.ts'
import { describe, requestOfKey, type Clients, type Request } from '../clients.ts'
import type { FeedAuditor } from './feed-auditor.ts'
import { Flows } from '../flows.ts'
import type { Landing } from '../landings.ts'
import { PROVIDER } from '../lending-hosts.ts'
import { bookText, LoanJudge, vaultOf, type Plan, type Version } from './loan-judge.ts'
import type { Market } from '../market.ts'
import { listCollateral, type Books, type Prices } from './reckoning.ts'

type Loan = RecordState<'loan'>
type Transaction = RecordState<'transaction'>

/** A change that was made; `signature` null: without the chain. */
interface Made {
  readonly id: string
  readonly signature: string | null
  readonly books: Books
  /** What it comes to at prices that may have decided it as well. */
  readonly others: readonly Books[]
}

interface Parties {
  readonly escrow: string
  readonly borrower: string
}

export interface LoanDependencies {
  readonly chain: SimulatedChain
  readonly clients: Clients
  readonly market: Market
  readonly feeds: FeedAuditor
  readonly recordOf: (transactionId: string) => Transaction | undefined
  readonly violated: (kind: string, detail: string) => void
}

/** What was committed a moment ago may have been decided by what was shown before. */
const MOMENT_MS = 5_000
const LONGEST_DOWN_MS = 200_000
const OPEN = new Set(['prepared', 'partiallySigned', 'signed', 'submitted', 'processed'])

export class LoanAuditor {
  readonly #dependencies: LoanDependencies
  readonly #judge: LoanJudge
  /** Says nothing: for what the service could assume while it did not know that a fork was dropped. */
  readonly #mute: LoanJudge
  /** By message hash. */
  readonly #plans = new Map<string, Plan>()
  /**
   * By loan: its changes in the order in which they were made; those of dead forks are taken out when they are looked
   * at.
   */
  readonly #made = new Map<string, Made[]>()
  /** By loan and change: all books that it has led to. */
  readonly #known = new Map<string, Set<string>>()
  /** By transaction: what it moved when it landed. */
  readonly #flows = new Map<string, Flows>()
  /** By loan: what the service had on record last, and before its newest change. */
  readonly #record = new Map<string, { readonly id: string; readonly books: Books; readonly before: Books | null }>()
  readonly #parties = new Map<string, Parties>()
  readonly #escrows = new Set<string>()
  /** Loans of a lending provider, which have an auditor of their own. */
  readonly #provided = new Set<string>()
  /** By request: what it signed. */
  readonly #signed = new Map<Request, Set<string>>()
  /** By escrow and vault: changes without the chain. */
  readonly #renewals = new Map<string, number>()

  constructor(dependencies: LoanDependencies) {
    this.#dependencies = dependencies
    this.#judge = new LoanJudge(dependencies.chain, dependencies.market, dependencies.violated)
    this.#mute = new LoanJudge(dependencies.chain, dependencies.market, () => undefined)
  }

  committed(changes: readonly Change[]): void {
    this.#learn(
      changes.map(({ next }) => next),
      MOMENT_MS,
    )
  }

  /** A process may find on disk what the one before it wrote in the moment it died, and acknowledged to nobody. */
  opened(engine: Engine): void {
    this.#learn(
      [...engine.directory.entries()].map(({ head }) => head),
      LONGEST_DOWN_MS,
    )
  }

  #learn(records: readonly RecordState[], decidedWithinMs: number): void {
    const all = records.flatMap((record) => ofKind(record, 'loan') ?? [])
    for (const { id, context } of all) if (context.protocol === PROVIDER) this.#provided.add(id)
    const loans = all.filter(({ id }) => !this.#provided.has(id))
    for (const { id, context } of loans) {
      this.#parties.set(id, { escrow: context.escrow.address, borrower: context.borrower.address })
      this.#escrows.add(context.escrow.address)
    }
    for (const record of records) {
      const transaction = ofKind(record, 'transaction')
      if (transaction !== undefined) this.#planned(transaction, decidedWithinMs)
    }
    for (const loan of loans) this.#shown(loan)
  }

  #planned({ id, context }: Transaction, decidedWithinMs: number): void {
    const { messageHash, requestedBy, entries } = context.fixed
    if (this.#plans.has(messageHash)) return
    for (const { record, facts } of entries) {
      const change = facts.find(({ event }) => event.type === 'chain.changed')?.event['change'] as
        LoanChange | undefined
      if (change === undefined || this.#provided.has(record)) continue
      const { chain, clients, recordOf, violated } = this.#dependencies
      const request = clients.requests[(requestOfKey(requestedBy) ?? 0) - 1]
      const parties = this.#parties.get(record)
      if (request === undefined || parties === undefined) {
        violated('a loan is changed that nobody asked for', `transaction ${id}`)
        return
      }
      for (const other of this.#plans.values()) {
        if (other.loan !== record || !OPEN.has(recordOf(other.transactionId)?.value ?? '')) continue
        violated(
          'two changes of a loan at once',
          `${describe(other.request)} and ${describe(request)}, escrow ${parties.escrow}`,
        )
      }
      const all = this.#signed.get(request) ?? new Set()
      this.#signed.set(request, all.add(id))
      if (all.size > 1) violated('signed twice for one request', `${describe(request)}: ${[...all].join(', ')}`)
      const [debt] = change.lending?.debts ?? []
      const version = debt === undefined ? null : this.#versionBy(debt.terms, describe(request))
      this.#plans.set(messageHash, {
        transactionId: id,
        loan: record,
        ...parties,
        at: BigInt(change.at),
        request,
        version,
        prices: this.prices(decidedWithinMs),
        forks: chain.forks,
      })
    }
  }

  /** A rate tells the version: no two have the same. What is lent on must be in force. */
  #versionBy(
    terms: readonly { readonly instrument: { readonly address: string }; readonly apy: number }[],
    said: string,
  ): Version | null {
    const { market, violated } = this.#dependencies
    const bond = terms.find(({ instrument }) => instrument.address === market.bond.onchainId)
    const version = market.versions.find(
      (each) => each.terms.get(market.bond.onchainId)?.apy === BigInt(bond?.apy ?? -1),
    )
    if (version === undefined) {
      violated('lent on unknown terms', said)
      return null
    }
    if (version.replaced) violated('lent on terms that had been replaced', said)
    for (const each of market.versions.slice(0, market.versions.indexOf(version)))
      if (each.vault === version.vault) each.replaced = true
    return version
  }

  /** Every way in which the values of the feeds go together now. */
  prices(withinMs = MOMENT_MS): readonly Prices[] {
    const { market, feeds } = this.#dependencies
    const [cash = [], bond = [], share = []] = [market.feeds.cash, market.feeds.bond, market.feeds.share].map(
      ({ onchainId }) => feeds.pricesOf(onchainId, withinMs),
    )
    const collateral = bond.flatMap((one) =>
      share.map(
        (other) =>
          new Map([
            [market.bond.onchainId, one],
            [market.share.onchainId, other],
          ]),
      ),
    )
    return cash.flatMap((price) => collateral.map((each) => ({ cash: price, collateral: each })))
  }

  landed(landing: Landing): void {
    const { violated, chain } = this.#dependencies
    const plan = this.#plans.get(landing.hash)
    const flows = new Flows(landing.transaction)
    if (plan === undefined) {
      const out = flows.list.find(({ owner, amount }) => amount < 0n && this.#escrows.has(owner))
      if (out !== undefined) violated('taken out of escrow', `${landing.signature}: ${out.amount} of ${out.mint}`)
      return
    }
    if (plan.request.state === 'refused')
      violated('refused and landed', `${describe(plan.request)}: ${plan.request.code ?? ''}`)
    const { loan, transactionId } = plan
    this.#made.set(
      loan,
      (this.#made.get(loan) ?? []).filter(({ signature }) => signature !== landing.signature),
    )
    if (landing.error !== null) return
    this.#flows.set(transactionId, flows)
    const before = this.#standing(loan).at(-1)?.books ?? null
    const [books, ...others] = this.#judge.after(
      plan,
      before,
      flows,
      plan.version === null ? 0n : this.#lentOut(plan.version.vault, loan),
    )
    if (books !== undefined) this.#remember(loan, { id: transactionId, signature: landing.signature, books, others })
    // Nothing that was judged on prices is good for ever.
    if (plan.version !== null && chain.forks === 0 && plan.version.refused)
      violated('lent on refused terms', describe(plan.request))
  }

  #standing(loan: string): readonly Made[] {
    return (this.#made.get(loan) ?? []).filter(
      ({ signature }) => signature === null || this.#dependencies.chain.standing.has(signature),
    )
  }

  #remember(loan: string, made: Made): void {
    this.#made.set(loan, [...(this.#made.get(loan) ?? []), made])
    const key = `${loan} ${made.id}`
    this.#known.set(key, (this.#known.get(key) ?? new Set()).add(bookText(made.books)))
  }

  #lentOut(vault: string, but: string): bigint {
    let sum = 0n
    for (const loan of this.#made.keys()) {
      const books = this.#standing(loan).at(-1)?.books
      if (loan !== but && books?.debt != null && books.vault === vault) sum += books.debt.lent - books.debt.repaid
    }
    return sum
  }

  /**
   * What the service has on record of a loan is what some order of its changes that the chain has shown makes of it.
   */
  #shown(loan: Loan): void {
    const { lastChange } = loan.context
    const last = this.#record.get(loan.id)
    if (lastChange === null) {
      this.#record.delete(loan.id)
      return
    }
    const books = booksOf(loan)
    const before = last?.id === lastChange ? last.before : (last?.books ?? null)
    this.#record.set(loan.id, { id: lastChange, books, before })
    const texts = this.#known.get(`${loan.id} ${lastChange}`)
    const text = bookText(books)
    // What landed again after its fork died is reckoned anew, and settled once more at the prices that decided it.
    if (this.#settled(loan.id, lastChange, text) || texts?.has(text) === true) return
    const plan = [...this.#plans.values()].find(({ transactionId }) => transactionId === lastChange)
    if (texts === undefined && plan === undefined && this.#renewed(loan, lastChange)) return
    // What it stands on may be gone with a fork that the service does not know.
    const flows = this.#flows.get(lastChange)
    const computed =
      plan === undefined || flows === undefined || this.#dependencies.chain.forks === 0
        ? []
        : this.#mute.after(plan, before, flows, 0n)
    if (computed.some((each) => bookText(each) === text)) {
      texts?.add(text)
      return
    }
    this.#dependencies.violated(
      'books differ from what the chain moved',
      `loan ${loan.id} after ${lastChange}: ${text}, expected ${[...(texts ?? ['nothing'])].join(' or ')}`,
    )
  }

  /** At which of the prices that may have decided a change it was decided. */
  #settled(loan: string, id: string, text: string): boolean {
    const made = this.#made.get(loan) ?? []
    const index = made.findIndex((each) => each.id === id && each.others.some((books) => bookText(books) === text))
    const madeChange = made[index]
    if (madeChange === undefined || index < made.length - 1) return false
    made[index] = { ...madeChange, books: madeChange.others.find((books) => bookText(books) === text)!, others: [] }
    this.#known.set(`${loan} ${id}`, new Set([text]))
    return true
  }

  /** Without the chain, a loan is refinanced within its vault, once what came before is final. */
  #renewed(loan: Loan, id: string): boolean {
    const { chain, violated } = this.#dependencies
    const last = this.#standing(loan.id).at(-1)
    const [debt] = loan.context.debts
    if (last === undefined || debt === undefined) return false
    const slot = last.signature === null ? 0 : (chain.standing.get(last.signature)?.slot ?? Infinity)
    if (slot > chain.bank.slot('finalized'))
      violated('changed without the chain before it was final', `loan ${loan.id}`)
    const version = this.#versionBy(debt.terms, `loan ${loan.id}`)
    if (version === null) return false
    const at = BigInt(debt.startedAt)
    const books = this.#judge.renewed(last.books, version, at, BigInt(debt.endsAt))
    if (bookText(books) !== bookText(booksOf(loan))) return false
    const key = `${loan.context.escrow.address} ${books.vault}`
    this.#renewals.set(key, (this.#renewals.get(key) ?? 0) + 1)
    this.#remember(loan.id, { id, signature: null, books, others: [] })
    return true
  }

  /** Nothing of it is under way, and nothing can be taken back. */
  isIdle(escrow: string): boolean {
    const { chain, recordOf } = this.#dependencies
    const plans = [...this.#plans.values()].filter((plan) => plan.escrow === escrow)
    return plans.every(({ transactionId }) => {
      const record = recordOf(transactionId)
      const landed = chain.standing.get(record?.context.signature ?? '')
      return landed === undefined ? !OPEN.has(record?.value ?? '') : landed.slot <= chain.bank.slot('finalized')
    })
  }

  /** What stands of a loan by its escrow; null: nothing. */
  booksBy(escrow: string): Books | null {
    const loan = [...this.#parties].find(([, parties]) => parties.escrow === escrow)?.[0]
    return loan === undefined ? null : (this.#standing(loan).at(-1)?.books ?? null)
  }

  /** When everything has ended. */
  checkAtRest(engine: Engine): void {
    const { violated, market, clients } = this.#dependencies
    const openIds = new Set<string>()
    for (const { head } of engine.directory.entries()) {
      const loan = ofKind(head, 'loan')
      if (loan === undefined || this.#provided.has(loan.id)) continue
      openIds.add(loan.id)
      const books = this.#standing(loan.id).at(-1)?.books ?? null
      const text = loan.context.lastChange === null ? 'nothing' : bookText(booksOf(loan))
      const expected = books === null ? 'nothing' : bookText(books)
      if (text !== expected)
        violated('loan differs from the chain at rest', `loan ${loan.id}: ${text}, on chain ${expected}`)
      if (loan.context.open !== null || loan.value === 'pending')
        violated('loan still under way at rest', `loan ${loan.id} is ${loan.value}, ${loan.context.open ?? ''}`)
      for (const mint of [market.bond.onchainId, market.share.onchainId]) {
        const amount = books === null ? 0n : (listCollateral(books).find(([each]) => each === mint)?.[1] ?? 0n)
        const onchain = market.balanceOf(loan.context.escrow.address, mint)
        if (amount !== onchain)
          violated('escrow differs from the books', `loan ${loan.id}: ${amount} of ${mint}, on chain ${onchain}`)
      }
    }
    for (const loan of this.#made.keys()) if (!openIds.has(loan)) violated('loan not there any more', loan)
    for (const [request, ids] of this.#signed) {
      const strange = [...ids].find((id) => request.transactions !== null && !request.transactions.includes(id))
      if (strange !== undefined) violated('signed something else than was answered', `${describe(request)}: ${strange}`)
    }
    for (const [key, count] of this.#renewals) {
      const asked = clients.requests.filter(
        (each) =>
          each.kind === 'refinanceLoan' && each.state !== 'refused' && key === `${escrowOf(each)} ${vaultOf(each)}`,
      )
      if (count > asked.length) violated('refinanced more often than asked for', `${key}: ${count} times`)
    }
  }
}

export function escrowOf({ input }: Request): string {
  return (input as { readonly itemData: { readonly escrow: { readonly onchainId: string } } }).itemData.escrow.onchainId
}

function booksOf({ value, context }: Loan): Books {
  const [debt] = context.debts
  return {
    vault: context.lender.account.address,
    pledged: new Map(context.pledged.map(({ instrument, amount }) => [instrument.address, BigInt(amount)])),
    closed: value === 'closed',
    debt:
      debt === undefined
        ? null
        : {
            terms: new Map(
              debt.terms.map(({ instrument, apy, loanToValueRatio, liquidationRatio, maxPriceAgeSeconds }) => [
                instrument.address,
                {
                  apy: BigInt(apy),
                  loanToValue: BigInt(loanToValueRatio),
                  liquidation: BigInt(liquidationRatio),
                  maxAgeSeconds: BigInt(maxPriceAgeSeconds),
                },
              ]),
            ),
            apy: BigInt(debt.apy),
            lent: BigInt(debt.principalDue),
            repaid: BigInt(debt.principalRepaid),
            interest: BigInt(debt.interest),
            since: BigInt(debt.updatedAt),
            begins: BigInt(debt.startedAt),
            ends: BigInt(debt.endsAt),
          },
  }
}
