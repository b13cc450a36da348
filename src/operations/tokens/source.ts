// Where tokens come from: always a position of ours, whose owner (or permanent delegate) signs.
import { addressKey } from '../../engine/index-keys.ts'
import type { RecordState } from '../../engine/record.ts'
import type { Call } from '../call.ts'
import type { PositionLookup } from '../input.ts'
import type { Platform } from '../platform.ts'
import { reconcile } from '../reconcile.ts'
import { badRequest } from '../refusal.ts'
import type { Party } from '../resolve/party.ts'
import { knownPosition, resolvePosition, type ResolvedPosition } from '../resolve/position.ts'

export interface Source {
  readonly state: RecordState<'position'>
  readonly instrument: RecordState<'instrument'>
  readonly owner: Party
  /** Raw units that are free to go; throws 400 when there are none. */
  entireBalance(pointer: string): bigint
}

export function knownSource(position: ResolvedPosition, pointer: string): Source {
  const { state } = knownPosition(position, pointer)
  const { instrument, owner } = position
  if (instrument === null || owner === null)
    throw badRequest('INSTRUMENT_NOT_FOUND', 'the instrument of the position is not onboarded', pointer)
  return { state, instrument, owner, entireBalance: (member) => entireBalance(state, member) }
}

/** Folds in what came to the position from outside, so that "everything" is everything. */
export async function refreshed(platform: Platform, call: Call, lookup: PositionLookup, pointer: string): Promise<void> {
  const { entry } = resolvePosition(platform, call, lookup, pointer)
  if (entry !== null) await reconcile(platform, call.cluster, [entry.head])
}

export function sourceAuthority(platform: Platform, call: Call, source: Source, byDelegate: boolean, pointer: string): Party {
  if (!byDelegate) return source.owner
  const delegate = source.instrument.context.authorities.permanentDelegateAuthority
  if (delegate === null) throw badRequest('NO_AUTHORITY', 'the instrument has no permanent delegate', pointer)
  return {
    address: delegate.address,
    entry: platform.engine.directory.first(addressKey(call.cluster, delegate.address)) ?? null,
    autoSign: true,
  }
}

function entireBalance(state: RecordState<'position'>, pointer: string): bigint {
  const { balance, reserved } = state.context.tokens
  const free = BigInt(balance) - BigInt(reserved)
  if (free <= 0n) throw badRequest('INSUFFICIENT_BALANCE', 'the position has no balance available', pointer)
  return free
}
