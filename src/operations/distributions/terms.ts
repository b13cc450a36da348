// Resolves the terms of a distribution (asset, amounts, recipients and source) from the request or from the record, and
// computes its parts and the items of its batches.
import { formatAmount } from '../../../machines/amount.ts'
import { partsOf, type Part, type ComputedParts, type Payout } from '../../../machines/distribution-parts.ts'
import type { BatchOperation } from '../../../machines/batch.ts'
import { decimalRatio, dividedBy, times, wholeRatio, type Ratio } from '../../../machines/ratio.ts'
import { multiplierRatio } from '../../../machines/scale.ts'
import { ofKind, type RecordState } from '../../engine/records/record.ts'
import type { JsonObject } from '../../contract/call.ts'
import type { AccountLookup, PositionLookup } from '../../contract/values/lookup.ts'
import { badRequest, type Refusal } from '../../contract/refusal.ts'
import type { Platform, Context } from '../context/platform.ts'
import { holdersAsOf } from '../holdings/holders-as-of.ts'
import { optionalParty, resolveParty } from '../lookup/account.ts'
import { rawOfDisplayed } from '../lookup/amounts.ts'
import { eachTogether, together } from '../../contract/together.ts'
import { checkNoEscrow } from '../lookup/escrows.ts'
import { optionalInstrument, resolveInstrument } from '../lookup/instrument.ts'
import { holdingOf, type Party } from '../lookup/party.ts'
import { resolvePosition } from '../lookup/position.ts'
import { sideOf, type Side } from '../positions/trade/side.ts'
import { NETWORK_DECIMALS } from '../views/read-models/amounts.ts'
import { multiplierNow } from '../views/read-models/scale.ts'
import type { NewDistributionInput } from '../../contract/schemas/distribution.ts'

export interface Terms {
  readonly instrument: RecordState<'instrument'>
  /** null: network currency. */
  readonly paid: RecordState<'instrument'> | null
  /** Address of the position or wallet that pays, and of its owner. */
  readonly source: string
  readonly payer: string
  readonly payout: Payout
  /** Raw units. */
  readonly minimum: bigint
  readonly excluded: ReadonlySet<string>
}

const AT = '/itemData'
const POSITION_NOT_FOUND = { code: 'POSITION_NOT_FOUND', refuse: badRequest }

/** Throws 400 for references that do not resolve and for invalid amounts, 403 `ESCROW_LOCKED`. */
export function termsOf(context: Context, input: NewDistributionInput): Terms {
  const { platform } = context
  const { payout } = input
  const [instrument, paid, excluded] = together(
    () => resolveInstrument(context, input.financialInstrument, `${AT}/financialInstrument`),
    () => optionalInstrument(context, payout.financialInstrument, `${AT}/payout/financialInstrument`),
    () => eachTogether(input.excluded ?? [], (each, index) => excludedOwner(context, each, `${AT}/excluded/${index}`)),
    () => checkSource(context, input),
  )
  const [minimum, amounts, source] = together(
    () => (input.minimum === undefined ? 0n : rawOf(platform, paid, input.minimum, `${AT}/minimum`)),
    (): Payout =>
      payout.total === undefined
        ? { perUnit: rateOf(platform, instrument, paid, payout.perUnit ?? '0') }
        : { total: rawOf(platform, paid, payout.total, `${AT}/payout/total`) },
    () => sourceOf(context, input, paid),
  )
  return { instrument, paid, ...source, payout: amounts, minimum, excluded: new Set(excluded) }
}

/** What can be said of the source whatever it pays. */
function checkSource(context: Context, { source }: NewDistributionInput): void {
  const pointer = `${AT}/source`
  const side = sideOf(source, pointer)
  if (side.kind === 'account') resolveParty(context, side.lookup, side.asOwner ? `${pointer}/owner` : pointer)
  else {
    const { owner, position } = side.lookup
    together(
      () => optionalParty(context, owner, `${pointer}/owner`),
      () => optionalParty(context, position, `${pointer}/position`, POSITION_NOT_FOUND),
    )
  }
}

/**
 * The address of an owner, or of the owner of a recorded position that is named in its place. An address without a
 * record is taken for an owner.
 */
function excludedOwner(context: Context, lookup: AccountLookup, pointer: string): string {
  const party = resolveParty(context, { ...lookup, offPlatform: lookup.onchainId !== undefined }, pointer)
  const holding = holdingOf(party)
  if (holding === null || holding.kind === 'account') return party.address
  const position = ofKind(holding, 'position')
  if (position === undefined)
    throw badRequest('ACCOUNT_NOT_FOUND', 'the lookup names neither an owner of positions nor a position', pointer)
  return position.context.owner.address
}

function sourceOf(
  context: Context,
  { source }: NewDistributionInput,
  paid: Terms['paid'],
): Pick<Terms, 'source' | 'payer'> {
  const { platform, call } = context
  const pointer = `${AT}/source`
  const side = sideOf(source, pointer)
  if (paid !== null) {
    const position = resolvePosition(context, positionOf(context, side, paid), pointer)
    const { address, owner, instrument } = position
    checkMayPay(position)
    checkMayPay(owner)
    checkNoEscrow(platform.engine.directory, call, address, pointer)
    if (instrument !== null && instrument.context.address !== paid.context.address)
      throw otherThanPayout(`${pointer}/financialInstrument`)
    if (owner === null) throw badRequest('POSITION_NOT_FOUND', 'the source must be a position on record', pointer)
    return { source: address, payer: owner.address }
  }
  if (side.kind === 'position') {
    const { owner: _wallet, ...parts } = side.lookup
    const [member] = Object.entries(parts).find(([, part]) => part !== undefined)!
    throw otherThanPayout(`${pointer}/${member}`)
  }
  const at = side.asOwner ? `${pointer}/owner` : pointer
  const party = resolveParty(context, side.lookup, at)
  checkMayPay(party)
  checkNoEscrow(platform.engine.directory, call, party.address, at)
  if (party.entry !== null && ofKind(party.entry.head, 'account') === undefined)
    throw badRequest('ACCOUNT_NOT_FOUND', 'the source of network currency must be a wallet', at)
  return { source: party.address, payer: party.address }
}

/** A payout without an instrument is network currency, which only a wallet named alone pays. */
function otherThanPayout(pointer: string): Refusal {
  const rule = 'the source names a token position, which must be in the instrument of payout.financialInstrument'
  return badRequest('INSTRUMENT_MISMATCH', rule, pointer)
}

/** The source's position in the instrument that is paid. */
function positionOf(context: Context, side: Side, paid: RecordState<'instrument'>): PositionLookup {
  const financialInstrument = { onchainId: paid.context.address }
  if (side.kind === 'position')
    return { ...side.lookup, financialInstrument: side.lookup.financialInstrument ?? financialInstrument }
  if (side.asOwner) return { owner: side.lookup, financialInstrument }
  const owner = resolveParty(context, side.lookup, `${AT}/source`)
  checkMayPay(owner)
  return { owner: { onchainId: owner.address }, financialInstrument }
}

/**
 * Refuses a source of another tenant whose signature this tenant may not request. The refusal is that of an unknown
 * source, so that it does not reveal the account.
 */
function checkMayPay(party: Pick<Party, 'unlessSigner'> | null): void {
  const refusal = party?.unlessSigner?.()
  if (refusal != null) throw refusal
}

function multiplierOf(platform: Platform, instrument: RecordState<'instrument'> | null): Ratio | null {
  const multiplier = instrument === null ? null : multiplierNow(platform, instrument.context)
  return multiplier === null ? null : multiplierRatio(multiplier)
}

function rawOf(platform: Platform, paid: Terms['paid'], text: string, pointer: string): bigint {
  const multiplier = paid === null ? null : multiplierNow(platform, paid.context)
  return rawOfDisplayed(text, { decimals: paid?.context.decimals ?? NETWORK_DECIMALS, multiplier }, pointer)
}

/** Raw units of the payout for each raw unit held. The request states the rate in displayed amounts of both. */
function rateOf(platform: Platform, held: RecordState<'instrument'>, paid: Terms['paid'], perUnit: string): Ratio {
  const asked = decimalRatio(perUnit) ?? wholeRatio(0n)
  const units = (decimals: number): Ratio => wholeRatio(10n ** BigInt(decimals))
  const displayed = dividedBy(
    times(asked, units(paid?.context.decimals ?? NETWORK_DECIMALS)),
    multiplierOf(platform, paid) ?? wholeRatio(1n),
  )
  return dividedBy(times(displayed, multiplierOf(platform, held) ?? wholeRatio(1n)), units(held.context.decimals))
}

export interface ComputedDistribution extends ComputedParts {
  readonly holders: number
}

/** @param atMs null: as of now, for an estimate */
export async function computeParts(
  { platform, call }: Context,
  terms: Terms,
  atMs: number | null,
): Promise<ComputedDistribution> {
  const { instrument, payout, minimum, excluded, payer, source } = terms
  const all = await holdersAsOf(platform, call, { mint: instrument.context.address, atMs, exclude: source })
  const holdings = all
    .filter(({ owner }) => !excluded.has(owner.address))
    .map(({ owner, balance }) => ({ holder: owner.address, held: balance }))
  const { parts, total, remainder, unpaid } = partsOf(holdings, payout, minimum)
  // The payer's own part is not transferred: it counts as remainder.
  const own = parts.find(({ holder }) => holder === payer)
  const others = own === undefined ? parts : parts.filter((part) => part !== own)
  return {
    parts: others,
    total,
    remainder: remainder + (own?.amount ?? 0n),
    unpaid: unpaid + (own === undefined ? 0 : 1),
    holders: holdings.length,
  }
}

export function operationOf({ paid }: Terms): BatchOperation {
  return paid === null ? 'TRANSFER_NETWORK_CURRENCY' : 'TRANSFER'
}

export function itemOf({ paid, source }: Terms, { holder, amount }: Part): JsonObject {
  const to = { onchainId: holder, offPlatform: true }
  const lamports = formatAmount(amount, 0)
  if (paid === null) return { source: { onchainId: source }, destination: to, lamports }
  return {
    source: { position: { onchainId: source } },
    destination: { owner: to, financialInstrument: { onchainId: paid.context.address } },
    lamports,
    initializeDestinationPositionIfNeeded: true,
  }
}
