// The loan read model. Debts and health are computed for the time of the read.
import { amountJson, decimalJson } from '../../../../machines/amount.ts'
import { chargedUnits, interestPerSecond } from '../../../../machines/lending/interest.ts'
import { multiplierRatio } from '../../../../machines/scale.ts'
import {
  amountDueAt,
  interestAt,
  isRepaid,
  isReleased,
  outstandingPrincipal,
  type Debt,
} from '../../../../machines/lending/loan-books.ts'
import {
  currentLoanToValue,
  healthOf,
  isLiquidatable,
  ratioOf,
  loanHealthOf,
} from '../../../../machines/lending/loan-health.ts'
import type { AccountRef } from '../../../../machines/holding.ts'
import { isHolding, type RecordState } from '../../../engine/records/record.ts'
import { loanStatus } from '../bulk/loans.ts'
import type { AccountModel } from '../../../contract/schemas/answers.ts'
import { withHeldCollateral } from '../held-collateral.ts'
import { escrowKnownTo, knownTo } from '../loan-accounts.ts'
import { shownQuotes, carefulWorthOf, type Quote } from '../loan-quote.ts'
import type { Context } from '../../context/platform.ts'
import { accountSeenBy } from './outside.ts'
import { planModel } from './plan.ts'
import { multiplierShown, referenced } from './position.ts'
import { applyScale } from './scale.ts'
import type { LoanModel } from '../../../contract/schemas/loan-answers.ts'

type Loan = RecordState<'loan'>
type Borrowed = LoanModel['borrowedItems'][number]

/** @param until Unix seconds up to which interest is estimated; absent: now */
export function loanModel({ platform, call }: Context, recorded: Loan, until?: number): LoanModel {
  const loan = withHeldCollateral(platform, recorded, 'committed')
  const { context, cluster } = loan
  const at = Math.floor(platform.clock.now() / 1000)
  const { valuing, shown: quotes } = shownQuotes(platform, cluster, context, at)
  const loanHealth = loanHealthOf(context, at, carefulWorthOf(valuing))
  const account = (reference: AccountRef) =>
    referenced({ platform, call }, knownTo({ platform, call }, reference), 'detailed')
  const health = loanHealth === null ? null : healthOf(loanHealth)
  const ltv = loanHealth === null ? null : currentLoanToValue(loanHealth)
  return {
    status: loanStatus(loan),
    lifecycleState: lifecycleOf(loan, at, valuing),
    defiProtocol: context.protocol,
    ...(context.plan === null ? {} : { chainPlan: planModel(platform, context.plan, call) }),
    escrow: escrowed({ platform, call }, context.escrow),
    borrower: account(context.borrower),
    lender: account(context.lender.account),
    pledgedItems: context.pledged
      .filter(({ amount }) => amount !== '0')
      .map(({ amount, decimals, instrument, position }) => ({
        pledgedAmount: shown({ platform, call }, BigInt(amount), decimals, instrument),
        accountDetails: escrowed({ platform, call }, position),
      })),
    borrowedItems: context.debts.map((debt) => borrowedItem({ platform, call }, loan, debt, until ?? at)),
    marketData: quotes.map((quote) => marketEntry({ platform, call }, quote)),
    health: exactInteger(health),
    currentLoanToValue: exactInteger(ltv),
  }
}

/** null if a JSON number would not hold it exactly: the collateral is worth next to nothing beside the debt. */
function exactInteger(ratio: bigint | null): number | null {
  const number = Number(ratio)
  return ratio !== null && Number.isSafeInteger(number) ? number : null
}

/** The escrow or a position of it: readers of the loan may read their records. */
function escrowed(context: Context, reference: AccountRef): AccountModel {
  const { platform, call } = context
  const { id } = escrowKnownTo(context, reference)
  const committed = id === null ? undefined : platform.engine.directory.anywhere(id)?.committed
  if (committed === undefined || !isHolding(committed)) throw new Error(`${reference.address} of a loan has no record`)
  return accountSeenBy(platform, call, committed, 'detailed')
}

/** Only fresh prices make a loan `LIQUIDATABLE`, because only fresh prices permit a liquidation. */
function lifecycleOf({ value, context }: Loan, at: number, quotes: readonly Quote[]): LoanModel['lifecycleState'] {
  if (value === 'closed') return 'CLOSED'
  // Nothing is lent yet: only the first of several creating transactions has landed.
  if (value === 'pending' || (context.debts.length === 0 && context.open !== null)) return 'PENDING'
  if (isRepaid(context, at)) return 'REPAID'
  const loanHealth = loanHealthOf(
    context,
    at,
    carefulWorthOf(quotes.map((quote) => (quote.stale ? { ...quote, worth: null } : quote))),
  )
  if (loanHealth !== null && isLiquidatable(loanHealth)) return 'LIQUIDATABLE'
  return isOverdue(context.debts, at) ? 'OVERDUE' : 'ACTIVE'
}

/** True if a debt is still due more than `grace` seconds after its term. */
export function isOverdue(debts: readonly Debt[], at: number, grace = 0): boolean {
  return debts.some((debt) => at > debt.endsAt + grace && amountDueAt(debt, at) > 0n)
}

function borrowedItem({ platform, call }: Context, { context }: Loan, debt: Debt, until: number): Borrowed {
  const amount = (raw: bigint) => shown({ platform, call }, raw, debt.decimals, debt.instrument)
  const pledges = context.pledged.filter((pledge) => isReleased(context) || pledge.amount !== '0')
  const ratio = (member: 'loanToValueRatio' | 'liquidationRatio'): number =>
    Math.min(...(pledges.length === 0 ? debt.terms : pledges).map((each) => ratioOf([debt], each, member)))
  const multiplier = multiplierShown({ platform, call }, debt.instrument.address)
  const scale = multiplier === null ? undefined : (multiplierRatio(multiplier) ?? undefined)
  const perSecond = interestPerSecond(outstandingPrincipal(debt), BigInt(debt.apy), debt.decimals, scale)
  return {
    apy: debt.apy,
    loanToValueRatio: ratio('loanToValueRatio'),
    liquidationRatio: ratio('liquidationRatio'),
    principalDue: amount(BigInt(debt.principalDue)),
    principalRepaid: amount(BigInt(debt.principalRepaid)),
    interestPerSecond: amountJson(perSecond.units, perSecond.places),
    interestOutstanding: amount(chargedUnits(BigInt(debt.interest))),
    estimatedInterest: amount(chargedUnits(interestAt(debt, until))),
    duration: { ...debt.duration },
    lastInterestUpdateTime: instant(debt.updatedAt),
    startTime: instant(debt.startedAt),
    endTime: instant(debt.endsAt),
    accountDetails: referenced({ platform, call }, knownTo({ platform, call }, debt.position), 'detailed'),
  }
}

function marketEntry(context: Context, { instrument, source, price, stale }: Quote): LoanModel['marketData'][number] {
  return {
    financialInstrument: referenced(context, knownTo(context, instrument), 'compact'),
    oracle: referenced(context, knownTo(context, source), 'compact'),
    price: price === null ? null : decimalJson(price.value),
    priceAt: price === null ? null : instant(price.asOf),
    stale,
  }
}

function shown(context: Context, raw: bigint, decimals: number, { address }: AccountRef): number | string {
  return applyScale(raw, decimals, multiplierShown(context, address)).amount
}

function instant(seconds: number): string {
  return new Date(seconds * 1000).toISOString()
}
