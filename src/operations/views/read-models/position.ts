// The position read model (completion 8), and token amounts in display units.
import { applyScale, multiplierNow } from './scale.ts'
import { isHolding, type RecordState } from '../../../engine/records/record.ts'
import type { AccountRef } from '../../../../machines/holding.ts'
import type { Call } from '../../../contract/call.ts'
import { readMints } from '../../lookup/chain-mints.ts'
import type { AddressOnly, AmountsModel, AmountsOrNulls } from '../../../contract/schemas/answers.ts'
import type { AccountModels, DetailLevel, PositionModels } from '../../../contract/schemas/levels.ts'
import type { Platform } from '../../context/platform.ts'
import { instrumentFor, instrumentOf } from '../../lookup/instrument.ts'
import { mayRead } from '../../lookup/party.ts'
import { limits } from './account.ts'
import { accountSeenBy, hidesBalances, isOutside } from './outside.ts'

type Position = RecordState<'position'>

const MODELS: {
  readonly [Level in DetailLevel]: (platform: Platform, call: Call, state: Position) => PositionModels[Level]
} = {
  detailed: (platform, call, state) => ({
    ...accountSeenBy(platform, call, state, 'detailed'),
    ...ownMembers(platform, call, state, 'detailed'),
  }),
  compact: (platform, call, state) => ({
    ...accountSeenBy(platform, call, state, 'compact'),
    ...ownMembers(platform, call, state, 'compact'),
  }),
  identifiers: (platform, call, state) => ({
    ...accountSeenBy(platform, call, state, 'identifiers'),
    ...ownMembers(platform, call, state, 'identifiers'),
  }),
}

export function positionModel<Level extends DetailLevel>(
  platform: Platform,
  call: Call,
  state: Position,
  level: Level,
): PositionModels[Level] {
  return MODELS[level](platform, call, state)
}

/** What a position has beside an account. */
function ownMembers<Level extends DetailLevel>(platform: Platform, call: Call, state: Position, level: Level) {
  const { context } = state
  const { tokens } = context
  const isHidden = hidesBalances(call, state)
  const amounts = (raw: bigint): AmountsOrNulls =>
    isHidden ? { amount: null, lamports: null } : tokenAmount(platform, call, state, raw)
  const other = (reference: AccountRef | null | undefined): AccountModels[Level] | AddressOnly | null =>
    reference === null || reference === undefined ? null : referenced(platform, call, reference, level)
  return {
    owner: referenced(platform, call, context.owner, level),
    closeAuthority: other(context.otherAuthorities?.closeAuthority),
    delegate: other(context.otherAuthorities?.delegate),
    financialInstrument: referenced(platform, call, context.mint, level),
    state: stateOf(state),
    balance: amounts(BigInt(tokens.balance)),
    reserved: amounts(BigInt(tokens.reserved)),
    available: amounts(BigInt(tokens.balance) - BigInt(tokens.reserved)),
    tokenDebitLimits: isOutside(call, state) ? [] : limits(context.tokenDebitLimits),
  }
}

/** `INITIALIZED` also during the creation of the position. */
export function stateOf(state: RecordState<'position'>): 'INITIALIZED' | 'FROZEN' | 'CLOSED' {
  return state.value === 'closed' ? 'CLOSED' : state.value === 'frozen' ? 'FROZEN' : 'INITIALIZED'
}

/** Raw units of a position and their display amount, scaled if the instrument scales amounts. */
export function tokenAmount(
  platform: Platform,
  call: Call,
  { context }: RecordState<'position'>,
  raw: bigint,
): AmountsModel {
  // SPL mints have no scaling.
  const multiplier = context.program === 'SPL' ? null : multiplierShown(platform, call, context.mint.address)
  return applyScale(raw, context.decimals, multiplier)
}

/**
 * The multiplier of an instrument: from the record of the caller's tenant, a shared record, or the chain. null: amounts
 * are not scaled.
 */
export function multiplierShown(platform: Platform, call: Call, mint: string): string | null {
  const instrument = instrumentFor(platform, call, mint)
  return instrument === undefined ? null : multiplierNow(platform, instrument.context)
}

/** For lists: reads in one query all mints without a record that describes them to the caller. */
export async function readScales(platform: Platform, call: Call, mints: Iterable<string>): Promise<void> {
  await readMints(
    platform,
    call,
    [...new Set(mints)].filter((mint) => instrumentOf(platform, call, call.cluster, mint) === undefined),
  )
}

/**
 * The account read model of a reference; only its address if it has no record or the caller may not read the record.
 */
export function referenced<Level extends DetailLevel>(
  platform: Platform,
  call: Call,
  reference: AccountRef,
  level: Level,
): AccountModels[Level] | AddressOnly {
  const committed = reference.id === null ? undefined : platform.engine.directory.resident(reference.id)?.committed
  if (committed === undefined || !isHolding(committed) || !mayRead(platform.engine.directory, call, committed))
    return { onchain: { id: reference.address } }
  return accountSeenBy(platform, call, committed, level)
}
