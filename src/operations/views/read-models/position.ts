// The position read model, and token amounts in display units.
import { applyScale, multiplierNow } from './scale.ts'
import { isHolding, type RecordState } from '../../../engine/records/record.ts'
import type { AccountRef } from '../../../../machines/holding.ts'
import { readMints } from '../../lookup/chain-mints.ts'
import type { AddressOnly, AmountsModel, AmountsOrNulls } from '../../../contract/schemas/answers.ts'
import type { AccountModels, DetailLevel, PositionModels } from '../../../contract/schemas/levels.ts'
import type { Context } from '../../context/platform.ts'
import { nameOfAddress } from '../../lookup/counterparty.ts'
import { instrumentFor, instrumentOf } from '../../lookup/instrument.ts'
import { mayRead } from '../../lookup/party.ts'
import { defaultDebitLimits, limits } from './account.ts'
import { extended } from './extended.ts'
import { accountSeenBy, hidesBalances, isOutside } from './outside.ts'

type Position = RecordState<'position'>

const MODELS: {
  readonly [Level in DetailLevel]: (context: Context, state: Position) => PositionModels[Level]
} = {
  detailed: (context, state) =>
    extended(accountSeenBy(context.platform, context.call, state, 'detailed'), ownMembers(context, state, 'detailed')),
  compact: (context, state) =>
    extended(accountSeenBy(context.platform, context.call, state, 'compact'), ownMembers(context, state, 'compact')),
  identifiers: (context, state) =>
    extended(
      accountSeenBy(context.platform, context.call, state, 'identifiers'),
      ownMembers(context, state, 'identifiers'),
    ),
}

export function positionModel<Level extends DetailLevel>(
  context: Context,
  state: Position,
  level: Level,
): PositionModels[Level] {
  return MODELS[level](context, state)
}

/** The members that an account does not have. */
function ownMembers<Level extends DetailLevel>({ platform, call }: Context, state: Position, level: Level) {
  const { context } = state
  const { tokens } = context
  const isHidden = hidesBalances(call, state)
  const isOwn = !isOutside(call, state)
  const amounts = (raw: bigint): AmountsOrNulls =>
    isHidden ? { amount: null, lamports: null } : tokenAmount({ platform, call }, state, raw)
  const other = (reference: AccountRef | null | undefined): AccountModels[Level] | AddressOnly | null =>
    reference === null || reference === undefined ? null : referenced({ platform, call }, reference, level)
  return {
    owner: referenced({ platform, call }, context.owner, level),
    closeAuthority: other(context.otherAuthorities?.closeAuthority),
    delegate: other(context.otherAuthorities?.delegate),
    financialInstrument: referenced({ platform, call }, context.mint, level),
    state: stateOf(state),
    balance: amounts(BigInt(tokens.balance)),
    reserved: amounts(BigInt(tokens.reserved)),
    available: amounts(BigInt(tokens.balance) - BigInt(tokens.reserved)),
    tokenDebitLimits: isOwn ? limits(context.tokenDebitLimits) : [],
    defaultDebitLimits: isOwn ? defaultDebitLimits(state) : undefined,
  }
}

/** `INITIALIZED` also during the creation of the position. */
export function stateOf(state: RecordState<'position'>): 'INITIALIZED' | 'FROZEN' | 'CLOSED' {
  return state.value === 'closed' ? 'CLOSED' : state.value === 'frozen' ? 'FROZEN' : 'INITIALIZED'
}

/** Raw units of a position and their display amount, scaled if the instrument scales amounts. */
export function tokenAmount(
  { platform, call }: Context,
  { context }: RecordState<'position'>,
  raw: bigint,
): AmountsModel {
  // SPL mints have no scaling.
  const multiplier = context.program === 'SPL' ? null : multiplierShown({ platform, call }, context.mint.address)
  return applyScale(raw, context.decimals, multiplier)
}

/**
 * The multiplier of an instrument: from the record of the caller's tenant, a shared record, or the chain. null: amounts
 * are not scaled.
 */
export function multiplierShown(context: Context, mint: string): string | null {
  const { platform } = context
  const instrument = instrumentFor(context, mint)
  return instrument === undefined ? null : multiplierNow(platform, instrument.context)
}

/** For lists: reads in one query all mints for which the caller has no record and no shared record. */
export async function readScales(context: Context, mints: Iterable<string>): Promise<void> {
  const { platform, call } = context
  await readMints(
    context,
    [...new Set(mints)].filter((mint) => instrumentOf(platform, call, call.cluster, mint) === undefined),
  )
}

/**
 * The account read model of a reference. If it has no record, or the caller may not read the record: its address, with
 * the name that the caller's organization gives to it as a counterparty.
 */
export function referenced<Level extends DetailLevel>(
  { platform, call }: Context,
  reference: AccountRef,
  level: Level,
): AccountModels[Level] | AddressOnly {
  const { directory } = platform.engine
  const committed = reference.id === null ? undefined : directory.resident(reference.id)?.committed
  if (committed === undefined || !isHolding(committed) || !mayRead(directory, call, committed)) {
    const counterparty = nameOfAddress(directory, call, call.cluster, reference.address)
    return { onchain: { id: reference.address }, ...(counterparty === null ? {} : { counterparty }) }
  }
  return accountSeenBy(platform, call, committed, level)
}
