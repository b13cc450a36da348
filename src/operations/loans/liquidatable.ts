// Whether a lender may liquidate a loan now.
import { isLiquidatable, loanHealthOf, type Worth } from '../../../machines/lending/loan-health.ts'
import type { LoanBooks } from '../../../machines/lending/loan-books.ts'
import type { RecordState } from '../../engine/records/record.ts'
import { badRequest } from '../../contract/refusal.ts'
import type { Platform } from '../context/platform.ts'
import { carefulWorthOf, decidedHealth, shownQuotes } from '../views/loan-quote.ts'
import { isOverdue } from '../views/read-models/loan.ts'

const GRACE_SECONDS = 48 * 3_600

/**
 * Throws 400 `LOAN_NOT_LIQUIDATABLE`, `PRICE_MISSING`, `PRICE_STALE`.
 *
 * @param at Unix seconds
 * @returns the value of the loan's instruments
 */
export function checkLiquidatable(
  platform: Platform,
  cluster: string,
  books: LoanBooks,
  { at, pointer }: { readonly at: number; readonly pointer: string },
): Worth {
  const { loanHealth, worth } = decidedHealth(platform, cluster, books, at)
  if (!isLiquidatable(loanHealth) && !isOverdue(books.debts, at, GRACE_SECONDS))
    throw badRequest(
      'LOAN_NOT_LIQUIDATABLE',
      'the collateral covers the debt, and the loan is not overdue by more than 48 hours',
      pointer,
    )
  return worth
}

/** True if `checkLiquidatable` accepts the recorded books. */
export function mayBeLiquidated(platform: Platform, { cluster, context }: RecordState<'loan'>, at: number): boolean {
  const { valuing } = shownQuotes(platform, cluster, context, at)
  if (valuing.some(({ stale }) => stale)) return false
  const loanHealth = loanHealthOf(context, at, carefulWorthOf(valuing))
  return loanHealth !== null && (isLiquidatable(loanHealth) || isOverdue(context.debts, at, GRACE_SECONDS))
}
