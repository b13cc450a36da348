// Resolves the instrument of a request, reconciles it with the chain, and checks that no change of it is under way.
import type { Entry } from '../../engine/records/entry.ts'
import { ofKind, type RecordState } from '../../engine/records/record.ts'
import type { AccountLookup } from '../../contract/values/lookup.ts'
import type { Platform, Context } from '../context/platform.ts'
import { reconcile } from '../reconcile/reconcile.ts'
import { badRequest, busy } from '../../contract/refusal.ts'
import { nothingNamed, resolveParty, type NotFound } from '../lookup/account.ts'
import { namedAsInstrument } from '../lookup/instrument.ts'
import { decidedChanges } from '../lookup/own-messages.ts'

export const INSTRUMENT_NOT_FOUND: NotFound = { code: 'INSTRUMENT_NOT_FOUND', refuse: badRequest }

export interface NamedInstrument {
  readonly entry: Entry
  readonly state: RecordState<'instrument'>
}

/** An instrument of any tenant. */
function namedInstrument(
  context: Context,
  lookup: AccountLookup,
  pointer: string,
  missing = INSTRUMENT_NOT_FOUND,
): NamedInstrument {
  const { entry } = resolveParty(context, namedAsInstrument(context, lookup), pointer, missing)
  const state = ofKind(entry?.head, 'instrument')
  if (entry === null || state === undefined) throw nothingNamed(missing, pointer)
  return { entry, state }
}

/** An instrument of the caller's organization; any other is refused as if it did not exist. */
export function ownInstrument(
  { platform, call }: Context,
  lookup: AccountLookup,
  pointer: string,
  missing = INSTRUMENT_NOT_FOUND,
): NamedInstrument {
  const found = namedInstrument({ platform, call }, lookup, pointer, missing)
  const { tenant, context } = found.state
  if (tenant === call.tenant && context.organization === call.organization) return found
  throw nothingNamed(missing, pointer)
}

/** An instrument of the caller's tenant, or a shared one. */
export function reachableInstrument(context: Context, lookup: AccountLookup, pointer: string): NamedInstrument {
  const { call } = context
  const found = namedInstrument(context, lookup, pointer)
  if (found.state.tenant === call.tenant || found.state.context.shared) return found
  throw nothingNamed(INSTRUMENT_NOT_FOUND, pointer)
}

/** Reconciles the record with the mint on chain. */
export async function refreshInstrument({ platform, call }: Context, { state }: NamedInstrument): Promise<void> {
  await reconcile(platform, call.cluster, [state])
}

/**
 * Throws 400 `INSTRUMENT_BUSY` while its creation or another change of its configuration is under way. Transfers and
 * mints do not count.
 */
export function checkIdle(platform: Platform, state: RecordState<'instrument'>, pointer: string): void {
  if (state.value === 'pending') throw busy('INSTRUMENT_BUSY', 'the creation of the instrument is under way', pointer)
  if (decidedChanges(platform.engine, state).length > 0)
    throw busy('INSTRUMENT_BUSY', 'another change of the instrument is under way', pointer)
}
