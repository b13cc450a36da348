// A model of loans by the contract: interest, debt, health and seizure, computed in integers. It shares no code with
// the service, with which it is compared.

/** Rates and ratios are in hundredths of a basis point. */
export const WHOLE = 1_000_000n
/** A year has 365 days. */
const SECONDS = 365n * 86_400n
/** One raw unit of interest, in the fraction in which interest is stored. */
export const UNIT = WHOLE * SECONDS

export interface Terms {
  readonly apy: bigint
  readonly loanToValue: bigint
  readonly liquidation: bigint
  readonly maxAgeSeconds: bigint
}

export interface Debt {
  /** By mint. */
  readonly terms: ReadonlyMap<string, Terms>
  readonly apy: bigint
  /** Raw units of principal. */
  readonly lent: bigint
  readonly repaid: bigint
  /** Over UNIT. */
  readonly interest: bigint
  readonly since: bigint
  readonly begins: bigint
  readonly ends: bigint
}

/** A price of one displayed unit, over `PRICE_UNIT`, and the time of its query. */
export interface Price {
  readonly units: bigint
  readonly asOf: bigint
}

export interface Books {
  readonly vault: string
  /** Raw units by mint, in the order of their first deposit. */
  readonly pledged: ReadonlyMap<string, bigint>
  readonly debt: Debt | null
  readonly closed: boolean
}

/** The collateral with an amount. */
export function listCollateral({ pledged }: Pick<Books, 'pledged'>): (readonly [mint: string, amount: bigint])[] {
  return [...pledged].filter(([, amount]) => amount !== 0n)
}

export function interestOf({ lent, repaid, apy, interest, since }: Debt, at: bigint): bigint {
  const seconds = at > since ? at - since : 0n
  return interest + (lent - repaid) * apy * seconds
}

function up(numerator: bigint, denominator: bigint): bigint {
  const floor = numerator / denominator
  return floor * denominator < numerator ? floor + 1n : floor
}

export function computeDebt(debt: Debt, at: bigint): bigint {
  return debt.lent - debt.repaid + up(interestOf(debt, at), UNIT)
}

/** With the interest of the whole term, or up to now if that is longer. */
export function owedInTheEnd(debt: Debt, at: bigint): bigint {
  return computeDebt(debt, at > debt.ends ? at : debt.ends)
}

/** Interest first; a payment of a started unit pays the whole unit. */
export function afterPayment(debt: Debt, amount: bigint, at: bigint): Debt {
  const all = interestOf(debt, at)
  const chargedInterest = up(all, UNIT)
  const toInterest = amount < chargedInterest ? amount : chargedInterest
  const interest = all - toInterest * UNIT
  return {
    ...debt,
    interest: interest < 0n ? 0n : interest,
    repaid: debt.repaid + amount - toInterest,
    since: at > debt.since ? at : debt.since,
  }
}

/** The highest rate of the pledged collateral; unchanged if nothing is pledged. */
export function withRate(debt: Debt, pledged: ReadonlyMap<string, bigint>): Debt {
  const rates = listCollateral({ pledged }).flatMap(([mint]) => debt.terms.get(mint)?.apy ?? [])
  return listCollateral({ pledged }).length === 0
    ? debt
    : { ...debt, apy: rates.reduce((most, rate) => (rate > most ? rate : most), 0n) }
}

export interface Prices {
  readonly cash: Price
  readonly collateral: ReadonlyMap<string, Price>
}

/**
 * Whether what is owed is at most that part of what the collateral is worth. All instruments have the same decimals.
 */
export function carries(books: Books, at: bigint, prices: Prices, which: 'loanToValue' | 'liquidation'): boolean {
  const { debt } = books
  if (debt === null || computeDebt(debt, at) === 0n) return true
  const owing = owedInTheEnd(debt, at) * prices.cash.units * WHOLE
  let worth = 0n
  for (const [mint, amount] of listCollateral(books))
    worth += amount * (prices.collateral.get(mint)?.units ?? 0n) * (debt.terms.get(mint)?.[which] ?? 0n)
  return owing <= worth
}

/** Every price that decides is at most as old as the terms allow. */
export function areFresh(books: Books, at: bigint, { cash, collateral }: Prices): boolean {
  const { debt } = books
  if (debt === null) return true
  const mints = listCollateral(books).map(([mint]) => mint)
  const ages = mints.flatMap((mint) => debt.terms.get(mint)?.maxAgeSeconds ?? [])
  const strictest = (
    ages.length === 0 ? [...debt.terms.values()].map(({ maxAgeSeconds }) => maxAgeSeconds) : ages
  ).reduce((a, b) => (a < b ? a : b))
  const fresh = (price: Price | undefined, most: bigint): boolean => price !== undefined && at - price.asOf <= most
  return (
    fresh(cash, strictest) &&
    mints.every((mint) => fresh(collateral.get(mint), debt.terms.get(mint)?.maxAgeSeconds ?? 0n))
  )
}

/** The least collateral, in the order of pledging, that is worth the debt; and the debt that it pays. */
export function computeSeizure(
  books: Books,
  at: bigint,
  prices: Prices,
): { readonly taken: ReadonlyMap<string, bigint>; readonly paid: bigint } {
  const due = books.debt === null ? 0n : computeDebt(books.debt, at)
  let missing = due * prices.cash.units
  const takenAmounts = new Map<string, bigint>()
  let worth = 0n
  for (const [mint, amount] of listCollateral(books)) {
    const price = prices.collateral.get(mint)?.units ?? 0n
    if (missing <= 0n || price === 0n) continue
    const neededUnits = up(missing, price)
    const takenAmount = neededUnits < amount ? neededUnits : amount
    takenAmounts.set(mint, takenAmount)
    worth += takenAmount * price
    missing -= takenAmount * price
  }
  return { taken: takenAmounts, paid: missing <= 0n ? due : worth / prices.cash.units }
}
