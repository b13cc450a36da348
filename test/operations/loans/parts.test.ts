// For any split of the steps of a change by a provider, the parts together have the same effect on the books of the
// loan as the change, and each part contains only its own steps.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Step } from '../../../src/solana/step.ts'
import { applyLoanChange, type Debt, type LoanBooks } from '../../../machines/lending/loan-books.ts'
import type { ChangeWithoutId } from '../../../src/operations/loans/change-draft.ts'
import { loanParts } from '../../../src/operations/loans/parts.ts'
import { debt, lender } from '../../machines/records.ts'

const [ESCROW, VAULT, BORROWER] = ['Escrow11', lender.account.address, 'Borrower']
const PRINCIPALS = ['Cash1111', 'Coin1111']
const COLLATERAL = ['Bond1111', 'Share111']
const ref = (address: string) => ({ address, id: null })
const program = 'Program1'

const open = (owner: string, mint: string): Step => ({
  kind: 'open',
  payer: BORROWER,
  owner,
  account: `${owner}${mint}`,
  program,
  mint,
})
const transfer = (mint: string, from: string, to: string, amount: bigint): Step => ({
  kind: 'transfer',
  program,
  mint,
  from: `${from}${mint}`,
  to: `${to}${mint}`,
  amount,
  decimals: 6,
  authority: from,
  hookAccounts: [],
})
const pledge = (mint: string, amount: bigint) => ({
  instrument: ref(mint),
  decimals: 6,
  position: ref(`${ESCROW}${mint}`),
  amount: amount.toString(),
})
const owed = (mint: string, principal: bigint): Debt => ({
  ...debt,
  instrument: ref(mint),
  principalDue: principal.toString(),
  terms: COLLATERAL.map((each, index) => ({ ...debt.terms[0]!, instrument: ref(each), apy: 100_000 + index })),
})

interface Case {
  readonly before: LoanBooks
  readonly change: ChangeWithoutId
  readonly steps: readonly Step[]
}

const AT = 2_000_000
const NONE = { at: AT, deposits: [], withdrawals: [], payments: [], lending: null }

const creation = ([a, b]: readonly [bigint, bigint]): Case => ({
  before: { lender, pledged: [], debts: [], lastChange: null },
  change: {
    ...NONE,
    deposits: COLLATERAL.map((mint) => pledge(mint, a)),
    lending: { lender, debts: PRINCIPALS.map((mint) => owed(mint, b)) },
  },
  steps: [
    ...COLLATERAL.map((mint) => open(ESCROW, mint)),
    ...COLLATERAL.map((mint) => transfer(mint, BORROWER, ESCROW, a)),
    ...PRINCIPALS.map((mint) => transfer(mint, VAULT, BORROWER, b)),
  ],
})

const repayment = ([a, b]: readonly [bigint, bigint]): Case => ({
  before: {
    lender,
    pledged: COLLATERAL.map((mint) => pledge(mint, 2n * a)),
    debts: PRINCIPALS.map((mint) => owed(mint, 2n * b)),
    lastChange: 'tx-0',
  },
  change: {
    ...NONE,
    payments: PRINCIPALS.map((instrument) => ({ instrument, amount: b.toString() })),
    withdrawals: COLLATERAL.map((instrument) => ({ instrument, amount: a.toString() })),
  },
  steps: [
    ...PRINCIPALS.map((mint) => transfer(mint, BORROWER, VAULT, b)),
    ...COLLATERAL.map((mint) => transfer(mint, ESCROW, BORROWER, a)),
  ],
})

const amounts = fc.tuple(fc.bigInt(1n, 10n ** 12n), fc.bigInt(1n, 10n ** 12n))
const cutAt = (steps: readonly Step[], cuts: readonly number[]): (readonly Step[])[] => {
  const places = [...new Set(cuts.map((cut) => cut % steps.length))].filter((place) => place > 0).sort((a, b) => a - b)
  return [0, ...places].map((from, index) => steps.slice(from, places[index]))
}

describe('the parts of a change', () => {
  it.each([
    ['creation', creation],
    ['repayment', repayment],
  ] as const)('of a %s are combined, in order', (_, make) => {
    fc.assert(
      fc.property(amounts, fc.array(fc.nat(20), { maxLength: 4 }), (given, cuts) => {
        const { before, change, steps } = make(given)
        const cut = cutAt(steps, cuts)
        const parts = loanParts(change, { escrow: ESCROW, vault: VAULT }, cut)
        const after = parts.reduce(
          (books, part, index) => applyLoanChange(books, { ...part, id: `tx-${index}` }),
          before,
        )
        expect(after).toEqual({
          ...applyLoanChange(before, { ...change, id: '' }),
          lastChange: `tx-${parts.length - 1}`,
        })
      }),
    )
  })

  it.each([
    ['creation', creation],
    ['repayment', repayment],
  ] as const)('of a %s contain what each step moves', (_, make) => {
    fc.assert(
      fc.property(amounts, fc.array(fc.nat(20), { maxLength: 4 }), (given, cuts) => {
        const { change, steps } = make(given)
        const cut = cutAt(steps, cuts)
        for (const [index, part] of loanParts(change, { escrow: ESCROW, vault: VAULT }, cut).entries()) {
          const moves = cut[index]!.flatMap((step) =>
            step.kind === 'transfer' ? [`${step.mint} ${step.amount} ${step.authority}`] : [],
          )
          const lent = (part.lending?.debts ?? []).map(
            ({ instrument, principalDue }) => `${instrument.address} ${principalDue} ${VAULT}`,
          )
          expect(
            [
              ...part.deposits.map(({ instrument, amount }) => `${instrument.address} ${amount} ${BORROWER}`),
              ...part.payments.map(({ instrument, amount }) => `${instrument} ${amount} ${BORROWER}`),
              ...part.withdrawals.map(({ instrument, amount }) => `${instrument} ${amount} ${ESCROW}`),
              ...lent.filter((each) => moves.includes(each)),
            ].sort(),
          ).toEqual(moves.sort())
        }
      }),
    )
  })
})
