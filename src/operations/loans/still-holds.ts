// A change of a loan that waited for a signature or an approval is judged again, by the prices and the strategy of now, before a key of its
// vault or escrow is used: what was right when it was asked for is no right to have it whenever one likes.
import { isDeepStrictEqual } from 'node:util'
import type { RecordEvent } from '../../../machines/transaction-record.ts'
import { changed, isRepaid, type Debt, type LoanChange } from '../../../machines/loan-books.ts'
import { mayOwe, seizure } from '../../../machines/loan-health.ts'
import type { LoanEvent } from '../../../machines/loan.ts'
import { ofKind, type RecordState } from '../../engine/record.ts'
import type { Platform } from '../platform.ts'
import { badRequest } from '../refusal.ts'
import { checkAccepts, principalEnd } from './lending.ts'
import { decidedStanding } from './quote.ts'

type Loan = RecordState<'loan'>

/**
 * Throws 400 `PRICE_MISSING`, `PRICE_STALE`, `LOAN_UNHEALTHY`, `LTV_EXCEEDED`, `LOAN_TERMS_CHANGED`, `INSUFFICIENT_PRINCIPAL`,
 * `ORIGINATIONS_DISABLED`, `BORROWER_NOT_ACCEPTED`.
 */
export function checkStillHolds(platform: Platform, { context }: RecordState<'transaction'>, pointer: string): void {
  for (const { record, facts } of context.fixed.entries) {
    const loan = ofKind(platform.engine.directory.byId(record)?.head, 'loan')
    if (loan === undefined) continue
    for (const { event } of facts) if (isChange(event)) checkChange(platform, loan, event.change, pointer)
  }
}

function isChange(event: RecordEvent): event is RecordEvent & Extract<LoanEvent, { type: 'chain.changed' }> {
  return event.type === 'chain.changed'
}

function checkChange(platform: Platform, loan: Loan, change: LoanChange, pointer: string): void {
  const at = Math.floor(platform.clock.now() / 1000)
  if (change.seizes === true) {
    checkSeizure(platform, loan, change, at, pointer)
    return
  }
  if (change.withdrawals.length === 0 && change.lending === null) return
  const after = changed(loan.context, change)
  if (isRepaid(after, change.at)) return
  const { standing } = decidedStanding(platform, loan.cluster, after, at)
  if (!mayOwe(standing))
    throw badRequest(
      change.lending === null ? 'LOAN_UNHEALTHY' : 'LTV_EXCEEDED',
      'by the prices of now the collateral does not carry what would be owed: cancel it and ask again',
      pointer,
    )
  for (const debt of change.lending?.debts ?? []) checkLent(platform, loan, debt, pointer)
}

/** The lender's terms may have become others since, and the vault emptier. */
function checkLent(platform: Platform, loan: Loan, debt: Debt, pointer: string): void {
  const strategy = ofKind(platform.engine.directory.byId(debt.strategy)?.head, 'strategy')
  if (strategy === undefined || !isDeepStrictEqual(strategy.context.collateral, debt.terms))
    throw badRequest('LOAN_TERMS_CHANGED', 'the strategy has other terms by now: cancel it and ask again', pointer)
  checkAccepts(strategy, { tenant: loan.tenant, organization: loan.context.organization })
  principalEnd(platform, strategy, BigInt(debt.principalDue), pointer)
}

function checkSeizure(platform: Platform, { cluster, context }: Loan, change: LoanChange, at: number, pointer: string): void {
  const { worth } = decidedStanding(platform, cluster, context, at)
  const taken = seizure(context, change.at, worth)
  const raw = (amounts: readonly { readonly instrument: string; readonly amount: bigint }[] = []) =>
    amounts.map(({ instrument, amount }) => ({ instrument, amount: amount.toString() }))
  if (!isDeepStrictEqual([raw(taken?.withdrawals), raw(taken?.payments)], [change.withdrawals, change.payments]))
    throw badRequest('PRICE_STALE', 'the prices that this liquidation was decided by have moved: cancel it and ask again', pointer)
}
