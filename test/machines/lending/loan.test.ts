// A loan: one change at a time, undone in reverse order, and the most conservative of several lenders decides the value
// of collateral.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { LoanBooks, LoanChange } from '../../../machines/lending/loan-books.ts'
import { ratioOf, loanHealthOf, type Worth } from '../../../machines/lending/loan-health.ts'
import { loanMachine, type LoanContext } from '../../../machines/lending/loan.ts'
import { wholeRatio } from '../../../machines/ratio.ts'
import { debt, loan, origination, TOUCH } from '../records.ts'
import { TestedActor } from '../tested-actor.ts'

const context = (actor: TestedActor): LoanContext => actor.context() as LoanContext
const change = (id: string): LoanChange => ({ ...origination, id, lending: null })
const landed = (id: string, closes = false) => ({
  type: 'chain.changed',
  change: id === 'tx-1' ? origination : change(id),
  closes,
  touch: TOUCH,
})
const begin = (transactionId: string) => ({ type: 'command.begin', transactionId, plan: null })
const abandoned = (id: string) => ({ type: 'chain.abandoned', id })

function booksOf({ pledged, debts, lender, lastChange }: LoanContext): LoanBooks {
  return { pledged, debts, lender, lastChange }
}

function active(): TestedActor {
  const actor = TestedActor.start(loanMachine, { loan })
  actor.send(landed('tx-1'))
  return actor
}

describe('a loan', () => {
  it('can be changed only once it is paid out', () => {
    const actor = TestedActor.start(loanMachine, { loan: { ...loan, open: null } })
    expect([actor.code(begin('tx-2')), actor.code({ type: 'command.change', change: change('c') })]).toEqual([
      'LOAN_BUSY',
      'LOAN_BUSY',
    ])
    expect([actor.value, context(actor).open, context(actor).lastChange]).toEqual(['pending', null, null])
  })

  it('has one pending change, until that change has landed or is abandoned', () => {
    const actor = active()
    expect(actor.code(begin('tx-2'))).toBeNull()
    expect([actor.code(begin('tx-3')), actor.code({ type: 'command.change', change: change('c') })]).toEqual([
      'LOAN_BUSY',
      'LOAN_BUSY',
    ])
    // The outcome of an older transaction does not affect this one.
    actor.send(abandoned('tx-3'))
    expect(context(actor).open).toBe('tx-2')
    actor.send(landed('tx-3'))
    expect(context(actor)).toMatchObject({ open: 'tx-2', lastChange: 'tx-3' })
    actor.send(abandoned('tx-2'))
    expect(context(actor).open).toBeNull()
    actor.send(begin('tx-4'))
    actor.send(landed('tx-4'))
    expect(context(actor)).toMatchObject({ open: null, lastChange: 'tx-4' })
    expect(actor.code({ type: 'command.change', change: change('c') })).toBeNull()
  })

  it('undoes changes in reverse order only, each to the state before it', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 5 }), fc.array(fc.nat(5), { maxLength: 12 }), (count, attempts) => {
        const actor = active()
        const madeChanges: { readonly id: string; readonly before: LoanBooks }[] = []
        for (let index = 0; index < count; index += 1) {
          const id = `change ${index}`
          madeChanges.push({ id, before: booksOf(context(actor)) })
          actor.send(begin(id))
          actor.send(landed(id, index === count - 1))
        }
        for (const attempt of attempts) {
          const chosenAttempt = madeChanges[attempt]
          if (chosenAttempt === undefined) continue
          const books = booksOf(context(actor))
          const isLast = books.lastChange === chosenAttempt.id
          expect(actor.code({ type: 'chain.unchanged', ...chosenAttempt })).toBe(isLast ? null : 'OUT_OF_ORDER')
          expect(booksOf(context(actor))).toEqual(isLast ? chosenAttempt.before : books)
        }
      }),
    )
  })

  it('returns to the state before its origination when that is undone', () => {
    const actor = active()
    const { pledged, debts, lender, lastChange } = loan
    expect(
      actor.code({ type: 'chain.unchanged', id: 'tx-1', before: { pledged, debts, lender, lastChange } }),
    ).toBeNull()
    expect([actor.value, context(actor).open, context(actor).creation]).toEqual(['pending', 'tx-1', null])
    expect(actor.code(begin('tx-2'))).toBe('LOAN_BUSY')
  })
})

describe('loans of several strategies on one collateral', () => {
  const ratio = fc.integer({ min: 0, max: 1_000_000 })
  const instrument = { address: 'Bond1111', id: null }

  it('use the strictest terms, and refuse a strategy that does not accept the collateral', () => {
    fc.assert(
      fc.property(
        fc.array(fc.option(fc.record({ loanToValueRatio: ratio, liquidationRatio: ratio })), {
          minLength: 1,
          maxLength: 5,
        }),
        (all) => {
          const debts = all.map((each) => ({
            ...debt,
            terms: each === null ? [] : [{ ...debt.terms[0]!, ...each, instrument }],
          }))
          for (const member of ['loanToValueRatio', 'liquidationRatio'] as const) {
            expect(ratioOf(debts, { instrument }, member)).toBe(Math.min(...all.map((each) => each?.[member] ?? 0)))
          }
          const pledged = [{ instrument, decimals: 2, position: instrument, amount: '1000000' }]
          const worth: Worth = { owed: () => wholeRatio(1n), pledged: () => wholeRatio(1n) }
          const { borrowable } = loanHealthOf({ pledged, debts }, debt.startedAt, worth)!
          expect(borrowable.numerator).toBe(
            BigInt(ratioOf(debts, { instrument }, 'loanToValueRatio')) * borrowable.denominator,
          )
        },
      ),
    )
  })
})
