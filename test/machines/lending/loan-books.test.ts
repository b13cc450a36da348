// The books of a loan as properties: interest is additive over any split of the time, rounding creates and loses
// nothing, and an allowed change leaves no loan beyond its limit.
import fc from 'fast-check'
import { plainDecimal } from '../../../machines/feed-text.ts'
import { describe, expect, it } from 'vitest'
import {
  accruedInterest,
  chargedUnits,
  durationSeconds,
  INTEREST_SCALE,
  interestPerSecond,
} from '../../../machines/lending/interest.ts'
import {
  applyLoanChange,
  amountDueAt,
  interestAt,
  isRepaid,
  outstandingPrincipal,
  payDebt,
  type Debt,
  type LoanBooks,
  type LoanChange,
} from '../../../machines/lending/loan-books.ts'
import {
  currentLoanToValue,
  healthOf,
  isLiquidatable,
  mayOwe,
  seizure,
  loanHealthOf,
  type Worth,
} from '../../../machines/lending/loan-health.ts'
import { decimalRatio, isGreater, dividedBy, sum, times, wholeRatio, type Ratio } from '../../../machines/ratio.ts'
import { debt as example, lender, origination } from '../records.ts'

const units = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n })
const apy = fc.integer({ min: 0, max: 5_000_000 })
const seconds = fc.integer({ min: 0, max: 100_000_000 })
const START = example.startedAt

const debtOf = (principal: bigint, rate: number): Debt => ({
  ...example,
  principalDue: principal.toString(),
  apy: rate,
})

describe('interest', () => {
  it('is that of a year of 365 days', () => {
    // 1000 units of 6 decimals at 10 %: 100 in a year, 0.273972602... in a day.
    expect(chargedUnits(accruedInterest(1_000_000_000n, 100_000n, 31_536_000n))).toBe(100_000_000n)
    expect(chargedUnits(accruedInterest(1_000_000_000n, 100_000n, 86_400n))).toBe(273_973n)
    expect(chargedUnits(accruedInterest(1_000_000_000n, 100_000n, 0n))).toBe(0n)
    expect(interestPerSecond(1_000_000_000n, 100_000n, 6)).toEqual({ units: 3_170_979_198_376n, places: 18 })
    const half = { numerator: 1n, denominator: 2n }
    expect(interestPerSecond(1_000_000_000n, 100_000n, 6, half)).toEqual({ units: 1_585_489_599_188n, places: 18 })
    expect(
      (['MINUTES', 'DAYS', 'WEEKS', 'MONTHS', 'YEARS'] as const).map((code) => durationSeconds({ code, unit: 2 })),
    ).toEqual([120, 172_800, 1_209_600, 5_184_000, 63_072_000])
  })

  it('is additive over any split of the time, and never shrinks', () => {
    fc.assert(
      fc.property(units, apy, fc.array(seconds, { maxLength: 8 }), (principal, rate, steps) => {
        let split = debtOf(principal, rate)
        let at = START
        for (const step of steps) {
          at += step
          const next = payDebt(split, 0n, at)
          expect(BigInt(next.interest)).toBeGreaterThanOrEqual(BigInt(split.interest))
          split = next
        }
        expect(BigInt(split.interest)).toBe(interestAt(debtOf(principal, rate), at))
        expect(BigInt(split.interest)).toBe(principal * BigInt(rate) * BigInt(at - START))
        // A clock that runs backwards reverts nothing.
        expect(interestAt(split, START - 1)).toBe(BigInt(split.interest))
      }),
    )
  })

  it('is charged whole, rounded up by less than a unit, and a payment settles it first', () => {
    fc.assert(
      fc.property(
        units,
        apy,
        fc.array(fc.tuple(seconds, fc.nat({ max: 100 })), { minLength: 1, maxLength: 6 }),
        (principal, rate, payments) => {
          let debt = debtOf(principal, rate)
          let at = START
          let sumPaid = 0n
          for (const [wait, percent] of payments) {
            at += wait
            const due = amountDueAt(debt, at)
            const interest = chargedUnits(interestAt(debt, at))
            const payment = (due * BigInt(percent)) / 100n
            const next = payDebt(debt, payment, at)
            sumPaid += payment
            expect(outstandingPrincipal(next)).toBe(payment <= interest ? outstandingPrincipal(debt) : due - payment)
            // Amounts are conserved: the former debt is the payment and the present debt.
            expect(amountDueAt(next, at) + payment).toBe(due)
            expect(interest * INTEREST_SCALE - interestAt(debt, at)).toBeLessThan(INTEREST_SCALE)
            // What rounding up has charged is not credited against later interest.
            if (payment >= interest) expect(next.interest).toBe('0')
            debt = next
          }
          expect(BigInt(debt.interestRepaid) + BigInt(debt.principalRepaid)).toBe(sumPaid)
          expect(amountDueAt(payDebt(debt, amountDueAt(debt, at), at), at + 1_000)).toBe(0n)
        },
      ),
    )
  })
})

const price = (text: string): Ratio => decimalRatio(text)!
const CASH = 'Cash1111'
const BOND = 'Bond1111'
const priced = (cash: string, bond: string): Worth => ({
  owed: (mint) => (mint === CASH ? price(cash) : null),
  pledged: (mint) => (mint === BOND ? price(bond) : null),
})

describe('health', () => {
  const books = applyLoanChange({ lender, pledged: [], debts: [], lastChange: null }, origination)

  it('counts the interest of the whole term against the ratios, and is 0 where liquidation begins', () => {
    // 1 000 000 for 30 days at 10 %: 1 008 220 in all; 500 bonds at 2 520.55 carry 80 % of 1 260 275.
    const at = origination.at
    const health = loanHealthOf(books, at, priced('1', '2520.55'))!
    expect(health.debt).toEqual(wholeRatio(1_008_220n))
    expect(healthOf(health)).toBe(0n)
    expect(isLiquidatable(health)).toBe(false)
    expect(currentLoanToValue(health)).toBe(800_000n)
    expect(isLiquidatable(loanHealthOf(books, at, priced('1', '2520.54'))!)).toBe(true)
    expect(healthOf(loanHealthOf(books, at, priced('1', '1'))!)).toBeLessThan(0n)
    expect(mayOwe(loanHealthOf(books, at, priced('1', '4032.87'))!)).toBe(false)
    expect(mayOwe(loanHealthOf(books, at, priced('1', '4032.88'))!)).toBe(true)
    expect(loanHealthOf(books, at, { owed: () => null, pledged: () => price('1') })).toBeNull()
  })

  it('is exact for every price that a feed can publish', () => {
    const published = fc.record({
      units: fc.bigInt({ min: 1n, max: 10n ** 39n - 1n }),
      exponent: fc.integer({ min: -99, max: 99 }),
    })
    const textOf = ({ units, exponent }: { units: bigint; exponent: number }): string => plainDecimal(units, exponent)
    fc.assert(
      fc.property(published, published, (cash, bond) => {
        const health = loanHealthOf(books, origination.at, priced(textOf(cash), textOf(bond)))!
        // 1 008 220 are due in all, and 500 bonds carry 80 %. Both prices times 10^99, so that they are whole.
        const whole = ({ units, exponent }: typeof cash): bigint => units * 10n ** BigInt(exponent + 99)
        const [debt, carried] = [1_008_220n * whole(cash) * 10n, 500n * whole(bond) * 8n]
        expect(isLiquidatable(health)).toBe(debt > carried)
        expect(healthOf(health)).toBe(1_000_000n - (debt * 1_000_000n + carried - 1n) / carried)
      }),
    )
  })

  it('allows a liquidation of the least collateral that covers the debt, and books all of it', () => {
    const cents = fc.integer({ min: 1, max: 10_000_000 }).map((value) => (value / 100).toFixed(2))
    fc.assert(
      fc.property(cents, cents, fc.bigInt({ min: 1n, max: 10n ** 12n }), seconds, (cash, bond, pledged, wait) => {
        const loan: LoanBooks = { ...books, pledged: [{ ...books.pledged[0]!, amount: pledged.toString() }] }
        const at = START + wait
        const worth = priced(cash, bond)
        const { withdrawals, payments } = seizure(loan, at, worth)!
        const [taken] = withdrawals
        const due = amountDueAt(loan.debts[0]!, at)
        const value = times(wholeRatio(taken!.amount), price(bond))
        expect(taken!.amount).toBeLessThanOrEqual(pledged)
        const booked = payments[0]?.amount ?? 0n
        expect(booked).toBeLessThanOrEqual(due)
        if (taken!.amount < pledged) {
          expect(booked).toBe(due)
          // One raw unit less would not cover it.
          expect(
            isGreater(times(wholeRatio(due), price(cash)), times(wholeRatio(taken!.amount - 1n), price(bond))),
          ).toBe(true)
        }
        const affordable = dividedBy(value, price(cash))
        expect(booked === due || booked === affordable.numerator / affordable.denominator).toBe(true)
        const change: LoanChange = {
          id: 'l',
          at,
          deposits: [],
          lending: null,
          withdrawals: withdrawals.map((each) => ({ ...each, amount: each.amount.toString() })),
          payments: payments.map((each) => ({ ...each, amount: each.amount.toString() })),
        }
        const after = applyLoanChange(loan, change)
        expect(BigInt(after.pledged[0]!.amount)).toBe(pledged - taken!.amount)
        expect(isRepaid(after, at)).toBe(booked === due)
      }),
    )
  })
})

describe('any sequence of permitted changes', () => {
  const step = fc.record({
    what: fc.constantFrom('deposit', 'withdraw', 'pay'),
    amount: fc.bigInt({ min: 1n, max: 800n }),
    wait: fc.integer({ min: 0, max: 10_000_000 }),
    bond: fc.integer({ min: 1, max: 9_000 }).map(String),
  })

  it('leaves no loan above its maximum debt after a withdrawal, and consistent books', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 20 }), (steps) => {
        let books: LoanBooks = applyLoanChange({ lender, pledged: [], debts: [], lastChange: null }, origination)
        let at = START
        const tally = { in: 500n, out: 0n, paid: 0n }
        for (const [index, { what, amount, wait, bond }] of steps.entries()) {
          at += wait
          const due = amountDueAt(books.debts[0]!, at)
          const pledgedAmount = BigInt(books.pledged[0]!.amount)
          const payment = what === 'pay' ? (due * amount) / 800n : 0n
          const change: LoanChange = {
            id: `c${index}`,
            at,
            lending: null,
            deposits: what === 'deposit' ? [{ ...books.pledged[0]!, amount: amount.toString() }] : [],
            withdrawals:
              what === 'withdraw' && amount <= pledgedAmount ? [{ instrument: BOND, amount: amount.toString() }] : [],
            payments: what === 'pay' ? [{ instrument: CASH, amount: payment.toString() }] : [],
          }
          const after = applyLoanChange(books, change)
          const health = loanHealthOf(after, at, priced('1', bond))
          const allowed = change.withdrawals.length === 0 || isRepaid(after, at) || (health !== null && mayOwe(health))
          if (!allowed) continue
          if (change.withdrawals.length > 0 && !isRepaid(after, at)) {
            const collateral = sum([times(wholeRatio(BigInt(after.pledged[0]!.amount)), price(bond))])
            const principal = outstandingPrincipal(after.debts[0]!)
            // By hand: half of the pledged value covers at least the principal.
            expect(principal * 2n).toBeLessThanOrEqual(collateral.numerator / collateral.denominator)
          }
          if (what === 'deposit') tally.in += amount
          if (change.withdrawals.length > 0) tally.out += amount
          tally.paid += payment
          books = after
        }
        expect(BigInt(books.pledged[0]!.amount)).toBe(tally.in - tally.out)
        const [debt] = books.debts
        expect(BigInt(debt!.interestRepaid) + BigInt(debt!.principalRepaid)).toBe(tally.paid)
        expect(outstandingPrincipal(debt!)).toBeGreaterThanOrEqual(0n)
      }),
    )
  })
})
