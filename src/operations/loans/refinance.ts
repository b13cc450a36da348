// PATCH /loans/refinance: replaces the debt with a new one on current terms. A new vault pays off the old one; within
// one vault no funds move, and outstanding interest becomes principal.
import { applyLoanChange, amountDueAt, type LoanBooks } from '../../../machines/lending/loan-books.ts'
import { mayOwe } from '../../../machines/lending/loan-health.ts'
import type { RecordState } from '../../engine/records/record.ts'
import type { Outcome } from '../../contract/call.ts'
import { changeRecords } from '../transactions/change-records.ts'
import type { ChainTransactionConfig, TransactionBody } from '../../contract/values/chain-config.ts'
import type { RefinanceInput } from '../../contract/schemas/loan.ts'
import type { Platform, Write, Context } from '../context/platform.ts'
import { badRequest, busy } from '../../contract/refusal.ts'
import { LoanBoard } from './board.ts'
import { checkBorrowerCap } from './borrowers.ts'
import { begin, payingBorrower, updatedLoan, type ChangeWithoutId } from './change-draft.ts'
import { changeLoan } from './change.ts'
import { endIn, pledgedTo } from './collateral.ts'
import { checkLenderFeeds } from './feed-control.ts'
import type { Borrower } from './items.ts'
import {
  checkAccepts,
  checkCap,
  checkExpected,
  checkLendsHere,
  checkOneLender,
  debtOf,
  durationOf,
  exemptVaults,
  lenderOf,
  principalEnd,
  strategyFor,
} from './lending.ts'
import {
  borrowersLoan,
  borrowersLoanWhenFinal,
  checkBorrows,
  checkSameLender,
  makerOf,
  recordedBooks,
} from './named.ts'
import { repaymentPlaces } from './loan-places.ts'
import { decidedHealth } from '../views/loan-quote.ts'
import type { WithIds } from '../../contract/schemas/members.ts'

type Members = WithIds<'updatedLoan'>

const VAULT = '/itemData/lendingDetails/loanStrategyAddress'

export const refinanceLoan: Write<TransactionBody<RefinanceInput>, Members> = async (
  context,
  { itemData, chainTransactionConfig: config },
) => {
  const { platform } = context
  const { loan: first } = await borrowersLoanWhenFinal(context, itemData)
  const lending = makerOf(platform, itemData.defiProtocol, 'REFINANCE')
  const { lender, debts } = first.context
  if (lender.account.address === itemData.lendingDetails.loanStrategyAddress)
    return await withinVault(context, itemData, config)
  checkLendsHere(context, itemData.lendingDetails.loanStrategyAddress)
  const mints = debts.map(({ instrument }) => instrument.address)
  const places = await repaymentPlaces(context, first.context, mints)
  return await changeLoan(context, config, lending, {
    operation: 'REFINANCE',
    buildPlan: (known, at) => {
      const { entry, loan } = borrowersLoan(context, itemData)
      checkSameLender(lender, loan)
      const payer = payingBorrower(context, config, borrowerOf(platform, loan))
      const board = new LoanBoard(context, known, payer)
      const renewed = renewal(context, itemData, loan, at)
      for (const { strategy, principal, mint } of renewed.lent) {
        const place = places.get(mint)
        if (place === undefined)
          throw busy('LOAN_BUSY', 'the debt of the loan has changed: retry the request', '/itemData/escrow')
        board.transfer(principalEnd(platform, strategy, principal, VAULT), endIn(context, place, payer), principal, {
          pointer: VAULT,
        })
      }
      return {
        board,
        feePayer: payer,
        change: () => renewed.change,
        before: recordedBooks(entry),
        loan,
        escrow: loan.context.escrow.address,
        signs: [itemData.lendingDetails.loanStrategyAddress],
        exempt: exemptVaults(renewed.lent.map(({ strategy }) => strategy)),
        debits: { pledges: pledgedTo(context, loan, renewed.lender) },
        prepare: begin(entry),
        members: updatedLoan(loan, 'updatedLoan'),
      }
    },
  })
}

/**
 * The new debts that replace the amounts due. Throws the refusals of the strategies, 400 `NOTHING_DUE`, `LTV_EXCEEDED`.
 */
function renewal(
  context: Context,
  { defiProtocol, lendingDetails, duration }: RefinanceInput,
  loan: RecordState<'loan'>,
  at: number,
) {
  const { platform, call } = context
  checkBorrows(call, loan)
  const books: LoanBooks = loan.context
  const mints = books.pledged
    .filter(({ amount }) => amount !== '0')
    .map(({ instrument }) => ({ mint: instrument.address, pointer: VAULT }))
  const due = books.debts
    .map((debt) => ({ debt, principal: amountDueAt(debt, at) }))
    .filter(({ principal }) => principal > 0n)
  const vault = lendingDetails.loanStrategyAddress
  // Within a vault nothing is paid off, so only strategies of the same lender count: another lender's strategy for
  // the same address must not take over the debt.
  const currentLender = books.lender.account.address === vault ? books.lender : null
  const lent = due.map(({ debt, principal }) => {
    const strategy = strategyFor(
      context,
      { protocol: defiProtocol, vault, lender: currentLender },
      debt.instrument.address,
    )
    checkAccepts(strategy, call)
    checkLenderFeeds(platform, strategy, call, VAULT)
    checkBorrowerCap(platform, strategy, call, { amount: principal, renewed: loan.id, pointer: VAULT })
    const term = durationOf(strategy, duration)
    const renewed = debtOf(strategy, mints, { position: debt.position, principal, duration: term, at })
    return { strategy, principal, mint: debt.instrument.address, debt: renewed }
  })
  const [first] = lent
  if (first === undefined) throw badRequest('NOTHING_DUE', 'the loan has no debt to refinance', '/itemData/escrow')
  checkOneLender(lent.map(({ strategy }) => strategy))
  const debts = lent.map(({ debt }) => debt)
  checkExpected(
    debts,
    mints.map(({ mint }) => mint),
    lendingDetails,
  )
  const lender = lenderOf(first.strategy)
  const change: ChangeWithoutId = { at, deposits: [], withdrawals: [], payments: [], lending: { lender, debts } }
  const { loanHealth } = decidedHealth(platform, call.cluster, applyLoanChange(books, { ...change, id: '' }), at)
  if (!mayOwe(loanHealth))
    throw badRequest(
      'LTV_EXCEEDED',
      'the debt exceeds the loan-to-value ratio of the collateral under the current terms',
      VAULT,
    )
  return { lent, lender, change }
}

async function withinVault(
  context: Context,
  itemData: RefinanceInput,
  config: ChainTransactionConfig | undefined,
): Promise<Outcome<Members>> {
  const { platform } = context
  return await changeRecords(context, (unit) => {
    const { entry, loan } = borrowersLoan(context, itemData)
    payingBorrower(context, config, borrowerOf(platform, loan))
    const { lent, change } = renewal(context, itemData, loan, Math.floor(platform.clock.now() / 1000))
    for (const { strategy, principal } of lent) checkCap(strategy, principal, VAULT)
    unit.send<'loan'>(entry, { type: 'command.change', change: { ...change, id: platform.ids() } })
    return { members: updatedLoan(loan, 'updatedLoan') }
  })
}

function borrowerOf({ engine }: Platform, { context: { borrower } }: RecordState<'loan'>): Borrower {
  return {
    address: borrower.address,
    entry: (borrower.id === null ? undefined : engine.directory.resident(borrower.id)) ?? null,
    autoSign: true,
    pointer: '/itemData/escrow',
  }
}
