// PATCH /loans/close: closes a repaid loan without collateral. The escrow's positions are closed, and their rent goes
// to the borrower.
import { ownerKey } from '../../engine/index/index-keys.ts'
import { ofKind, type RecordState } from '../../engine/records/record.ts'
import { isReleased, isRepaid } from '../../../machines/lending/loan-books.ts'
import type { TransactionBody } from '../../contract/values/chain-config.ts'
import type { LoanReference } from '../../contract/schemas/loan.ts'
import type { Context, Platform, Write } from '../context/platform.ts'
import type { Party } from '../lookup/party.ts'
import { reconcile } from '../reconcile/reconcile.ts'
import { badRequest } from '../../contract/refusal.ts'
import { instrumentFor, tokenProgramOf } from '../lookup/instrument.ts'
import { LoanBoard } from './board.ts'
import { begin, payingBorrower, updatedLoan } from './change-draft.ts'
import { changeLoan } from './change.ts'
import { endIn, escrowEnd, remainingOf, placesFor, type LoanPlaces } from './collateral.ts'
import { escrowClosed } from './escrow-side.ts'
import type { Borrower } from './items.ts'
import { borrowersLoan, borrowersLoanWhenFinal, makerOf, recordedBooks, type NamedLoan } from './named.ts'
import type { WithIds } from '../../contract/schemas/members.ts'

type Members = WithIds<'closedLoan'>

type Loan = RecordState<'loan'>

const POINTER = '/itemData/escrow'

export const closeLoan: Write<TransactionBody<LoanReference>, Members> = async (
  context,
  { itemData, chainTransactionConfig: config },
) => {
  const { platform, call } = context
  const { loan: first } = checkClosable(platform, await borrowersLoanWhenFinal(context, itemData))
  const lending = makerOf(platform, itemData.defiProtocol, 'CLOSE', {
    books: first.context,
    at: Math.floor(platform.clock.now() / 1000),
  })
  const wallet = escrowRecord(platform, first)
  // Any party may have sent tokens to the escrow. They go to the borrower, since a position with a balance cannot be
  // closed.
  await reconcile(platform, call.cluster, [...positionsOf(platform, first), ...(wallet === undefined ? [] : [wallet])])
  const mints = positionsOf(context.platform, first).map(({ context: { mint } }) => mint.address)
  const places = await placesFor(context, first.context.borrower, mints, POINTER)
  return await changeLoan(context, config, lending, {
    operation: 'CLOSE',
    buildPlan: (known, at) => {
      const { entry, loan } = checkClosable(platform, borrowersLoan(context, itemData))
      const { escrow } = loan.context
      const borrower = borrowerOf(platform, loan)
      const payer = payingBorrower(context, config, borrower)
      const board = new LoanBoard(context, known, payer)
      emptyEscrow(context, loan, board, { places, payer })
      const change = { at, deposits: [], withdrawals: [], payments: [], lending: null }
      return {
        board,
        feePayer: payer,
        change: () => change,
        before: recordedBooks(entry),
        loan,
        escrow: escrow.address,
        signs: [escrow.address],
        debits: { escrow: { from: escrow.address, of: borrower.address } },
        closes: true,
        escrowRecord: () => escrowClosed(loan.tenant, escrow.id ?? ''),
        prepare: begin(entry),
        members: updatedLoan(loan, 'closedLoan'),
      }
    },
  })
}

function borrowerOf({ engine }: Platform, { context: { borrower } }: Loan): Borrower {
  const entry = borrower.id === null ? undefined : engine.directory.resident(borrower.id)
  return { address: borrower.address, entry: entry ?? null, autoSign: true, pointer: POINTER }
}

/** Drafts the transfers of the remaining contents of the escrow to the borrower, and the closing of its positions. */
function emptyEscrow(
  context: Context,
  loan: Loan,
  board: LoanBoard,
  { places, payer }: { readonly places: LoanPlaces; readonly payer: Party },
): void {
  const { escrow, borrower } = loan.context
  for (const { id, context: position } of positionsOf(context.platform, loan)) {
    const instrument = instrumentFor(context, position.mint.address)
    if (instrument === undefined)
      throw badRequest('INSTRUMENT_NOT_FOUND', `${position.mint.address} is no longer onboarded`, POINTER)
    const surplus = BigInt(position.tokens.balance)
    const place = places.get(position.mint.address)
    if (surplus > 0n && place !== undefined) {
      const pledge = {
        instrument: position.mint,
        decimals: position.decimals,
        position: { address: position.address, id },
        amount: '0',
      }
      board.transfer(escrowEnd(context, loan, pledge), endIn(context, place, payer), surplus, { pointer: POINTER })
    }
    board.end({
      kind: 'close',
      program: tokenProgramOf(instrument),
      account: position.address,
      destination: borrower.address,
      authority: escrow.address,
    })
  }
  const lamports = BigInt(escrowRecord(context.platform, loan)?.context.lamports.balance ?? '0')
  if (lamports > 0n) board.end({ kind: 'lamports', from: escrow.address, to: borrower.address, lamports })
}

/** Throws 400 `LOAN_NOT_REPAID` naming the remaining debts and pledges. */
function checkClosable(platform: Platform, named: NamedLoan): NamedLoan {
  const at = Math.floor(platform.clock.now() / 1000)
  const { context } = named.loan
  if (isRepaid(context, at) && isReleased(context)) return named
  throw badRequest('LOAN_NOT_REPAID', remainingOf(context, at).join('; '), POINTER)
}

function positionsOf({ engine }: Platform, { tenant, cluster, context }: Loan): RecordState<'position'>[] {
  return engine.directory
    .find(ownerKey(tenant, cluster, context.escrow.address))
    .flatMap(({ head }) => ofKind(head, 'position') ?? [])
    .filter(({ value }) => value !== 'closed' && value !== 'pending')
}

function escrowRecord({ engine }: Platform, { context }: Loan): RecordState<'account'> | undefined {
  return context.escrow.id === null ? undefined : ofKind(engine.directory.resident(context.escrow.id)?.head, 'account')
}
