// Where tokens come from: a position whose owner, or the permanent delegate of the instrument, signs. What no record of ours can tell
// (a token account that is not onboarded, or what another tenant's holds) is read from the chain.
import type { RecordState } from '../../engine/records/record.ts'
import type { Call } from '../../contract/call.ts'
import { Shortage } from '../transactions/funds.ts'
import type { PositionLookup } from '../../contract/input.ts'
import { recordAt } from '../lookup/whose-records.ts'
import type { Platform } from '../context/platform.ts'
import { reconcile } from '../reconcile/reconcile.ts'
import { badRequest } from '../../contract/refusal.ts'
import type { Party } from '../lookup/party.ts'
import { positionState, resolvePosition, type ResolvedPosition } from '../lookup/position.ts'
import { checkNamed, instrumentAt, isFrozen, NOTHING_TO_ASK, tokenAccountAt, type Survey } from './destination.ts'
import { checkNoEscrow } from '../lookup/escrows.ts'
import { refreshFrozen, refreshPaused } from './movable.ts'

export interface Source {
  readonly address: string
  readonly position: ResolvedPosition
  readonly instrument: RecordState<'instrument'>
  readonly owner: Party
  readonly frozen: boolean
  /** Raw units that are free to go. */
  readonly free: bigint
  /** True where the tenant keeps books of it, which judge what can be taken. */
  readonly booked: boolean
}

/** What is taken, as far as it decides what has to be asked. */
export interface Taking {
  readonly entire: boolean
  readonly byDelegate: boolean
}

/** To be called before the stretch. Folds in what came to the position from outside, so that "everything" is everything. */
export async function surveySource(
  platform: Platform,
  call: Call,
  lookup: PositionLookup,
  { entire, byDelegate }: Taking,
  pointer: string,
): Promise<Survey> {
  const position = resolvePosition(platform, call, lookup, pointer)
  if (position.instrument !== null) await refreshPaused(platform, position.instrument)
  const state = positionState(position)
  if (state !== null && state.tenant === call.tenant) {
    if (entire) await reconcile(platform, call.cluster, [state])
    else await refreshFrozen(platform, state)
    return NOTHING_TO_ASK
  }
  if (state !== null && !entire && !byDelegate) return NOTHING_TO_ASK
  return { account: await tokenAccountAt(platform, call, position.address, `${pointer}/position`), rentLamports: 0n }
}

/** To be called in the stretch. Throws 400 `POSITION_NOT_FOUND`, `INSTRUMENT_NOT_FOUND`, `LOOKUP_MISMATCH`. */
export function sourceOf(platform: Platform, call: Call, lookup: PositionLookup, { account }: Survey, pointer: string): Source {
  const position = resolvePosition(platform, call, lookup, pointer)
  checkNoEscrow(platform.engine.directory, call, position.address, pointer)
  const state = positionState(position)
  const booked = state !== null && state.tenant === call.tenant
  if (booked || (state !== null && account === null)) {
    const { instrument, owner, address } = position
    if (instrument === null || owner === null) throw noInstrument(pointer)
    const { balance, reserved } = state.context.tokens
    const free = BigInt(balance) - BigInt(reserved)
    return { address, position, instrument, owner, frozen: isFrozen(state, instrument), free, booked }
  }
  if (account === null)
    throw badRequest('POSITION_NOT_FOUND', 'there is no such position, nor such a token account on the cluster', pointer)
  const instrument = instrumentAt(platform, call, position, account)
  if (instrument === undefined) throw noInstrument(pointer)
  if (state === null) checkNamed(position, account, pointer)
  const owner = position.owner ?? partyAt(platform, call, account.owner)
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

/** Raw units that are free to go; throws 400 `INSUFFICIENT_BALANCE` when there are none. */
export function entireBalance({ free, booked, position }: Source, pointer: string): bigint {
  if (free > 0n) return free
  const message = 'the position has no balance available'
  const state = positionState(position)
  throw booked && state !== null ? new Shortage(state, message, pointer) : badRequest('INSUFFICIENT_BALANCE', message, pointer)
}

/** The precheck where no books of the tenant make it: what the chain showed just now has to be enough. Throws 400 `INSUFFICIENT_BALANCE`. */
export function checkFree({ booked, free, address }: Source, amount: bigint): void {
  if (!booked && amount > free) throw badRequest('INSUFFICIENT_BALANCE', `${amount} raw units asked, ${address} holds ${free}`, '/itemData')
}

/** Who signs: the owner, or the permanent delegate under its own rights, whoever's the position is. Throws 400 `NO_AUTHORITY`. */
export function sourceAuthority(platform: Platform, call: Call, source: Source, byDelegate: boolean, pointer: string): Party {
  if (!byDelegate) return source.owner
  const delegate = source.instrument.context.authorities.permanentDelegateAuthority
  if (delegate === null) throw badRequest('NO_AUTHORITY', 'the instrument has no permanent delegate', pointer)
  return partyAt(platform, call, delegate.address)
}

function partyAt(platform: Platform, call: Call, address: string): Party {
  return { address, entry: recordAt(platform.engine.directory, call, call.cluster, address) ?? null, autoSign: true }
}

function noInstrument(pointer: string): Error {
  return badRequest('INSTRUMENT_NOT_FOUND', 'the instrument of the position is not onboarded', pointer)
}
