// Evaluates a loan change that waited for a signature or an approval again, with current prices and the current
// strategy, before a key of its vault or escrow is used. Otherwise the requester could choose the moment at which an
// earlier decision takes effect.
import { isDeepStrictEqual } from 'node:util'
import {
  amountDueAt,
  applyLoanChange,
  isRepaid,
  type Debt,
  type LoanChange,
} from '../../../machines/lending/loan-books.ts'
import { durationSeconds } from '../../../machines/lending/interest.ts'
import { mayOwe, seizure } from '../../../machines/lending/loan-health.ts'
import { ofKind, type RecordState } from '../../engine/records/record.ts'
import type { Platform } from '../context/platform.ts'
import { badRequest } from '../../contract/refusal.ts'
import { checkBorrowerCap, isLoanChange } from './borrowers.ts'
import { checkFeedsOfDebts, checkLenderFeeds } from './feed-control.ts'
import { checkAccepts, principalEnd } from './lending.ts'
import { checkLiquidatable } from './liquidatable.ts'
import { seizableBooks } from './seizable.ts'
import { withHeldCollateral } from '../views/held-collateral.ts'
import { decidedHealth } from '../views/loan-quote.ts'

type Loan = RecordState<'loan'>

/**
 * Maximum time between the settlement of interest and a signature: as long as an approval of a debit may wait. A later
 * signature would cost the lender the interest that has accrued since.
 */
const MAX_SETTLED_AGO_SECONDS = 7_200

/**
 * Throws 400 `PRICE_MISSING`, `PRICE_STALE`, `LOAN_UNHEALTHY`, `LTV_EXCEEDED`, `LOAN_TERMS_CHANGED`,
 * `INSUFFICIENT_PRINCIPAL`, `ORIGINATIONS_DISABLED`, `BORROWER_NOT_ACCEPTED`, `BORROWER_CAP_EXCEEDED`,
 * `FEED_NOT_INDEPENDENT`, `LOAN_NOT_LIQUIDATABLE`.
 */
export function checkStillHolds(platform: Platform, { context }: RecordState<'transaction'>, pointer: string): void {
  const { entries, limiting } = context.fixed
  for (const { record, facts } of entries) {
    const loan = ofKind(platform.engine.directory.resident(record)?.head, 'loan')
    if (loan === undefined) continue
    for (const { event } of facts)
      if (isLoanChange(event))
        checkChange(platform, withHeldCollateral(platform, loan), event.change, {
          exempt: limiting?.exempt ?? [],
          pointer,
        })
  }
}

function checkChange(
  platform: Platform,
  loan: Loan,
  change: LoanChange,
  { exempt, pointer }: { readonly exempt: readonly string[]; readonly pointer: string },
): void {
  const at = Math.floor(platform.clock.now() / 1000)
  if (change.seizes === true) {
    checkSeizure(platform, loan, change, { at, pointer })
    return
  }
  checkInterest(loan, change, at, pointer)
  if (change.withdrawals.length === 0 && change.lending === null) return
  const after = applyLoanChange(loan.context, change)
  if (isRepaid(after, change.at)) return
  if (change.lending === null) checkFeedsOfDebts(platform, loan, at, pointer)
  const { loanHealth } = decidedHealth(platform, loan.cluster, after, at)
  if (!mayOwe(loanHealth))
    throw badRequest(
      change.lending === null ? 'LOAN_UNHEALTHY' : 'LTV_EXCEEDED',
      'at current prices the collateral does not cover the debt: cancel the transaction and repeat the request',
      pointer,
    )
  for (const debt of change.lending?.debts ?? []) checkLent(platform, loan, debt, { exempt, pointer })
}

/**
 * A payment contains the interest accrued at the time of the request, so repayments and refinancing must be signed soon
 * after it.
 */
function checkInterest({ context }: Loan, change: LoanChange, at: number, pointer: string): void {
  if (change.payments.length === 0 && change.lending === null) return
  if (at - change.at <= MAX_SETTLED_AGO_SECONDS) return
  const hasGrown = context.debts.some((debt) => amountDueAt(debt, at) > amountDueAt(debt, change.at))
  if (hasGrown)
    throw badRequest(
      'LOAN_TERMS_CHANGED',
      'interest has accrued since the request: cancel the transaction and repeat the request',
      pointer,
    )
}

/** Since the request the lender may have changed its terms, and the vault balance may have decreased. */
function checkLent(
  platform: Platform,
  loan: Loan,
  debt: Debt,
  { exempt, pointer }: { readonly exempt: readonly string[]; readonly pointer: string },
): void {
  const strategy = ofKind(platform.engine.directory.resident(debt.strategy)?.head, 'strategy')
  const wasExempt = strategy !== undefined && exempt.includes(strategy.context.vault.address)
  const isUnchanged =
    strategy !== undefined &&
    isDeepStrictEqual([strategy.context.collateral, strategy.context.source], [debt.terms, debt.source]) &&
    durationSeconds(debt.duration) <= durationSeconds(strategy.context.duration) &&
    (!wasExempt || strategy.context.exemptFromDebitLimits === true)
  if (!isUnchanged)
    throw badRequest(
      'LOAN_TERMS_CHANGED',
      'the terms of the strategy have changed: cancel the transaction and repeat the request',
      pointer,
    )
  const borrower = { tenant: loan.tenant, organization: loan.context.organization }
  const amount = BigInt(debt.principalDue)
  checkAccepts(strategy, borrower)
  checkLenderFeeds(platform, strategy, borrower, pointer)
  checkBorrowerCap(platform, strategy, borrower, { amount, renewed: loan.id, pointer })
  principalEnd(platform, strategy, amount, pointer)
}

function checkSeizure(
  platform: Platform,
  { cluster, context }: Loan,
  change: LoanChange,
  { at, pointer }: { readonly at: number; readonly pointer: string },
): void {
  const { worth } = decidedHealth(platform, cluster, context, at)
  const liquidation = seizure(seizableBooks(platform, cluster, context), change.at, worth)
  const raw = (amounts: readonly { readonly instrument: string; readonly amount: bigint }[] = []) =>
    amounts.map(({ instrument, amount }) => ({ instrument, amount: amount.toString() }))
  if (
    !isDeepStrictEqual(
      [raw(liquidation?.withdrawals), raw(liquidation?.payments)],
      [change.withdrawals, change.payments],
    )
  )
    throw badRequest(
      'PRICE_STALE',
      'the prices of this liquidation have changed: cancel the transaction and repeat the request',
      pointer,
    )
  // The collateral that is not seized may have risen in value, so that the loan is healthy again.
  checkLiquidatable(platform, cluster, context, { at, pointer })
}
