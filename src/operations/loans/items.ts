// Items of a loan request: the borrower's position that each item names, the source of the amount, and the common
// owner.
import type { RecordState } from '../../engine/records/record.ts'
import type { PositionLookup } from '../../contract/values/lookup.ts'
import type { SupplyInput } from '../../contract/schemas/loan.ts'
import type { Context } from '../context/platform.ts'
import { badRequest } from '../../contract/refusal.ts'
import { eachTogether, together, togetherAsync } from '../../contract/together.ts'
import type { Party } from '../lookup/party.ts'
import { resolvePosition, type ResolvedPosition } from '../lookup/position.ts'
import { destinationOf, loadDestination, type LoadedDestination } from '../holdings/destination.ts'
import { authorityParty } from '../holdings/freezing.ts'
import { sourceOf, loadSource } from '../holdings/source.ts'
import { tokenUnits } from '../holdings/units.ts'
import type { KnownAccounts } from '../transactions/known-accounts.ts'
import { endAt, endOf, type End, type LoanBoard } from './board.ts'

/** The position of an item, with its owner and instrument. */
export interface ItemPosition {
  readonly position: ResolvedPosition
  readonly owner: Party
  readonly instrument: RecordState<'instrument'>
}

/** Throws 400 `POSITION_NOT_FOUND`. */
export function itemPosition(context: Context, lookup: PositionLookup, pointer: string): ItemPosition {
  const at = `${pointer}/positionLookup`
  const position = resolvePosition(context, lookup, at)
  const { owner, instrument } = position
  if (position.standing === 'external' || owner === null || instrument === null)
    throw badRequest(
      'POSITION_NOT_FOUND',
      'an item must refer to a position of the borrower, or to its owner and instrument',
      at,
    )
  return { position, owner, instrument }
}

/** The borrowing account. */
export interface Borrower extends Party {
  /** JSON pointer of the member that names the account. */
  readonly pointer: string
}

/** The owner of all items. Throws 400 `REQUIRED`, `OWNER_MISMATCH`. */
export function commonOwner(
  items: readonly { readonly owner: Party; readonly pointer: string }[],
  expected?: string,
): Borrower {
  const [first] = items
  if (first === undefined) throw badRequest('REQUIRED', 'at least one item is required', '/itemData')
  const address = expected ?? first.owner.address
  const stranger = items.find(({ owner }) => owner.address !== address)
  if (stranger !== undefined)
    throw badRequest(
      'OWNER_MISMATCH',
      `the owner is ${stranger.owner.address}, and that of the loan is ${address}`,
      `${stranger.pointer}/positionLookup`,
    )
  const { owner, pointer } = items.find((item) => !item.owner.autoSign) ?? first
  return { ...owner, pointer: `${pointer}/positionLookup` }
}

/** Throws 400 `DUPLICATE_ITEM` if two items name the same instrument. */
export function checkDistinct(
  items: readonly { readonly instrument: RecordState<'instrument'>; readonly pointer: string }[],
): void {
  const seen = new Set<string>()
  eachTogether(items, ({ instrument, pointer }) => {
    if (seen.has(instrument.context.address))
      throw badRequest('DUPLICATE_ITEM', 'an instrument is listed twice', `${pointer}/positionLookup`)
    seen.add(instrument.context.address)
  })
}

/** Chain state of an item, read before the unit of work. */
export interface LoadedItem<Input> {
  readonly input: Input
  readonly pointer: string
  readonly own: LoadedDestination
  readonly other: LoadedDestination | null
}

/** The mints of the items. */
export function mintsOf(context: Context, items: readonly LoadedItem<SupplyInput>[]): readonly string[] {
  return items.map(
    ({ input, pointer }) => itemPosition(context, input.positionLookup, pointer).instrument.context.address,
  )
}

/** Reads the sources of amounts that move from the borrower's side into the loan. */
export async function loadSupplies<Input extends SupplyInput>(
  context: Context,
  inputs: readonly Input[] | undefined,
  member: string,
): Promise<readonly LoadedItem<Input>[]> {
  return await togetherAsync(
    ...(inputs ?? []).map((input, index) => async () => {
      const pointer = `/itemData/${member}/${index}`
      const { transferFrom, mintAsset = false } = input
      together(
        () => itemPosition(context, input.positionLookup, pointer),
        () => (transferFrom === undefined ? null : resolvePosition(context, transferFrom, `${pointer}/transferFrom`)),
      )
      const plain = { entire: false, byDelegate: false }
      const load = async (lookup: PositionLookup, at: string): Promise<LoadedDestination> =>
        mintAsset ? await loadDestination(context, lookup, true, at) : await loadSource(context, lookup, plain, at)
      const [own, other] = await togetherAsync(
        () =>
          transferFrom === undefined
            ? load(input.positionLookup, `${pointer}/positionLookup`)
            : { account: null, rentLamports: 0n },
        () => (transferFrom === undefined ? null : load(transferFrom, `${pointer}/transferFrom`)),
      )
      return { input, pointer, own, other }
    }),
  )
}

export interface Supply extends ItemPosition {
  readonly pointer: string
  /** Raw units; null: the whole amount due. */
  readonly amount: bigint | null
  readonly loaded: LoadedItem<SupplyInput>
}

/** Call it in the unit of work. */
export function supplyOf(
  context: Context,
  known: KnownAccounts,
  loaded: LoadedItem<SupplyInput & { readonly repayAll?: boolean | undefined }>,
): Supply {
  const { input, pointer } = loaded
  const item = itemPosition(context, input.positionLookup, pointer)
  const amount = input.repayAll === true ? null : tokenUnits(known, item.instrument, input, pointer)
  return { ...item, pointer, amount, loaded }
}

/**
 * Moves the amount from the borrower's side to `to`: from the item's position, or from the one in `transferFrom`. With
 * `mintAsset` the amount is minted there first.
 */
export function buildSupply(
  context: Context,
  board: LoanBoard,
  supply: Supply,
  { amount, to, payer }: { readonly amount: bigint; readonly to: End; readonly payer: Party },
): void {
  const { loaded, pointer, position, instrument } = supply
  const { input, own, other } = loaded
  const lookup = input.transferFrom ?? input.positionLookup
  const at = `${pointer}/${input.transferFrom === undefined ? 'positionLookup' : 'transferFrom'}`
  if (input.mintAsset !== true) {
    const source = sourceOf(context, lookup, other ?? own, at)
    board.transfer(endOf(source), to, amount, { pointer: at, free: source })
    return
  }
  const destination = destinationOf(context, lookup, other ?? own, { feePayer: payer, pointer: at, initialize: true })
  const { owner } = destination.position
  if (owner === null) throw badRequest('POSITION_NOT_FOUND', '`mintAsset` requires an onboarded position', at)
  const end = endAt(destination, owner)
  if (end.instrument.context.address !== instrument.context.address)
    throw badRequest('INSTRUMENT_MISMATCH', 'the two positions hold different financial instruments', at)
  board.mint(
    end,
    amount,
    authorityParty(context, instrument, 'mintAuthority', {
      named: position.mintAuthority,
      pointer: `${pointer}/mintAsset`,
    }),
    at,
  )
  board.transfer(end, to, amount, { pointer: at })
}
