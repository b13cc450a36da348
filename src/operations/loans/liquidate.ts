// PATCH /loans/liquidate: the lender takes collateral that covers the debt at fresh prices, if the loan is
// undercollateralized or overdue by more than 48 hours. The borrower can withdraw the rest.
import type { LoanBooks } from '../../../machines/lending/loan-books.ts'
import { seizure } from '../../../machines/lending/loan-health.ts'
import { isUnsigned } from '../../engine/index/record-keys.ts'
import { ofKind } from '../../engine/records/record.ts'
import { sendWithConsequences } from '../../engine/settlement/settlement.ts'
import type { TransactionBody } from '../../contract/values/chain-config.ts'
import type { LoanReference } from '../../contract/schemas/loan.ts'
import type { Write, Context } from '../context/platform.ts'
import { badRequest, busy } from '../../contract/refusal.ts'
import { feePayerOf } from '../transactions/fee-payer.ts'
import { LoanBoard } from './board.ts'
import { begin, updatedLoan } from './change-draft.ts'
import { changeLoan } from './change.ts'
import { endIn, escrowEnd, placesFor } from './collateral.ts'
import { checkLiquidatable, mayBeLiquidated } from './liquidatable.ts'
import { endReservation, reserveForLiquidation } from './due-liquidation.ts'
import {
  checkSameLender,
  hasFinalChange,
  lendersLoan,
  lendersLoanWhenFinal,
  makerOf,
  readableLoan,
  recordedBooks,
} from './named.ts'
import { refreshSeizable, seizableBooks } from './seizable.ts'
import { withHeldCollateral } from '../views/held-collateral.ts'
import { operationResult } from '../context/as-refusal.ts'
import type { Entry } from '../../engine/records/entry.ts'
import { clusterOf } from '../transactions/transact.ts'
import type { WithIds } from '../../contract/schemas/members.ts'

type Members = WithIds<'updatedLoan'>

const POINTER = '/itemData/escrow'

export const liquidateLoan: Write<TransactionBody<LoanReference>, Members> = async (context, body) => {
  const lent = await makeWay(context, body.itemData)
  const made = await operationResult(liquidate(context, body))
  if (made.ok) return made.result
  // Refused for another reason, the lender has nothing to wait for.
  const isBusy = made.refusal?.problems.some(({ code }) => code === 'LOAN_BUSY') ?? false
  if (lent !== null && !isBusy) endReservation(lent)
  throw made.error
}

const liquidate: Write<TransactionBody<LoanReference>, Members> = async (
  { platform, call },
  { itemData, chainTransactionConfig: config },
) => {
  const named = await lendersLoanWhenFinal({ platform, call }, itemData)
  const { context } = named.loan
  const lending = makerOf(platform, itemData.defiProtocol, 'LIQUIDATE')
  const mints = context.pledged.map(({ instrument }) => instrument.address)
  const places = await placesFor({ platform, call }, context.lender.account, mints, POINTER)
  await refreshSeizable(platform, context)
  const outcome = await changeLoan({ platform, call }, config, lending, {
    operation: 'LIQUIDATE',
    buildPlan: (known, at) => {
      const { entry, loan } = lendersLoan({ platform, call }, itemData)
      checkSameLender(context.lender, loan)
      const books: LoanBooks = loan.context
      const worth = checkLiquidatable(platform, call.cluster, books, { at, pointer: POINTER })
      const liquidation = seizure(seizableBooks(platform, call.cluster, books), at, worth)
      if (liquidation === null || liquidation.withdrawals.length === 0)
        throw badRequest('LOAN_NOT_LIQUIDATABLE', 'the loan has no collateral to liquidate', POINTER)
      const feePayer = feePayerOf({ platform, call }, config)
      const board = new LoanBoard({ platform, call }, known, feePayer)
      for (const { instrument, amount } of liquidation.withdrawals) {
        const pledge = books.pledged.find((each) => each.instrument.address === instrument)
        const place = places.get(instrument)
        if (pledge === undefined || place === undefined)
          throw busy('LOAN_BUSY', 'the collateral of the loan has changed: retry the request', POINTER)
        board.transfer(
          escrowEnd({ platform, call }, loan, pledge),
          endIn({ platform, call }, place, feePayer),
          amount,
          { pointer: POINTER },
        )
      }
      const raw = ({ instrument, amount }: { readonly instrument: string; readonly amount: bigint }) => ({
        instrument,
        amount: amount.toString(),
      })
      const change = {
        at,
        deposits: [],
        withdrawals: liquidation.withdrawals.map(raw),
        payments: liquidation.payments.map(raw),
        lending: null,
        seizes: true as const,
      }
      return {
        board,
        feePayer,
        change: () => change,
        before: recordedBooks(entry),
        loan,
        escrow: loan.context.escrow.address,
        signs: [loan.context.escrow.address],
        debits: { escrow: { from: loan.context.escrow.address, of: books.lender.account.address } },
        prepare: begin(entry),
        members: updatedLoan(loan, 'updatedLoan'),
      }
    },
  })
  if (!call.dryRun) endReservation(named.entry)
  return outcome
}

/**
 * Cancels a transaction of the loan that no key of this service has signed. Otherwise a borrower could block
 * liquidation by withholding a signature, or by giving one of several that are made elsewhere. A signed one may land:
 * while it is open, the borrower begins no other.
 *
 * @returns the loan, which may be reserved for the liquidation; null if this call cannot liquidate it
 */
async function makeWay(context: Context, { escrow }: LoanReference): Promise<Entry | null> {
  const { platform, call } = context
  const named = readableLoan(context, escrow)
  const loan = withHeldCollateral(platform, named.loan)
  const { lender, open } = loan.context
  const isLenders = lender.tenant === call.tenant && lender.organization === call.organization
  if (call.dryRun || !isLenders) return null
  if (open === null && hasFinalChange(platform, loan)) return named.entry
  const now = platform.clock.now()
  const entry = open === null ? undefined : platform.engine.directory.resident(open)
  const transaction = ofKind(entry?.head, 'transaction')
  if (entry === undefined || transaction === undefined || !isUnsigned(transaction)) {
    if (mayBeLiquidated(platform, loan, Math.floor(now / 1000))) reserveForLiquidation(platform, named.entry)
    else endReservation(named.entry)
    return named.entry
  }
  checkLiquidatable(platform, call.cluster, loan.context, { at: Math.floor(now / 1000), pointer: POINTER })
  const at = new Date(now).toISOString()
  await platform.engine.transact((unit) =>
    sendWithConsequences(platform.engine, unit, entry, { event: { type: 'command.cancel', at }, at }),
  ).durable
  clusterOf(context).forget(entry.head.id)
  return named.entry
}
