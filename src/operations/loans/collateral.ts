// Collateral of an existing loan: deposits into the escrow and withdrawals to the borrower.
import { associatedTokenAddress } from '../../solana/derive.ts'
import { ofKind, type RecordState } from '../../engine/records/record.ts'
import type { AccountRef } from '../../../machines/holding.ts'
import type { RenewedPledge } from '../../../machines/lending/loan-debits.ts'
import {
  applyLoanChange,
  amountDueAt,
  isRepaid,
  type Lender,
  type LoanBooks,
  type LoanChange,
  type Pledge,
} from '../../../machines/lending/loan-books.ts'
import { mayOwe } from '../../../machines/lending/loan-health.ts'
import type { PositionLookup } from '../../contract/values/lookup.ts'
import type { SupplyInput } from '../../contract/schemas/loan.ts'
import type { Platform, Context } from '../context/platform.ts'
import { badRequest, refuseAll } from '../../contract/refusal.ts'
import { togetherAsync } from '../../contract/together.ts'
import { instrumentFor, instrumentRef, tokenProgramOf } from '../lookup/instrument.ts'
import type { Party } from '../lookup/party.ts'
import { destinationOf, loadDestination, type LoadedDestination } from '../holdings/destination.ts'
import { tokenUnits } from '../holdings/units.ts'
import type { KnownAccounts } from '../transactions/known-accounts.ts'
import { endAt, existingEnd, type End, type LoanBoard } from './board.ts'
import type { ChangeWithoutId } from './change-draft.ts'
import { checkFeedsOfDebts } from './feed-control.ts'
import { buildSupply, itemPosition, type ItemPosition, type Supply, type LoadedItem } from './items.ts'
import { decidedHealth } from '../views/loan-quote.ts'

const MAX_ITEMS = 5

type Loan = RecordState<'loan'>

/** Destination of a transfer of the loan: a position that is created if it does not exist. */
export interface CollateralPlace {
  readonly lookup: PositionLookup
  readonly loaded: LoadedDestination
  readonly pointer: string
}

/** Destinations by mint. */
export type LoanPlaces = ReadonlyMap<string, CollateralPlace>

/** The places for these instruments at an account of the loan. */
export async function placesFor(
  context: Context,
  account: AccountRef,
  mints: readonly string[],
  pointer: string,
): Promise<LoanPlaces> {
  const placeFor = async (mint: string): Promise<readonly [string, CollateralPlace]> => {
    const lookup = positionOf(account, mint)
    return [mint, { lookup, loaded: await loadDestination(context, lookup, true, pointer), pointer }]
  }
  return new Map(await Promise.all(mints.map(placeFor)))
}

export function endIn(context: Context, { lookup, loaded, pointer }: CollateralPlace, payer: Party): End {
  const destination = destinationOf(context, lookup, loaded, { feePayer: payer, pointer, initialize: true })
  const { owner } = destination.position
  if (owner === null) throw badRequest('POSITION_NOT_FOUND', 'the position is not onboarded', pointer)
  return endAt(destination, owner)
}

/** Lookup of the position that an account of the loan has in an instrument. */
export function positionOf(account: AccountRef, mint: string): PositionLookup {
  return {
    owner: account.id === null ? { onchainId: account.address } : { offchainId: account.id },
    financialInstrument: { onchainId: mint },
  }
}

/** The escrow's position, as the source of a transfer. */
export function escrowEnd({ platform, call }: Context, { context }: Loan, pledge: Pledge): End {
  const state =
    pledge.position.id === null
      ? undefined
      : ofKind(platform.engine.directory.resident(pledge.position.id)?.head, 'position')
  const instrument = instrumentFor({ platform, call }, pledge.instrument.address)
  if (state === undefined || instrument === undefined)
    throw new Error(`the escrow's position ${pledge.position.address} is not on record`)
  return existingEnd(platform, state, instrument, context.escrow)
}

/**
 * All pledged amounts, as pledges to a new lender who could liquidate them. No instruction expresses this, so it
 * counts as a debit of the borrower as if the collateral were pledged now.
 */
export function pledgedTo({ platform, call }: Context, { context }: Loan, lender: Lender): readonly RenewedPledge[] {
  const { borrower, pledged } = context
  return pledged
    .filter(({ amount }) => amount !== '0')
    .map(({ instrument: { address: mint }, decimals, amount, position }) => {
      const instrument = instrumentFor({ platform, call }, mint)
      const own =
        instrument === undefined
          ? position.address
          : associatedTokenAddress(borrower.address, mint, tokenProgramOf(instrument))
      return {
        payer: borrower.address,
        position: own,
        mint,
        decimals,
        amount,
        lender: { account: lender.account, tenant: lender.tenant },
      }
    })
}

export interface Withdrawal extends ItemPosition {
  readonly pointer: string
  readonly amount: bigint
  readonly pledge: Pledge
  readonly loaded: LoadedItem<SupplyInput>
}

/** Call it before the unit of work: reads the destinations that the borrower names. */
export async function loadWithdrawals(
  context: Context,
  inputs: readonly SupplyInput[] | undefined,
  member: string,
): Promise<readonly LoadedItem<SupplyInput>[]> {
  return await togetherAsync(
    ...(inputs ?? []).map((input, index) => async () => {
      const pointer = `/itemData/${member}/${index}`
      const given = (['transferFrom', 'mintAsset'] as const).filter((each) => (input[each] ?? false) !== false)
      const message = 'released collateral always goes from escrow to the borrower'
      const [, own] = await togetherAsync(
        () => refuseAll(given.map((each) => ({ code: 'NOT_APPLICABLE', message, pointer: `${pointer}/${each}` }))),
        () => loadDestination(context, input.positionLookup, true, `${pointer}/positionLookup`),
      )
      return { input, pointer, own, other: null }
    }),
  )
}

/** Throws 400 `INSUFFICIENT_BALANCE`. */
export function withdrawalOf(
  context: Context,
  known: KnownAccounts,
  loan: Loan,
  loaded: LoadedItem<SupplyInput>,
): Withdrawal {
  const { input, pointer } = loaded
  const item = itemPosition(context, input.positionLookup, pointer)
  const amount = tokenUnits(known, item.instrument, input, pointer)
  const pledge = loan.context.pledged.find(({ instrument }) => instrument.address === item.instrument.context.address)
  if (pledge === undefined || BigInt(pledge.amount) < amount)
    throw badRequest(
      'INSUFFICIENT_BALANCE',
      `${amount} raw units requested, ${pledge?.amount ?? 0} are pledged`,
      pointer,
    )
  return { ...item, loaded, pointer, amount, pledge }
}

export function buildWithdrawals(
  context: Context,
  board: LoanBoard,
  loan: Loan,
  { withdrawals, payer }: { readonly withdrawals: readonly Withdrawal[]; readonly payer: Party },
): ChangeWithoutId['withdrawals'] {
  return withdrawals.map(({ loaded, pledge, amount, pointer }) => {
    const place = {
      lookup: loaded.input.positionLookup,
      loaded: loaded.own,
      pointer: `${pointer}/positionLookup`,
    }
    board.transfer(escrowEnd(context, loan, pledge), endIn(context, place, payer), amount, { pointer })
    return { instrument: pledge.instrument.address, amount: amount.toString() }
  })
}

/**
 * Throws 400 `COLLATERAL_NOT_ACCEPTED`.
 *
 * @param places positions of the escrow, by mint
 */
export function buildDeposits(
  context: Context,
  board: LoanBoard,
  loan: Loan,
  {
    deposits,
    places,
    payer,
    at,
  }: {
    readonly deposits: readonly Supply[]
    readonly places: LoanPlaces
    readonly payer: Party
    /** Unix seconds. */
    readonly at: number
  },
): ChangeWithoutId['deposits'] {
  const { debts } = loan.context
  const open = debts.filter((debt) => amountDueAt(debt, at) > 0n)
  // Once all debts are repaid, their terms still determine which collateral the escrow accepts.
  const owed = open.length > 0 ? open : debts
  return deposits.map((deposit) => {
    const { instrument, amount, pointer } = deposit
    const mint = instrument.context.address
    const isRefused = owed.some(({ terms }) => !terms.some((each) => each.instrument.address === mint))
    if (isRefused)
      throw badRequest(
        'COLLATERAL_NOT_ACCEPTED',
        `the terms of the loan do not accept ${mint} as collateral`,
        `${pointer}/positionLookup`,
      )
    const place = places.get(mint)
    if (place === undefined) throw new Error(`the escrow's position in ${mint} was not loaded`)
    const end = endIn(context, place, payer)
    buildSupply(context, board, deposit, { amount: amount ?? 0n, to: end, payer })
    return {
      instrument: instrumentRef(instrument),
      decimals: instrument.context.decimals,
      position: { address: end.address, id: null },
      amount: (amount ?? 0n).toString(),
    }
  })
}

/**
 * Limits the number of pledges after the change, because one instrument may replace another in it. Throws 400
 * `TOO_MANY_ITEMS`.
 */
export function checkPledgedItems({ context }: Loan, change: ChangeWithoutId): void {
  const { pledged } = applyLoanChange(context, { ...change, id: '' })
  if (change.deposits.length > 0 && pledged.filter(({ amount }) => amount !== '0').length > MAX_ITEMS)
    throw badRequest(
      'TOO_MANY_ITEMS',
      `a loan has at most ${MAX_ITEMS} pledged instruments`,
      '/itemData/itemsToDeposit',
    )
}

/**
 * The remaining collateral must cover the debt. Throws 400 `LOAN_UNHEALTHY`, `PRICE_MISSING`, `PRICE_STALE`,
 * `FEED_NOT_INDEPENDENT`.
 */
export function checkWithdrawal(platform: Platform, loan: Loan, change: ChangeWithoutId): void {
  if (change.withdrawals.length === 0) return
  const after = applyLoanChange(loan.context, { ...change, id: '' } satisfies LoanChange)
  if (isRepaid(after, change.at)) return
  checkFeedsOfDebts(platform, loan, change.at, '/itemData')
  const { loanHealth } = decidedHealth(platform, loan.cluster, after, change.at)
  if (!mayOwe(loanHealth))
    throw badRequest('LOAN_UNHEALTHY', 'the remaining collateral would not cover the debt', '/itemData')
}

/** Outstanding debts and pledges, as text for an error message. */
export function remainingOf({ pledged, debts }: LoanBooks, at: number): readonly string[] {
  const owed = debts
    .map((debt) => ({ mint: debt.instrument.address, due: amountDueAt(debt, at) }))
    .filter(({ due }) => due > 0n)
  const remaining = pledged.filter(({ amount }) => amount !== '0')
  return [
    ...owed.map(({ mint, due }) => `${due} raw units of ${mint} are owed`),
    ...remaining.map(({ instrument, amount }) => `${amount} raw units of ${instrument.address} are pledged`),
  ]
}
