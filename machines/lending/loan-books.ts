// Ledger of a loan: pledges, debts and terms, and how a change is applied. Pure: the check before signing and the
// settlement use the same calculation.
import type { AccountRef } from '../holding.ts'
import { accruedInterest, chargedUnits, durationSeconds, INTEREST_SCALE, type Duration } from './interest.ts'
import type { Raw } from '../protocol.ts'

/** A lender's terms for one collateral instrument. Rates and ratios in hundredths of a basis point. */
export interface CollateralTerms {
  readonly instrument: AccountRef
  readonly apy: number
  /** Maximum debt at origination and after every withdrawal, relative to the value of the collateral. */
  readonly loanToValueRatio: number
  /** The loan is liquidatable when the debt exceeds this part of the collateral's value. */
  readonly liquidationRatio: number
  readonly maxPriceAgeSeconds: number
  /** Data source of the instrument's price. */
  readonly source: AccountRef
}

export interface Pledge {
  readonly instrument: AccountRef
  readonly decimals: number
  /** Token account of the escrow. */
  readonly position: AccountRef
  /** Raw units in the escrow for this loan. */
  readonly amount: Raw
}

export interface Debt {
  /** Id of the lending strategy. */
  readonly strategy: string
  readonly instrument: AccountRef
  readonly decimals: number
  /** Token account of the borrower. */
  readonly position: AccountRef
  /** Data source of the principal's price. */
  readonly source: AccountRef
  /** The strategy's terms at origination, for every instrument it accepted. */
  readonly terms: readonly CollateralTerms[]
  readonly apy: number
  readonly duration: Duration
  /** Unix seconds. */
  readonly startedAt: number
  readonly endsAt: number
  /** Raw units: principal lent, principal repaid, interest paid. */
  readonly principalDue: Raw
  readonly principalRepaid: Raw
  readonly interestRepaid: Raw
  /** Unpaid interest as of `updatedAt`, over `INTEREST_SCALE` raw units. */
  readonly interest: string
  readonly updatedAt: number
}

/** The lender; replaced by a refinance. */
export interface Lender {
  readonly account: AccountRef
  readonly tenant: string
  readonly organization: string
}

export interface LoanBooks {
  readonly lender: Lender
  readonly pledged: readonly Pledge[]
  readonly debts: readonly Debt[]
  /** Id of the transaction of the latest change; null before the first. */
  readonly lastChange: string | null
}

export interface LoanPayment {
  /** Address of the principal's mint. */
  readonly instrument: string
  /** Raw units. */
  readonly amount: Raw
}

/** The effect of one transaction on the ledger. JSON, stored in the record of the transaction. */
export interface LoanChange {
  readonly id: string
  /** Time up to which interest is settled, Unix seconds. */
  readonly at: number
  /** Collateral put into escrow, and taken out. */
  readonly deposits: readonly Pledge[]
  readonly withdrawals: readonly { readonly instrument: string; readonly amount: Raw }[]
  readonly payments: readonly LoanPayment[]
  /** New debts that replace all existing ones: origination, refinance. */
  readonly lending: { readonly lender: Lender; readonly debts: readonly Debt[] } | null
  /** A liquidation: the withdrawn collateral covers the debt, and the remaining collateral need not secure anything. */
  readonly seizes?: true
}

export function outstandingPrincipal(debt: Debt): bigint {
  return BigInt(debt.principalDue) - BigInt(debt.principalRepaid)
}

/** Interest as of `at`, over `INTEREST_SCALE`. Never decreases: a clock that runs backwards adds nothing. */
export function interestAt(debt: Debt, at: number): bigint {
  return (
    BigInt(debt.interest) + accruedInterest(outstandingPrincipal(debt), BigInt(debt.apy), BigInt(at - debt.updatedAt))
  )
}

/** Raw units that repay the debt at `at`. */
export function amountDueAt(debt: Debt, at: number): bigint {
  return outstandingPrincipal(debt) + chargedUnits(interestAt(debt, at))
}

/**
 * Principal and interest of the whole term, the basis of health. After the term, interest continues at the same rate.
 */
export function wholeTermDebt(debt: Debt, at: number): bigint {
  return amountDueAt(debt, Math.max(at, debt.endsAt))
}

export function isRepaid({ debts }: Pick<LoanBooks, 'debts'>, at: number): boolean {
  return debts.every((debt) => amountDueAt(debt, at) === 0n)
}

export function isReleased({ pledged }: Pick<LoanBooks, 'pledged'>): boolean {
  return pledged.every(({ amount }) => amount === '0')
}

/** The highest rate among the terms for the pledged instruments. */
export function rateOf(terms: readonly CollateralTerms[], pledged: readonly string[]): number {
  return Math.max(0, ...terms.filter(({ instrument }) => pledged.includes(instrument.address)).map(({ apy }) => apy))
}

export function newDebt(
  given: Omit<Debt, 'startedAt' | 'endsAt' | 'principalRepaid' | 'interestRepaid' | 'interest' | 'updatedAt'>,
  at: number,
): Debt {
  const endsAt = at + durationSeconds(given.duration)
  return { ...given, startedAt: at, endsAt, principalRepaid: '0', interestRepaid: '0', interest: '0', updatedAt: at }
}

/**
 * The debt as of `at` after a payment, which settles interest first. The caller guarantees that the payment does not
 * exceed the amount due.
 */
export function payDebt(debt: Debt, payment: bigint, at: number): Debt {
  const interest = interestAt(debt, at)
  const charged = chargedUnits(interest)
  const toInterest = payment < charged ? payment : charged
  const left = interest - toInterest * INTEREST_SCALE
  return {
    ...debt,
    interest: (left > 0n ? left : 0n).toString(),
    interestRepaid: (BigInt(debt.interestRepaid) + toInterest).toString(),
    principalRepaid: (BigInt(debt.principalRepaid) + payment - toInterest).toString(),
    updatedAt: Math.max(at, debt.updatedAt),
  }
}

/** The ledger after a change; members that the change does not name stay. */
export function applyLoanChange(books: LoanBooks, change: LoanChange): LoanBooks {
  const pledged = withdrawn(deposited(books.pledged, change), change)
  const held = pledged.filter(({ amount }) => amount !== '0').map(({ instrument }) => instrument.address)
  const lent = change.lending?.debts ?? books.debts
  const debts = lent.map((debt) => {
    const payment = change.payments.find(({ instrument }) => instrument === debt.instrument.address)
    const settled = payDebt(debt, BigInt(payment?.amount ?? '0'), change.at)
    // Without pledges no terms determine a rate, so the rate stays.
    return held.length === 0 ? settled : { ...settled, apy: rateOf(debt.terms, held) }
  })
  return { lender: change.lending?.lender ?? books.lender, pledged, debts, lastChange: change.id }
}

function deposited(pledged: readonly Pledge[], { deposits }: LoanChange): readonly Pledge[] {
  const known = pledged.map((pledge) => ({
    ...pledge,
    amount: (BigInt(pledge.amount) + sumFor(pledge.instrument.address, deposits)).toString(),
  }))
  const fresh = deposits.filter(
    ({ instrument }) => !pledged.some((each) => each.instrument.address === instrument.address),
  )
  return [...known, ...fresh]
}

function sumFor(mint: string, deposits: readonly Pledge[]): bigint {
  return deposits.reduce(
    (total, { instrument, amount }) => (instrument.address === mint ? total + BigInt(amount) : total),
    0n,
  )
}

function withdrawn(pledged: readonly Pledge[], { withdrawals }: LoanChange): readonly Pledge[] {
  return pledged.map((pledge) => {
    const out = withdrawals.reduce(
      (total, { instrument, amount }) => (instrument === pledge.instrument.address ? total + BigInt(amount) : total),
      0n,
    )
    return { ...pledge, amount: (BigInt(pledge.amount) - out).toString() }
  })
}
