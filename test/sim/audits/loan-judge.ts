// Judges one change of a loan by what the chain moved: whether that is what was asked for and what the contract lets
// happen, and what the loan's books are after it.
import type { SimulatedChain } from '../chain.ts'
import { describe, type Request } from '../clients.ts'
import type { Flows } from '../flows.ts'
import type { Market } from '../market.ts'
import {
  afterPayment,
  areFresh,
  carries,
  listCollateral,
  computeDebt,
  computeSeizure,
  withRate,
  type Books,
  type Debt,
  type Prices,
  type Terms,
} from './reckoning.ts'

/** Terms of a strategy as somebody asked for them. */
export interface Version {
  readonly vault: string
  readonly terms: ReadonlyMap<string, Terms>
  readonly cap: bigint | null
  /** Of a million parts of what a vault has and has lent: what stays there. */
  readonly buffer: bigint
  readonly enabled: boolean
  readonly durationSeconds: bigint
  /** A later version is known to be in force. */
  replaced: boolean
  /** It was refused, and never came into force. */
  refused: boolean
}

/** A change of a loan whose transaction was signed. */
export interface Plan {
  readonly transactionId: string
  readonly loan: string
  readonly escrow: string
  readonly borrower: string
  readonly at: bigint
  readonly request: Request
  /** Terms that it lends on; null: it lends nothing. */
  readonly version: Version | null
  /** Every way in which the values of the feeds went together when it was signed. */
  readonly prices: readonly Prices[]
  /** Forks so far when it was signed: a later one may take away what it stands on. */
  readonly forks: number
}

export interface Item {
  readonly mint: string
  readonly lamports: bigint
  readonly all: boolean
}

type Wanted = readonly [owner: string, mint: string, amount: bigint]

export class LoanJudge {
  readonly #chain: SimulatedChain
  readonly #market: Market
  readonly #violated: (kind: string, detail: string) => void

  constructor(chain: SimulatedChain, market: Market, violated: (kind: string, detail: string) => void) {
    this.#chain = chain
    this.#market = market
    this.#violated = violated
  }

  /**
   * The books after it: several where prices of one moment may have decided it, none where no sense can be made of it.
   *
   * @param lentOut what the vault that lends has lent besides
   */
  after(plan: Plan, before: Books | null, flows: Flows, lentOut: bigint): readonly Books[] {
    const { request } = plan
    const owners = new Set([plan.escrow, plan.borrower, ...this.#market.vaults.map(({ account }) => account.onchainId)])
    const stranger = flows.list.find(({ owner }) => !owners.has(owner))
    if (stranger !== undefined) this.#say(plan, "a stranger's tokens moved with a loan", stranger.owner)
    if (request.kind === 'createLoan') return one(this.#created(plan, before, flows, lentOut))
    if (before === null || before.closed) {
      this.#say(plan, 'changed a loan that is not there')
      return []
    }
    switch (request.kind) {
      case 'repayLoan':
      case 'swapCollateral':
        return [this.#moved(plan, before, flows)]
      case 'refinanceLoan':
        return one(this.#refinanced(plan, before, flows, lentOut))
      case 'liquidateLoan':
        return this.#liquidated(plan, before, flows)
      case 'closeLoan':
        return [this.#closed(plan, before, flows)]
      default:
        this.#say(plan, 'loan changed by something else')
        return []
    }
  }

  /** Within one vault nothing moves, and what is owed becomes principal. */
  renewed(before: Books, version: Version, at: bigint, ends: bigint): Books {
    const due = before.debt === null ? 0n : computeDebt(before.debt, at)
    return { ...before, debt: debtOf(version, due, at, ends - at, before.pledged) }
  }

  #created(plan: Plan, before: Books | null, flows: Flows, lentOut: bigint): Books | null {
    const { request, escrow, borrower, at } = plan
    const pledged = new Map(itemsOf(request, 'itemsToPledge').map(({ mint, lamports }) => [mint, lamports]))
    const [{ lamports: lent } = { lamports: 0n }] = itemsOf(request, 'itemsToBorrow')
    const vault = vaultOf(request)
    if (before !== null) this.#say(plan, 'loan made twice')
    const cash = this.#market.cash.onchainId
    this.#expect(plan, flows, [
      ...[...pledged].flatMap(([mint, amount]): Wanted[] => [
        [escrow, mint, amount],
        [borrower, mint, -amount],
      ]),
      [vault, cash, -lent],
      [borrower, cash, lent],
    ])
    const debt = this.#newDebt(plan, vault, lent, pledged)
    if (debt === null) return null
    const books: Books = { vault, pledged, debt, closed: false }
    this.#checkCarried(plan, books, 'lent more than the collateral carries')
    this.#checkVault(plan, vault, lent, flows, lentOut)
    return { ...books, debt: { ...debt, since: at } }
  }

  #newDebt(plan: Plan, vault: string, lent: bigint, pledged: ReadonlyMap<string, bigint>): Debt | null {
    const { version, request, at } = plan
    if (version === null) {
      this.#say(plan, 'lent on unknown terms')
      return null
    }
    if (version.vault !== vault || version.refused || !version.enabled) this.#say(plan, 'lent on terms not in force')
    const duration = inputOf(request)['duration'] as { readonly unit: number } | undefined
    const seconds = duration === undefined ? version.durationSeconds : BigInt(duration.unit) * 60n
    if (seconds > version.durationSeconds) this.#say(plan, 'lent for too long')
    return debtOf(version, lent, at, seconds, pledged)
  }

  /** One loan is at most the cap, and enough stays in the vault of all that it has and has lent. */
  #checkVault(plan: Plan, vault: string, lent: bigint, flows: Flows, lentOut: bigint): void {
    const { cap, buffer } = plan.version!
    if (cap !== null && lent > cap) this.#say(plan, 'cap exceeded', `${lent} of ${cap}`)
    // What the vault had may have gone with a fork.
    if (this.#chain.forks > 0) return
    const rest = flows.after(vault, this.#market.cash.onchainId)
    const all = rest + lentOut + lent
    if (rest * 1_000_000n < all * buffer)
      this.#say(plan, 'buffer exceeded', `${rest} left of ${all}, of which ${buffer} of a million are to stay`)
  }

  #checkCarried(plan: Plan, books: Books, kind: string): void {
    const { at, prices, forks } = plan
    if (this.#chain.forks !== forks) return
    if (!prices.some((each) => carries(books, at, each, 'loanToValue') && areFresh(books, at, each)))
      this.#say(plan, kind, bookText(books))
  }

  #moved(plan: Plan, before: Books, flows: Flows): Books {
    const { request, escrow, borrower, at, forks } = plan
    const cash = this.#market.cash.onchainId
    const due = before.debt === null ? 0n : computeDebt(before.debt, at)
    const asked = itemsOf(request, 'itemsToRepay').reduce((sum, { all, lamports }) => sum + (all ? due : lamports), 0n)
    const inward = itemsOf(request, 'itemsToDeposit')
    const outward = [...itemsOf(request, 'itemsToRelease'), ...itemsOf(request, 'itemsToWithdraw')]
    const undisturbed = this.#chain.forks === forks
    if (undisturbed && asked > due) this.#say(plan, 'paid more than was owed', `${asked} of ${due}`)
    // After a fork it may stand on other books than those it was made on: then it does what it was signed for.
    const paid = undisturbed ? asked : flows.of(before.vault, cash)
    this.#expect(plan, flows, [
      [before.vault, cash, paid],
      [borrower, cash, -paid],
      ...inward.flatMap(({ mint, lamports }): Wanted[] => [
        [escrow, mint, lamports],
        [borrower, mint, -lamports],
      ]),
      ...outward.flatMap(({ mint, lamports }): Wanted[] => [
        [escrow, mint, -lamports],
        [borrower, mint, lamports],
      ]),
    ])
    const pledged = new Map(before.pledged)
    for (const { mint, lamports } of inward) pledged.set(mint, (pledged.get(mint) ?? 0n) + lamports)
    for (const { mint, lamports } of outward) pledged.set(mint, (pledged.get(mint) ?? 0n) - lamports)
    const debt = before.debt === null ? null : withRate(afterPayment(before.debt, paid, at), pledged)
    const books = { ...before, pledged, debt }
    const isRepaid = debt === null || computeDebt(debt, at) === 0n
    if (outward.length > 0 && !isRepaid)
      this.#checkCarried(plan, books, 'collateral left a loan that it does not carry')
    return books
  }

  #refinanced(plan: Plan, before: Books, flows: Flows, lentOut: bigint): Books | null {
    const { request, at, forks } = plan
    const cash = this.#market.cash.onchainId
    const vault = vaultOf(request)
    const undisturbed = this.#chain.forks === forks && before.debt !== null
    const due = undisturbed ? computeDebt(before.debt, at) : flows.of(before.vault, cash)
    this.#expect(plan, flows, [
      [before.vault, cash, due],
      [vault, cash, -due],
    ])
    const debt = this.#newDebt(plan, vault, due, before.pledged)
    if (debt === null) return null
    const books = { ...before, vault, debt }
    this.#checkCarried(plan, books, 'refinanced more than the collateral carries')
    this.#checkVault(plan, vault, due, flows, lentOut)
    return books
  }

  #liquidated(plan: Plan, before: Books, flows: Flows): readonly Books[] {
    const { at, escrow, forks, prices } = plan
    const { debt } = before
    if (debt === null) {
      this.#say(plan, 'liquidated without a debt')
      return []
    }
    const seizedAmounts = listCollateral(before).map(([mint]): [string, bigint] => [mint, -flows.of(escrow, mint)])
    const isSo = (each: Prices): boolean => {
      const expected = computeSeizure(before, at, each).taken
      return seizedAmounts.every(([mint, amount]) => (expected.get(mint) ?? 0n) === amount)
    }
    const matching = prices.filter(isSo)
    const sound = matching.filter((each) => !carries(before, at, each, 'liquidation') && areFresh(before, at, each))
    if (sound.length === 0 && this.#chain.forks === forks) {
      this.#say(
        plan,
        matching.length === 0 ? 'liquidated for another amount' : 'liquidated a loan that stands well',
        bookText(before),
      )
    }
    if (sound.length === 0) return []
    this.#expect(
      plan,
      flows,
      seizedAmounts.flatMap(([mint, amount]): Wanted[] => [
        [escrow, mint, -amount],
        [before.vault, mint, amount],
      ]),
    )
    const pledged = new Map(before.pledged)
    for (const [mint, amount] of seizedAmounts) pledged.set(mint, (pledged.get(mint) ?? 0n) - amount)
    return sound.map((each) => ({
      ...before,
      pledged,
      debt: withRate(afterPayment(debt, computeSeizure(before, at, each).paid, at), pledged),
    }))
  }

  #closed(plan: Plan, before: Books, flows: Flows): Books {
    const { at, forks } = plan
    const { debt } = before
    const isOver = (debt === null || computeDebt(debt, at) === 0n) && listCollateral(before).length === 0
    if (!isOver && this.#chain.forks === forks) this.#say(plan, 'closed with something left', bookText(before))
    this.#expect(plan, flows, [])
    return {
      ...before,
      debt: debt === null ? null : withRate(afterPayment(debt, 0n, at), before.pledged),
      closed: true,
    }
  }

  /** What moved is what was asked for, and nothing beside. */
  #expect(plan: Plan, flows: Flows, expected: readonly Wanted[]): void {
    const sums = new Map<string, bigint>()
    for (const [owner, mint, amount] of expected)
      sums.set(`${owner} ${mint}`, (sums.get(`${owner} ${mint}`) ?? 0n) + amount)
    const actual = new Map(flows.list.map(({ owner, mint, amount }) => [`${owner} ${mint}`, amount]))
    const differing = [...new Set([...sums.keys(), ...actual.keys()])].filter(
      (key) => (sums.get(key) ?? 0n) !== (actual.get(key) ?? 0n),
    )
    if (differing.length === 0) return
    const detail = differing.map((key) => `${key}: ${actual.get(key) ?? 0n}, asked for ${sums.get(key) ?? 0n}`)
    this.#say(plan, 'a loan moved something else than asked for', detail.join('; '))
  }

  #say({ request, escrow, transactionId }: Plan, kind: string, detail = ''): void {
    this.#violated(kind, `${describe(request)}, escrow ${escrow}, transaction ${transactionId}: ${detail}`)
  }
}

function one(books: Books | null): readonly Books[] {
  return books === null ? [] : [books]
}

function debtOf(
  version: Version,
  lent: bigint,
  at: bigint,
  seconds: bigint,
  pledged: ReadonlyMap<string, bigint>,
): Debt {
  return withRate(
    { terms: version.terms, apy: 0n, lent, repaid: 0n, interest: 0n, since: at, begins: at, ends: at + seconds },
    pledged,
  )
}

function inputOf({ input }: Request): Readonly<Record<string, unknown>> {
  return (input as { readonly itemData: Readonly<Record<string, unknown>> }).itemData
}

export function vaultOf(request: Request): string {
  return (inputOf(request)['lendingDetails'] as { readonly loanStrategyAddress: string }).loanStrategyAddress
}

function itemsOf(request: Request, member: string): readonly Item[] {
  interface Given {
    readonly positionLookup: { readonly financialInstrument: { readonly onchainId: string } }
    readonly lamports?: string
    readonly repayAll?: boolean
  }
  return ((inputOf(request)[member] ?? []) as readonly Given[]).map(
    ({ positionLookup, lamports = '0', repayAll = false }) => ({
      mint: positionLookup.financialInstrument.onchainId,
      lamports: BigInt(lamports),
      all: repayAll,
    }),
  )
}

/** The same for the same books. */
export function bookText(books: Books): string {
  const { vault, debt, closed } = books
  const pledged = listCollateral(books)
    .map(([mint, amount]) => `${mint} ${amount}`)
    .toSorted()
  const owing =
    debt === null
      ? []
      : [debt.apy, debt.lent, debt.repaid, debt.interest, debt.since, debt.begins, debt.ends].map(String)
  return JSON.stringify({ vault, pledged, owing, closed })
}
