// Health of a loan: its debt relative to the value of its collateral. Exact up to the displayed figures: debt is
// rounded up, value is rounded down.
import { HUNDRED_PERCENT } from './interest.ts'
import { amountDueAt, wholeTermDebt, type Debt, type LoanBooks, type Pledge } from './loan-books.ts'
import { ceilOf, isGreater, minus, dividedBy, sum, times, wholeRatio, ZERO, type Ratio } from '../ratio.ts'

/**
 * Value of one raw unit of an instrument, by address of its mint; null: no price. Debt and collateral may use different
 * price sources.
 */
export interface Worth {
  owed(mint: string): Ratio | null
  pledged(mint: string): Ratio | null
}

export interface LoanHealth {
  /** Principal and interest of the whole term, in the unit of account. */
  readonly debt: Ratio
  readonly collateral: Ratio
  /** Maximum debt for lending and withdrawals. */
  readonly borrowable: Ratio
  /** The loan is liquidatable when the debt exceeds this value. */
  readonly bearable: Ratio
}

/** null if a required price is missing. */
export function loanHealthOf(
  { pledged, debts }: Pick<LoanBooks, 'pledged' | 'debts'>,
  at: number,
  worth: Worth,
): LoanHealth | null {
  const open = debts.filter((debt) => amountDueAt(debt, at) > 0n)
  const owed = open.map((debt) => valued(wholeTermDebt(debt, at), worth.owed(debt.instrument.address)))
  const held = pledged
    .filter(({ amount }) => amount !== '0')
    .map((pledge) => ({ pledge, value: valued(BigInt(pledge.amount), worth.pledged(pledge.instrument.address)) }))
  const values = held.flatMap(({ pledge, value }) => (value === null ? [] : [{ pledge, value }]))
  const debtValues = owed.filter((value) => value !== null)
  if (debtValues.length < owed.length || (open.length > 0 && values.length < held.length)) return null
  const part = (member: 'loanToValueRatio' | 'liquidationRatio'): Ratio =>
    sum(
      values.map(({ pledge, value }) =>
        times(value, { numerator: BigInt(ratioOf(open, pledge, member)), denominator: HUNDRED_PERCENT }),
      ),
    )
  return {
    debt: sum(debtValues),
    collateral: sum(values.map(({ value }) => value)),
    borrowable: part('loanToValueRatio'),
    bearable: part('liquidationRatio'),
  }
}

/**
 * With several strategies on one collateral, the lowest ratio applies; a strategy that does not accept the collateral
 * has ratio 0.
 */
export function ratioOf(
  debts: readonly Debt[],
  { instrument }: Pick<Pledge, 'instrument'>,
  member: 'loanToValueRatio' | 'liquidationRatio',
): number {
  return Math.min(
    Number(HUNDRED_PERCENT),
    ...debts.map(({ terms }) => terms.find((each) => each.instrument.address === instrument.address)?.[member] ?? 0),
  )
}

export function mayOwe({ debt, borrowable }: LoanHealth): boolean {
  return !isGreater(debt, borrowable)
}

export function isLiquidatable({ debt, bearable }: LoanHealth): boolean {
  return isGreater(debt, bearable)
}

/**
 * Debt relative to the collateral's value, in hundredths of a basis point, rounded up; null: debt without collateral of
 * value.
 */
export function currentLoanToValue({ debt, collateral }: LoanHealth): bigint | null {
  if (debt.numerator === 0n) return 0n
  return collateral.numerator === 0n ? null : ceilOf(times(dividedBy(debt, collateral), wholeRatio(HUNDRED_PERCENT)))
}

/**
 * 100 % without debt, 0 where the loan becomes liquidatable, negative beyond; rounded down. null: debt without
 * collateral of value.
 */
export function healthOf({ debt, bearable }: LoanHealth): bigint | null {
  if (debt.numerator === 0n) return HUNDRED_PERCENT
  return bearable.numerator === 0n
    ? null
    : HUNDRED_PERCENT - ceilOf(times(dividedBy(debt, bearable), wholeRatio(HUNDRED_PERCENT)))
}

/**
 * Result of a liquidation: the least collateral, in order of pledging, whose value covers principal and accrued
 * interest.
 */
export interface Seizure {
  readonly withdrawals: readonly { readonly instrument: string; readonly amount: bigint }[]
  readonly payments: readonly { readonly instrument: string; readonly amount: bigint }[]
}

/** null if a required price is missing. Prices must be greater than zero. */
export function seizure(
  { pledged, debts }: Pick<LoanBooks, 'pledged' | 'debts'>,
  at: number,
  worth: Worth,
): Seizure | null {
  const open = debts
    .map((debt) => ({ instrument: debt.instrument.address, due: amountDueAt(debt, at) }))
    .filter(({ due }) => due > 0n)
  const owed = open.map(({ instrument, due }) => valued(due, worth.owed(instrument)))
  if (owed.some((value) => value === null)) return null
  let missing = sum(owed.filter((value) => value !== null))
  let taken: Ratio = ZERO
  const withdrawals: { instrument: string; amount: bigint }[] = []
  for (const { instrument, amount } of pledged) {
    if (amount === '0' || missing.numerator <= 0n) continue
    const price = worth.pledged(instrument.address)
    if (price === null) return null
    const needed = ceilOf(dividedBy(missing, price))
    const taking = needed < BigInt(amount) ? needed : BigInt(amount)
    withdrawals.push({ instrument: instrument.address, amount: taking })
    const value = times(wholeRatio(taking), price)
    taken = sum([taken, value])
    missing = minus(missing, value)
  }
  return { withdrawals, payments: shared(open, taken, worth) }
}

/**
 * Pays one debt after another, in whole units rounded down: each of them in full if the collateral covers them all.
 */
function shared(
  open: readonly { readonly instrument: string; readonly due: bigint }[],
  taken: Ratio,
  worth: Worth,
): Seizure['payments'] {
  let left = taken
  return open.flatMap(({ instrument, due }) => {
    const price = worth.owed(instrument)
    if (price === null) return []
    const affordable = dividedBy(left, price)
    const amount = isGreater(wholeRatio(due), affordable) ? affordable.numerator / affordable.denominator : due
    left = minus(left, times(wholeRatio(amount), price))
    return amount === 0n ? [] : [{ instrument, amount }]
  })
}

function valued(units: bigint, worth: Ratio | null): Ratio | null {
  return worth === null ? null : times(wholeRatio(units), worth)
}
