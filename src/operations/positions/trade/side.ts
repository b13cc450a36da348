// Determines the asset of a trade leg from the form of its lookups: an instrument if either side names a position or
// an instrument, network currency if both sides name only an account.
import type { AccountLookup, PositionLookup, TradeSideInput } from '../../../contract/values/lookup.ts'
import type { TradeLegInput } from '../../../contract/schemas/position.ts'
import type { Context } from '../../context/platform.ts'
import { badRequest } from '../../../contract/refusal.ts'
import { together } from '../../../contract/together.ts'
import { resolvePosition } from '../../lookup/position.ts'

export type LegShape =
  | { readonly kind: 'tokens'; readonly source: PositionLookup; readonly destination: PositionLookup }
  | { readonly kind: 'currency'; readonly source: AccountLookup; readonly destination: AccountLookup }

/** Throws 400 `LOOKUP_EMPTY`, `LOOKUP_MISMATCH`, `INSTRUMENT_MISMATCH`. */
export function shapeOf(context: Context, { source, destination }: TradeLegInput, pointer: string): LegShape {
  const [from, to] = together(
    () => sideOf(source, `${pointer}/source`),
    () => sideOf(destination, `${pointer}/destination`),
  )
  if (from.kind === 'account' && to.kind === 'account')
    return { kind: 'currency', source: from.lookup, destination: to.lookup }
  return {
    kind: 'tokens',
    source:
      from.kind === 'position'
        ? from.lookup
        : completed(from, instrumentOf(to, `${pointer}/destination`), `${pointer}/source`),
    destination:
      to.kind === 'position'
        ? to.lookup
        : completed(to, instrumentOf(from, `${pointer}/source`), `${pointer}/destination`),
  }

  function instrumentOf(side: Side, at: string): AccountLookup | undefined {
    if (side.kind === 'account') return undefined
    if (side.lookup.financialInstrument !== undefined) return side.lookup.financialInstrument
    const found = resolvePosition(context, side.lookup, at).instrument
    return found === null ? undefined : { onchainId: found.context.address }
  }
}

export type Side =
  | { readonly kind: 'position'; readonly lookup: PositionLookup }
  /** `asOwner`: the account came as the owner in a position lookup; the other side may then name the instrument. */
  | { readonly kind: 'account'; readonly lookup: AccountLookup; readonly asOwner: boolean }

/** Throws 400 `LOOKUP_EMPTY`, `LOOKUP_MISMATCH`. */
export function sideOf(side: TradeSideInput, pointer: string): Side {
  const { position, owner, financialInstrument, mintAuthority, freezeAuthority, ...account } = side
  const named =
    account.onchainId !== undefined || account.offchainId !== undefined || account.offchainReferences !== undefined
  const parts = { position, owner, financialInstrument, mintAuthority, freezeAuthority }
  const asPosition = Object.values(parts).some((part) => part !== undefined)
  if (named && asPosition)
    throw badRequest('LOOKUP_MISMATCH', 'a lookup must be for an account or for a position, not both', pointer)
  if (named) return { kind: 'account', lookup: account, asOwner: false }
  if (owner !== undefined && Object.values(parts).filter((part) => part !== undefined).length === 1)
    return { kind: 'account', lookup: owner, asOwner: true }
  if (position === undefined && owner === undefined)
    throw badRequest('LOOKUP_EMPTY', 'a side of a leg must be an account lookup or a position lookup', pointer)
  return { kind: 'position', lookup: parts }
}

/**
 * The lookup of the owner's position in the instrument that the other side names. Throws 400 `INSTRUMENT_MISMATCH`.
 */
function completed(
  { lookup, asOwner }: Side & { readonly kind: 'account' },
  instrument: AccountLookup | undefined,
  pointer: string,
): PositionLookup {
  if (asOwner && instrument !== undefined) return { owner: lookup, financialInstrument: instrument }
  throw badRequest(
    'INSTRUMENT_MISMATCH',
    'the other side of the leg is a position: this side must be a position lookup too',
    pointer,
  )
}
