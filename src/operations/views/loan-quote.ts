// Prices the instruments of a loan with the sources that its strategies named at origination.
import { isGreater, type Ratio } from '../../../machines/ratio.ts'
import type { AccountRef } from '../../../machines/holding.ts'
import { amountDueAt, type Debt, type LoanBooks } from '../../../machines/lending/loan-books.ts'
import { loanHealthOf, type LoanHealth, type Worth } from '../../../machines/lending/loan-health.ts'
import type { Platform } from '../context/platform.ts'
import { badRequest } from '../../contract/refusal.ts'
import { latestPrice, worthOfUnit, type Price } from './loan-feeds.ts'

/** The price of one instrument from one source. */
export interface Quote {
  readonly instrument: AccountRef
  readonly source: AccountRef
  readonly maxAgeSeconds: number
  readonly owed: boolean
  /** null: there is no price. */
  readonly price: Price | null
  /** True if the price is missing, or further from now than the terms allow. */
  readonly stale: boolean
  /** Worth of one raw unit. */
  readonly worth: Ratio | null
}

type Books = Pick<LoanBooks, 'pledged' | 'debts'>

/** Quotes for every debt and collateral of the loan, also for those with the amount 0. */
function quotesOf(platform: Platform, cluster: string, { pledged, debts }: Books, at: number): readonly Quote[] {
  const requests = [
    ...debts.map((debt) => ofPrincipal(debt, pledged)),
    ...debts.flatMap((debt) => ofCollateral(debt, pledged)),
  ]
  return withStrictestAge(requests).map(({ decimals, ...each }) => {
    const price = latestPrice(platform, each.source, each.instrument.address)
    const worth =
      price === null ? null : worthOfUnit(platform, each.source, each.instrument.address, { decimals, price })
    return { ...each, price, worth, stale: price === null || isStale(price, each.maxAgeSeconds, at) }
  })
}

/** Of several debts with the same collateral, source and price, the strictest age applies to all. */
export function withStrictestAge<T extends Pick<Quote, 'instrument' | 'source' | 'owed' | 'maxAgeSeconds'>>(
  requests: readonly T[],
): readonly T[] {
  const strictest = new Map<string, T>()
  for (const request of requests) {
    const key = quoteKey(request)
    const known = strictest.get(key)
    if (known === undefined || request.maxAgeSeconds < known.maxAgeSeconds) strictest.set(key, request)
  }
  return [...strictest.values()]
}

/** A price from the future would never become old: the key that publishes it can write any time. */
export function isStale({ asOf }: Pick<Price, 'asOf'>, maxAgeSeconds: number, at: number): boolean {
  return Math.abs(at - asOf) > maxAgeSeconds
}

function quoteKey({ instrument, source, owed }: Pick<Quote, 'instrument' | 'source' | 'owed'>): string {
  return [instrument.address, source.address, owed].join(' ')
}

/**
 * The parts of a loan that determine its value: repaid debts and released collateral need no price, and their terms no
 * longer apply.
 */
function openPart({ pledged, debts }: Books, at: number): Books {
  return {
    pledged: pledged.filter(({ amount }) => amount !== '0'),
    debts: debts.filter((debt) => amountDueAt(debt, at) > 0n),
  }
}

/** The quotes by which the loan is valued, and those of the rest, which are only shown. */
export function shownQuotes(
  platform: Platform,
  cluster: string,
  books: Books,
  at: number,
): { readonly valuing: readonly Quote[]; readonly shown: readonly Quote[] } {
  const valuing = quotesOf(platform, cluster, openPart(books, at), at)
  const all = [...quotesOf(platform, cluster, books, at), ...valuing]
  return { valuing, shown: [...new Map(all.map((quote) => [quoteKey(quote), quote])).values()] }
}

/**
 * The terms set no maximum age for the price of the principal. The strictest age of its collateral applies.
 */
function ofPrincipal(debt: Debt, pledged: LoanBooks['pledged']) {
  const against = debt.terms.filter(({ instrument }) =>
    pledged.some((each) => each.instrument.address === instrument.address),
  )
  const ages = (against.length === 0 ? debt.terms : against).map(({ maxPriceAgeSeconds }) => maxPriceAgeSeconds)
  return {
    instrument: debt.instrument,
    source: debt.source,
    decimals: debt.decimals,
    maxAgeSeconds: Math.min(...ages),
    owed: true,
  }
}

function ofCollateral(debt: Debt, pledged: LoanBooks['pledged']) {
  return pledged.flatMap(({ instrument, decimals }) => {
    const terms = debt.terms.find((each) => each.instrument.address === instrument.address)
    return terms === undefined
      ? []
      : [{ instrument, source: terms.source, decimals, maxAgeSeconds: terms.maxPriceAgeSeconds, owed: false }]
  })
}

/**
 * If several sources price an instrument, the most careful price counts: the higher for debts, the lower for
 * collateral.
 */
export function carefulWorthOf(quotes: readonly Quote[]): Worth {
  const carefulWorth = (mint: string, owed: boolean): Ratio | null => {
    const worths = quotes
      .filter((quote) => quote.owed === owed && quote.instrument.address === mint)
      .map(({ worth }) => worth)
    if (worths.length === 0 || worths.includes(null)) return null
    return worths.filter((worth) => worth !== null).reduce((a, b) => (isGreater(a, b) === owed ? a : b))
  }
  return { owed: (mint) => carefulWorth(mint, true), pledged: (mint) => carefulWorth(mint, false) }
}

/**
 * The health of a loan as decisions use it: every price must exist and be fresh.
 *
 * Throws 400 `PRICE_MISSING`, `PRICE_STALE`.
 */
export function decidedHealth(
  platform: Platform,
  cluster: string,
  books: Books,
  at: number,
): { readonly loanHealth: LoanHealth; readonly worth: Worth } {
  const open = openPart(books, at)
  const quotes = quotesOf(platform, cluster, open, at)
  const missing = quotes.find(({ price }) => price === null)
  if (missing !== undefined)
    throw badRequest(
      'PRICE_MISSING',
      `data source ${missing.source.address} has no price of ${missing.instrument.address}`,
      '/itemData',
    )
  const stale = quotes.find((quote) => quote.stale)
  if (stale !== undefined) {
    const age = at - (stale.price?.asOf ?? 0)
    const shown = age < 0 ? `${-age} s ahead of now` : `${age} s old`
    const rule = `the price of ${stale.instrument.address} by ${stale.source.address} is ${shown}`
    throw badRequest('PRICE_STALE', `${rule}, at most ${stale.maxAgeSeconds} s are allowed`, '/itemData')
  }
  const worth = carefulWorthOf(quotes)
  const loanHealth = loanHealthOf(open, at, worth)
  if (loanHealth === null)
    throw badRequest('PRICE_MISSING', 'a price required to value the loan is missing', '/itemData')
  return { loanHealth, worth }
}
