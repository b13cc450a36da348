// The source of a token movement: a position whose owner, or the permanent delegate of the instrument, signs. Token
// accounts without a record of the tenant (no record at all, or a position of another tenant) are read from the chain.
import type { RecordState } from '../../engine/records/record.ts'
import { Shortage } from '../transactions/funds.ts'
import type { PositionLookup } from '../../contract/values/lookup.ts'
import { recordAt } from '../lookup/whose-records.ts'
import type { Context } from '../context/platform.ts'
import { reconcile } from '../reconcile/reconcile.ts'
import { badRequest } from '../../contract/refusal.ts'
import type { Party } from '../lookup/party.ts'
import { positionState, resolvePosition, type ResolvedPosition } from '../lookup/position.ts'
import {
  checkNamedOnchain,
  instrumentAt,
  isPositionFrozen,
  NO_CHAIN_READ,
  tokenAccountAt,
  type LoadedDestination,
} from './destination.ts'
import { recordIndexOf } from '../lookup/request-records.ts'
import { checkNoEscrow } from '../lookup/escrows.ts'
import { refreshFrozen, refreshPaused } from './freezing.ts'

export interface TokenSource {
  readonly address: string
  readonly position: ResolvedPosition
  readonly instrument: RecordState<'instrument'>
  readonly owner: Party
  readonly frozen: boolean
  /** Available raw units. */
  readonly free: bigint
  /** True if the position is a record of the tenant; the reservation then checks the balance. */
  readonly booked: boolean
}

/** Properties of the movement that determine the reads from the chain. */
export interface MovementMode {
  readonly entire: boolean
  readonly byDelegate: boolean
}

/**
 * Call it before the unit of work. For the entire balance it reconciles the position first, so that tokens received
 * from outside are included.
 */
export async function loadSource(
  context: Context,
  lookup: PositionLookup,
  { entire, byDelegate }: MovementMode,
  pointer: string,
): Promise<LoadedDestination> {
  const { platform, call } = context
  const position = resolvePosition(context, lookup, pointer)
  if (position.instrument !== null) await refreshPaused(platform, position.instrument)
  const state = positionState(position)
  if (state !== null && state.tenant === call.tenant) {
    if (entire) await reconcile(platform, call.cluster, [state])
    else await refreshFrozen(platform, state)
    return NO_CHAIN_READ
  }
  if (state !== null && !entire && !byDelegate) return NO_CHAIN_READ
  return { account: await tokenAccountAt(context, position.address, `${pointer}/position`), rentLamports: 0n }
}

/** Call it in the unit of work. Throws 400 `POSITION_NOT_FOUND`, `INSTRUMENT_NOT_FOUND`, `LOOKUP_MISMATCH`. */
export function sourceOf(
  context: Context,
  lookup: PositionLookup,
  { account }: LoadedDestination,
  pointer: string,
): TokenSource {
  const { call } = context
  const position = resolvePosition(context, lookup, pointer)
  checkNoEscrow(recordIndexOf(context), call, position.address, pointer)
  const state = positionState(position)
  const booked = state !== null && state.tenant === call.tenant
  if (booked || (state !== null && account === null)) {
    const { instrument, owner, address } = position
    if (instrument === null || owner === null) throw noInstrument(pointer)
    const { balance, reserved } = state.context.tokens
    const free = BigInt(balance) - BigInt(reserved)
    return { address, position, instrument, owner, frozen: isPositionFrozen(state, instrument), free, booked }
  }
  if (account === null)
    throw badRequest('POSITION_NOT_FOUND', 'no such position, and no such token account on the cluster', pointer)
  const instrument = instrumentAt(context, position, account)
  if (instrument === undefined) throw noInstrument(pointer)
  if (state === null) checkNamedOnchain(position, account, pointer)
  const owner = position.owner ?? partyAt(context, account.owner)
  const { unlessSigner } = position
  return {
    address: position.address,
    position,
    instrument,
    owner: unlessSigner === undefined ? owner : { ...owner, unlessSigner },
    frozen: account.state === 'FROZEN',
    free: account.amount,
    booked,
  }
}

/** The available raw units. Throws 400 `INSUFFICIENT_BALANCE` if there are none. */
export function entireBalance({ free, booked, position }: TokenSource, pointer: string): bigint {
  if (free > 0n) return free
  const message = 'the position has no balance available'
  const state = positionState(position)
  throw booked && state !== null
    ? new Shortage(state, message, pointer)
    : badRequest('INSUFFICIENT_BALANCE', message, pointer)
}

/**
 * Checks the amount of a source without a record of the tenant against its balance on chain, or against the record of
 * another tenant. Throws 400 `INSUFFICIENT_BALANCE`.
 */
export function checkFree({ booked, free, address }: TokenSource, amount: bigint): void {
  if (!booked && amount > free)
    throw badRequest('INSUFFICIENT_BALANCE', `${amount} raw units requested, ${address} holds ${free}`, '/itemData')
}

/** The signer: the owner, or the permanent delegate, who may act on any position. Throws 400 `NO_AUTHORITY`. */
export function sourceAuthority(context: Context, source: TokenSource, byDelegate: boolean, pointer: string): Party {
  if (!byDelegate) return source.owner
  const delegate = source.instrument.context.authorities.permanentDelegateAuthority
  if (delegate === null) throw badRequest('NO_AUTHORITY', 'the instrument has no permanent delegate', pointer)
  return partyAt(context, delegate.address)
}

function partyAt(context: Context, address: string): Party {
  const { call } = context
  return { address, entry: recordAt(recordIndexOf(context), call, call.cluster, address) ?? null, autoSign: true }
}

function noInstrument(pointer: string): Error {
  return badRequest('INSTRUMENT_NOT_FOUND', 'the instrument of the position is not onboarded', pointer)
}
