// PATCH /loans/close: closes a repaid loan without collateral. The escrow's positions are closed, and their rent goes
// to the borrower.
import { ownerKey } from '../../engine/index/index-keys.ts'
import { ofKind, type RecordState } from '../../engine/records/record.ts'
import { isReleased, isRepaid } from '../../../machines/loan-books.ts'
import type { TransactionBody } from '../../contract/values/chain-config.ts'
import type { LoanReference } from '../../contract/schemas/loan.ts'
import type { Platform, Write } from '../context/platform.ts'
import { reconcile } from '../reconcile/reconcile.ts'
import { badRequest } from '../../contract/refusal.ts'
import { instrumentFor, tokenProgramOf } from '../lookup/instrument.ts'
import { LoanBoard } from './board.ts'
import { begin, payingBorrower, updatedLoan } from './change-draft.ts'
import { changeLoan } from './change.ts'
import { endIn, escrowEnd, leftOf, placeFor, positionOf } from './collateral.ts'
import { escrowIsGone } from './escrow-side.ts'
import { borrowersLoan, borrowersLoanWhenFinal, makerOf, type NamedLoan } from './named.ts'
import { booksOf } from './swap-collateral.ts'
import type { WithIds } from '../../contract/schemas/members.ts'

type Members = WithIds<'closedLoan'>

type Loan = RecordState<'loan'>

export const closeLoan: Write<TransactionBody<LoanReference>, Members> = async (
  { platform, call },
  { itemData, chainTransactionConfig: config },
) => {
  const { loan: first } = closable(platform, await borrowersLoanWhenFinal({ platform, call }, itemData))
  const lending = makerOf(platform, itemData.defiProtocol, 'CLOSE', {
    books: first.context,
    at: Math.floor(platform.clock.now() / 1000),
  })
  const wallet = escrowRecord(platform, first)
  // Any party may have sent tokens to the escrow. They go to the borrower, since a position with a balance cannot be
  // closed.
  await reconcile(platform, call.cluster, [...positionsOf(platform, first), ...(wallet === undefined ? [] : [wallet])])
  const places = new Map(
    await Promise.all(
      positionsOf(platform, first).map(async ({ context }) => {
        const mint = context.mint.address
        return [
          mint,
          await placeFor({ platform, call }, positionOf(first.context.borrower, mint), '/itemData/escrow'),
        ] as const
      }),
    ),
  )
  return await changeLoan({ platform, call }, config, lending, {
    operation: 'CLOSE',
    draw: (known, at) => {
      const { entry, loan } = closable(platform, borrowersLoan({ platform, call }, itemData))
      const { escrow, borrower: reference } = loan.context
      const borrower = {
        address: reference.address,
        entry: (reference.id === null ? undefined : platform.engine.directory.resident(reference.id)) ?? null,
        autoSign: true,
        pointer: '/itemData/escrow',
      }
      const payer = payingBorrower({ platform, call }, config, borrower)
      const board = new LoanBoard({ platform, call }, known, payer)
      for (const { id, context } of positionsOf(platform, loan)) {
        const instrument = instrumentFor({ platform, call }, context.mint.address)
        if (instrument === undefined)
          throw badRequest('INSTRUMENT_NOT_FOUND', `${context.mint.address} is no longer onboarded`, '/itemData/escrow')
        const surplus = BigInt(context.tokens.balance)
        const place = places.get(context.mint.address)
        if (surplus > 0n && place !== undefined) {
          const pledge = {
            instrument: context.mint,
            decimals: context.decimals,
            position: { address: context.address, id },
            amount: '0',
          }
          board.transfer(
            escrowEnd({ platform, call }, loan, pledge),
            endIn({ platform, call }, place, payer),
            surplus,
            { pointer: '/itemData/escrow' },
          )
        }
        const program = tokenProgramOf(instrument)
        board.end({
          kind: 'close',
          program,
          account: context.address,
          destination: borrower.address,
          authority: escrow.address,
        })
      }
      const lamports = BigInt(escrowRecord(platform, loan)?.context.lamports.balance ?? '0')
      if (lamports > 0n) board.end({ kind: 'lamports', from: escrow.address, to: borrower.address, lamports })
      const change = { at, deposits: [], withdrawals: [], payments: [], lending: null }
      return {
        board,
        feePayer: payer,
        change: () => change,
        before: booksOf(loan.context),
        loan,
        escrow: escrow.address,
        signs: [escrow.address],
        debits: { escrow: { from: escrow.address, of: borrower.address } },
        closes: true,
        escrowRecord: () => escrowIsGone(loan.tenant, escrow.id ?? ''),
        prepare: begin(entry),
        members: updatedLoan(loan, 'closedLoan'),
      }
    },
  })
}

/** Throws 400 `LOAN_NOT_REPAID` naming what is left. */
function closable(platform: Platform, named: NamedLoan): NamedLoan {
  const at = Math.floor(platform.clock.now() / 1000)
  const { context } = named.loan
  if (isRepaid(context, at) && isReleased(context)) return named
  throw badRequest('LOAN_NOT_REPAID', leftOf(context, at).join('; '), '/itemData/escrow')
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
