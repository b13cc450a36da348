// Loans of several debts and several pledged instruments: what a liquidation takes and pays, and what health counts.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { applyLoanChange, newDebt, rateOf, type Debt, type LoanBooks } from '../../../machines/lending/loan-books.ts'
import {
  currentLoanToValue,
  healthOf,
  isLiquidatable,
  loanHealthOf,
  mayOwe,
  seizure,
  type Worth,
} from '../../../machines/lending/loan-health.ts'
import { wholeRatio, type Ratio } from '../../../machines/ratio.ts'
import { debt, lender, origination } from '../records.ts'

const AT = debt.startedAt
const amount = fc.oneof(fc.bigInt({ min: 0n, max: 20n }), fc.bigInt({ min: 0n, max: 10n ** 12n }))
const cents = fc.oneof(fc.bigInt({ min: 1n, max: 300n }), fc.bigInt({ min: 1n, max: 10n ** 9n }))
const items = fc.array(fc.record({ units: amount, cents }), { minLength: 1, maxLength: 4 })

interface Item {
  readonly units: bigint
  readonly cents: bigint
}

const ref = (address: string) => ({ address, id: null })
const cashOf = (index: number): string => `Cash${index}`
const bondOf = (index: number): string => `Bond${index}`
const indexOf = (mint: string): number => Number(mint.slice(-1))

function booksOf(owed: readonly Item[], pledged: readonly Item[]): LoanBooks {
  return {
    lender,
    lastChange: null,
    debts: owed.map(({ units }, index): Debt => {
      const repaid = { principalDue: '7', principalRepaid: '7' }
      const principal = units === 0n ? repaid : { principalDue: units.toString() }
      return { ...debt, ...principal, instrument: ref(cashOf(index)), apy: 0 }
    }),
    pledged: pledged.map(({ units }, index) => ({
      ...origination.deposits[0]!,
      instrument: ref(bondOf(index)),
      amount: units.toString(),
    })),
  }
}

/** Prices of what is owed and pledged; nothing else has one. */
function worthOf(owed: readonly Item[], pledged: readonly Item[]): Worth {
  const priceOf = (item: Item | undefined): Ratio | null =>
    item === undefined || item.units === 0n ? null : { numerator: item.cents, denominator: 100n }
  return { owed: (mint) => priceOf(owed[indexOf(mint)]), pledged: (mint) => priceOf(pledged[indexOf(mint)]) }
}

type Moved = readonly { readonly instrument: string; readonly amount: bigint }[]
const valueOf = (moved: Moved, list: readonly Item[]): bigint =>
  moved.reduce((total, each) => total + each.amount * list[indexOf(each.instrument)]!.cents, 0n)
const total = (list: readonly Item[]): bigint => list.reduce((sum, { units, cents }) => sum + units * cents, 0n)

describe('a liquidation', () => {
  it('takes the pledges in their order, no unit too many, and pays every debt or all that they are worth', () => {
    fc.assert(
      fc.property(items, items, (owed, pledged) => {
        const { withdrawals, payments } = seizure(booksOf(owed, pledged), AT, worthOf(owed, pledged))!
        const [taken, due] = [valueOf(withdrawals, pledged), total(owed)]
        const holding = pledged.flatMap(({ units }, index) => (units === 0n ? [] : [{ index, units }]))
        expect(withdrawals.map(({ instrument }) => indexOf(instrument))).toEqual(
          holding.slice(0, withdrawals.length).map(({ index }) => index),
        )
        withdrawals.forEach((each, order) => {
          const { units } = holding[order]!
          if (order < withdrawals.length - 1) expect(each.amount).toBe(units)
          else expect(each.amount > 0n && each.amount <= units).toBe(true)
        })
        if (taken >= due) {
          expect(payments.map((each) => [each.instrument, each.amount])).toEqual(
            owed.flatMap(({ units }, index) => (units === 0n ? [] : [[cashOf(index), units]])),
          )
          const last = withdrawals.at(-1)
          if (last !== undefined) expect(taken - pledged[indexOf(last.instrument)]!.cents).toBeLessThan(due)
          return
        }
        expect(taken).toBe(total(pledged))
        checkShared(owed, payments, taken)
      }),
    )
  })

  /** The collateral does not cover the debts: they are paid one after another, in whole units. */
  function checkShared(owed: readonly Item[], payments: Moved, taken: bigint): void {
    expect(new Set(payments.map(({ instrument }) => instrument)).size).toBe(payments.length)
    for (const each of payments) {
      expect(each.amount > 0n && each.amount <= owed[indexOf(each.instrument)]!.units).toBe(true)
    }
    owed.forEach(({ units, cents }, index) => {
      const isUpTo = (mint: string): boolean => indexOf(mint) <= index
      const before = payments.filter(({ instrument }) => isUpTo(instrument))
      const paid = before.find(({ instrument }) => indexOf(instrument) === index)?.amount ?? 0n
      const left = taken - valueOf(before, owed)
      expect(left).toBeGreaterThanOrEqual(0n)
      // Nothing that could pay a unit more of this debt remains for the later ones.
      if (paid < units) expect(left).toBeLessThan(cents)
    })
  }

  it('needs the price of every debt, and of no pledge that it leaves', () => {
    const one = { units: 10n, cents: 100n }
    const books = booksOf([one, one], [{ units: 20n, cents: 100n }, one])
    const worth = (owed: number, pledged: number): Worth => ({
      owed: (mint) => (indexOf(mint) < owed ? wholeRatio(1n) : null),
      pledged: (mint) => (indexOf(mint) < pledged ? wholeRatio(1n) : null),
    })
    expect(seizure(books, AT, worth(1, 2))).toBeNull()
    expect(seizure(books, AT, worth(2, 0))).toBeNull()
    expect(seizure(books, AT, worth(2, 1))?.withdrawals).toEqual([{ instrument: 'Bond0', amount: 20n }])
  })
})

describe('the health of a loan', () => {
  it('counts each debt and each pledge at its own price, and those that are repaid or released not at all', () => {
    fc.assert(
      fc.property(items, items, (owed, pledged) => {
        const books = booksOf(owed, pledged)
        // The terms of the repaid debts accept no collateral.
        const debts = books.debts.map((each, index): Debt => {
          const terms = pledged.map((_, order) => ({ ...debt.terms[0]!, instrument: ref(bondOf(order)) }))
          return { ...each, terms: owed[index]!.units === 0n ? [] : terms }
        })
        const health = loanHealthOf({ ...books, debts }, AT, worthOf(owed, pledged))!
        const { loanToValueRatio, liquidationRatio } = debt.terms[0]!
        const [due, held] = [total(owed), total(pledged)]
        if (due === 0n) return
        expect(mayOwe(health)).toBe(due * 1_000_000n <= held * BigInt(loanToValueRatio))
        expect(isLiquidatable(health)).toBe(due * 1_000_000n > held * BigInt(liquidationRatio))
      }),
    )
  })

  it('is unknown without the price of a unit owed, or of a pledge while anything is owed', () => {
    const [none, unit] = [0n, 1n].map((units) => ({ units, cents: 100n }))
    const isKnown = (owed: Item, isOwedPriced: boolean, isPledgePriced: boolean): boolean => {
      const [debtPrice, pledgePrice] = [isOwedPriced, isPledgePriced].map((is) => (is ? wholeRatio(1n) : null))
      const worth: Worth = { owed: () => debtPrice!, pledged: () => pledgePrice! }
      return loanHealthOf(booksOf([owed], [unit!]), AT, worth) !== null
    }
    expect([isKnown(unit!, true, true), isKnown(unit!, false, true), isKnown(unit!, true, false)]).toEqual([
      true,
      false,
      false,
    ])
    expect(isKnown(none!, false, false)).toBe(true)
  })

  it('is full without debt, and unknown for a debt on collateral without value', () => {
    const [none, unit, half] = [wholeRatio(0n), wholeRatio(1n), { numerator: 1n, denominator: 2n }]
    const figures = (debt: Ratio, collateral: Ratio, bearable: Ratio) => {
      const health = { debt, collateral, borrowable: none, bearable }
      return [currentLoanToValue(health), healthOf(health)]
    }
    expect(figures(none, none, none)).toEqual([0n, 1_000_000n])
    expect(figures(none, unit, half)).toEqual([0n, 1_000_000n])
    expect(figures(unit, none, none)).toEqual([null, null])
    // Accepted as collateral by no strategy: it has a value and bears nothing.
    expect(figures(unit, unit, none)).toEqual([1_000_000n, null])
    expect(figures(unit, unit, half)).toEqual([1_000_000n, -1_000_000n])
  })

  it('counts the interest that accrues after the term', () => {
    const late = { ...newDebt(debt, debt.startedAt), instrument: ref(cashOf(0)) }
    const worth: Worth = { owed: () => wholeRatio(1n), pledged: () => wholeRatio(1n) }
    const debtAt = (at: number): Ratio => loanHealthOf({ pledged: [], debts: [late] }, at, worth)!.debt
    const year = 31_536_000
    expect(debtAt(debt.startedAt)).toEqual(debtAt(debt.endsAt))
    // 1 000 000 at 10 % a year.
    expect(debtAt(debt.startedAt + year)).toEqual(wholeRatio(1_100_000n))
  })
})

describe('the rate of a debt', () => {
  it('is the highest of the instruments pledged at the time, and stays when none is', () => {
    const [low, high] = [100_000, 300_000].map((apy, index) => ({
      ...debt.terms[0]!,
      apy,
      instrument: ref(bondOf(index)),
    }))
    const terms = [low!, high!]
    expect([[], ['Bond0'], ['Bond1'], ['Bond0', 'Bond1']].map((mints) => rateOf(terms, mints))).toEqual([
      0, 100_000, 300_000, 300_000,
    ])
    const books = booksOf([{ units: 10n, cents: 1n }], [{ units: 5n, cents: 1n }])
    const change = { id: 'c', at: AT, deposits: [], withdrawals: [], payments: [], lending: null }
    const deposit = { ...books.pledged[0]!, instrument: ref('Bond1') }
    const withdrawal = (instrument: string) => ({ ...change, withdrawals: [{ instrument, amount: '5' }] })
    const both = applyLoanChange(
      { ...books, debts: books.debts.map((each) => ({ ...each, terms })) },
      { ...change, deposits: [deposit] },
    )
    const one = applyLoanChange(both, withdrawal('Bond1'))
    const none = applyLoanChange(applyLoanChange(both, withdrawal('Bond0')), withdrawal('Bond1'))
    expect([both, one, none].map(({ debts }) => debts[0]!.apy)).toEqual([300_000, 100_000, 300_000])
  })
})
