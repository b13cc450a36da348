// Where payments and collateral of a loan go: to the position that the strategy lends from, and to the positions of the
// escrow. The borrower may have recorded any account as one of the vault or of the escrow. Such an account may be
// unknown to the lender, or be closed and reopened for another owner before the transaction lands.
import { associatedTokenAddress } from '../../solana/derive.ts'
import { ofKind, type RecordState } from '../../engine/records/record.ts'
import type { AccountRef } from '../../../machines/holding.ts'
import type { LoanBooks } from '../../../machines/lending/loan-books.ts'
import type { PositionLookup } from '../../contract/values/lookup.ts'
import { badRequest } from '../../contract/refusal.ts'
import type { Context } from '../context/platform.ts'
import { loadDestination } from '../holdings/destination.ts'
import { instrumentFor, tokenProgramOf } from '../lookup/instrument.ts'
import { resolvePaidPosition } from '../lookup/position.ts'
import { positionOf, type CollateralPlace, type LoanPlaces } from './collateral.ts'
import { principalPosition } from './principal-position.ts'

const POINTER = '/itemData/escrow'

/**
 * Positions that receive repayments, by mint: those that the strategy lends from. If the vault has no position, the
 * payment creates it. Throws 400 `POSITION_NOT_FOUND`.
 */
export async function repaymentPlaces(
  context: Context,
  { lender, debts }: LoanBooks,
  mints: readonly string[],
): Promise<LoanPlaces> {
  const { directory } = context.platform.engine
  return await places(context, lender.account, mints, (mint) => {
    const debt = debts.find(({ instrument }) => instrument.address === mint)
    const strategy = debt === undefined ? undefined : ofKind(directory.resident(debt.strategy)?.head, 'strategy')
    return strategy === undefined ? undefined : principalPosition(context.platform, strategy)?.id
  })
}

/**
 * Positions of the escrow that receive collateral, by mint. The transaction creates missing ones. Throws 400
 * `POSITION_NOT_FOUND`.
 */
export async function escrowPlaces(
  context: Context,
  { context: { escrow, pledged } }: RecordState<'loan'>,
  mints: readonly string[],
): Promise<LoanPlaces> {
  return await places(context, escrow, mints, (mint) => {
    const pledge = pledged.find(({ instrument }) => instrument.address === mint)
    return pledge?.position.id ?? undefined
  })
}

/** @param knownId id of the record of the account's position; undefined: the associated one */
async function places(
  context: Context,
  account: AccountRef,
  mints: readonly string[],
  knownId: (mint: string) => string | undefined,
): Promise<LoanPlaces> {
  const placeFor = async (mint: string): Promise<readonly [string, CollateralPlace]> => {
    const id = knownId(mint)
    const byOwner = positionOf(account, mint)
    const lookup = id === undefined ? byOwner : { ...byOwner, position: { offchainId: id } }
    if (id === undefined) checkAssociated(context, account, mint, byOwner)
    return [mint, { lookup, loaded: await loadDestination(context, lookup, true, POINTER), pointer: POINTER }]
  }
  return new Map(await Promise.all(mints.map(placeFor)))
}

function checkAssociated(context: Context, account: AccountRef, mint: string, byOwner: PositionLookup): void {
  const instrument = instrumentFor(context, mint)
  const { address } = resolvePaidPosition(context, byOwner, POINTER)
  if (instrument !== undefined && address === associatedTokenAddress(account.address, mint, tokenProgramOf(instrument)))
    return
  throw badRequest(
    'POSITION_NOT_FOUND',
    `${account.address} has no position in ${mint} except ${address}, which is not its associated account`,
    POINTER,
  )
}
