// PATCH /loans/repay: the borrower pays interest and principal, in part or in full, and withdraws the collateral that
// is no longer needed. With the built-in protocol this is one transaction.
import { amountDueAt } from '../../../machines/lending/loan-books.ts'
import type { RecordState } from '../../engine/records/record.ts'
import type { TransactionBody } from '../../contract/values/chain-config.ts'
import type { RepayLoanInput } from '../../contract/schemas/loan.ts'
import type { Write } from '../context/platform.ts'
import { alongWithAsync, eachTogether, together, togetherAsync } from '../../contract/together.ts'
import { badRequest } from '../../contract/refusal.ts'
import { LoanBoard } from './board.ts'
import { begin, payingBorrower, updatedLoan } from './change-draft.ts'
import { changeLoan } from './change.ts'
import { checkWithdrawal, buildWithdrawals, endIn, loadWithdrawals, withdrawalOf } from './collateral.ts'
import { checkDistinct, commonOwner, buildSupply, supplyOf, loadSupplies, type Supply, mintsOf } from './items.ts'
import { borrowersLoan, borrowersLoanWhenFinal, checkSameLender, makerOf, recordedBooks } from './named.ts'
import { repaymentPlaces } from './loan-places.ts'
import type { WithIds } from '../../contract/schemas/members.ts'

type Members = WithIds<'updatedLoan'>

export const repayLoan: Write<TransactionBody<RepayLoanInput>, Members> = async (
  context,
  { itemData, chainTransactionConfig: config },
) => {
  const { platform } = context
  const items = [
    () => loadSupplies(context, itemData.itemsToRepay, 'itemsToRepay'),
    () => loadWithdrawals(context, itemData.itemsToRelease, 'itemsToRelease'),
  ] as const
  const { loan: named } = await alongWithAsync(() => borrowersLoanWhenFinal(context, itemData), ...items)
  const first = named.context
  const { lender, escrow } = first
  const onlyReleases = (itemData.itemsToRepay ?? []).length === 0
  const releases = onlyReleases ? { books: first, at: Math.floor(platform.clock.now() / 1000) } : undefined
  const lending = makerOf(platform, itemData.defiProtocol, 'REPAY', releases)
  const [paying, releasing] = await togetherAsync(...items)
  const places = await repaymentPlaces(context, first, mintsOf(context, paying))
  return await changeLoan(context, config, lending, {
    operation: 'REPAY',
    buildPlan: (known, at) => {
      const { entry, loan } = borrowersLoan(context, itemData)
      checkSameLender(lender, loan)
      const [supplies, withdrawals] = together(
        () => eachTogether(paying, (item) => supplyOf(context, known, item)),
        () => eachTogether(releasing, (item) => withdrawalOf(context, known, loan, item)),
      )
      const borrower = commonOwner([...supplies, ...withdrawals], loan.context.borrower.address)
      together(
        () => checkDistinct(supplies),
        () => checkDistinct(withdrawals),
      )
      const payer = payingBorrower(context, config, borrower)
      const board = new LoanBoard(context, known, payer)
      const payments = supplies.map((supply) => {
        const amount = paymentOf(loan, supply, at)
        const mint = supply.instrument.context.address
        const place = places.get(mint)
        if (place === undefined) throw new Error(`nothing was asked about the lender's position in ${mint}`)
        buildSupply(context, board, supply, { amount, to: endIn(context, place, payer), payer })
        return { instrument: mint, amount: amount.toString() }
      })
      const change = {
        at,
        deposits: [],
        withdrawals: buildWithdrawals(context, board, loan, { withdrawals, payer }),
        payments,
        lending: null,
      }
      checkWithdrawal(platform, loan, change)
      return {
        board,
        feePayer: payer,
        change: () => change,
        before: recordedBooks(entry),
        loan,
        escrow: escrow.address,
        signs: [escrow.address],
        debits: { escrow: { from: escrow.address, of: borrower.address } },
        prepare: begin(entry),
        members: updatedLoan(loan, 'updatedLoan'),
      }
    },
  })
}

/** The payment in raw units. Throws 400 `ITEM_NOT_BORROWED`, `OVERPAYMENT`. */
function paymentOf({ context }: RecordState<'loan'>, { instrument, amount, pointer }: Supply, at: number): bigint {
  const debt = context.debts.find((each) => each.instrument.address === instrument.context.address)
  if (debt === undefined)
    throw badRequest('ITEM_NOT_BORROWED', 'the loan has no debt in this instrument', `${pointer}/positionLookup`)
  const due = amountDueAt(debt, at)
  if (due === 0n || (amount !== null && amount > due))
    throw badRequest('OVERPAYMENT', `${due} raw units are due`, pointer)
  return amount ?? due
}
