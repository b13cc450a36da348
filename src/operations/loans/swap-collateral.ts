// PATCH /loans/swap-collateral: exchanges pledged collateral; the remaining collateral must cover the debt. With the
// built-in protocol this is one transaction.
import type { TransactionBody } from '../../contract/values/chain-config.ts'
import type { SwapCollateralInput } from '../../contract/schemas/loan.ts'
import { alongWithAsync, eachTogether, together, togetherAsync } from '../../contract/together.ts'
import type { Write } from '../context/platform.ts'
import { referTo } from '../lookup/party.ts'
import { LoanBoard } from './board.ts'
import { begin, payingBorrower, updatedLoan } from './change-draft.ts'
import { changeLoan } from './change.ts'
import {
  checkPledgedItems,
  checkWithdrawal,
  buildDeposits,
  buildWithdrawals,
  loadWithdrawals,
  withdrawalOf,
} from './collateral.ts'
import { checkDistinct, commonOwner, supplyOf, loadSupplies, mintsOf } from './items.ts'
import { escrowPlaces } from './loan-places.ts'
import { borrowersLoan, borrowersLoanWhenFinal, makerOf, recordedBooks } from './named.ts'
import type { WithIds } from '../../contract/schemas/members.ts'

type Members = WithIds<'updatedLoan'>

export const swapCollateral: Write<TransactionBody<SwapCollateralInput>, Members> = async (
  context,
  { itemData, chainTransactionConfig: config },
) => {
  const { platform } = context
  const items = [
    () => loadSupplies(context, itemData.itemsToDeposit, 'itemsToDeposit'),
    () => loadWithdrawals(context, itemData.itemsToWithdraw, 'itemsToWithdraw'),
  ] as const
  const { loan: first } = await alongWithAsync(() => borrowersLoanWhenFinal(context, itemData), ...items)
  const { escrow } = first.context
  const onlyReleases = (itemData.itemsToDeposit ?? []).length === 0
  const releases = onlyReleases ? { books: first.context, at: Math.floor(platform.clock.now() / 1000) } : undefined
  const lending = makerOf(platform, itemData.defiProtocol, 'SWAP', releases)
  const [depositing, withdrawing] = await togetherAsync(...items)
  const places = await escrowPlaces(context, first, mintsOf(context, depositing))
  return await changeLoan(context, config, lending, {
    operation: 'SWAP',
    buildPlan: (known, at) => {
      const { entry, loan } = borrowersLoan(context, itemData)
      const [deposits, withdrawals] = together(
        () => eachTogether(depositing, (item) => supplyOf(context, known, item)),
        () => eachTogether(withdrawing, (item) => withdrawalOf(context, known, loan, item)),
      )
      const borrower = commonOwner([...deposits, ...withdrawals], loan.context.borrower.address)
      together(
        () => checkDistinct(deposits),
        () => checkDistinct(withdrawals),
      )
      const payer = payingBorrower(context, config, borrower)
      const board = new LoanBoard(context, known, payer)
      const change = {
        at,
        deposits: buildDeposits(context, board, loan, { deposits, places, payer, at }),
        withdrawals: buildWithdrawals(context, board, loan, { withdrawals, payer }),
        payments: [],
        lending: null,
      }
      checkPledgedItems(loan, change)
      checkWithdrawal(platform, loan, change)
      return {
        board,
        feePayer: payer,
        // Evaluated later, once the records of positions that the same transaction opens exist.
        change: () => ({
          ...change,
          deposits: change.deposits.map((each) => ({
            ...each,
            position: referTo(context, each.position.address),
          })),
        }),
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
