// Conditions under which an instrument cannot be moved, checked before anything is signed.
import type { RecordState } from '../../engine/records/record.ts'
import type { Platform } from '../context/platform.ts'
import { reconcile } from '../reconcile/reconcile.ts'
import { badRequest } from '../../contract/refusal.ts'

/**
 * Transfers, mints and burns of a paused instrument fail on chain; freezing, opening and closing positions do not.
 * Throws 400 `INSTRUMENT_PAUSED`.
 */
export function checkNotPaused({ value, context }: RecordState<'instrument'>, pointer: string): void {
  if (value === 'paused') throw badRequest('INSTRUMENT_PAUSED', `the instrument ${context.address} is paused`, pointer)
}

/** Reconciles a paused instrument before it is refused: it may have been resumed outside of this service. */
export async function refreshPaused(platform: Platform, instrument: RecordState<'instrument'>): Promise<void> {
  if (instrument.value === 'paused') await reconcile(platform, instrument.cluster, [instrument])
}

/** Reconciles a frozen position before it is refused: it may have been thawed outside of this service. */
export async function refreshFrozen(platform: Platform, position: RecordState<'position'> | null): Promise<void> {
  if (position?.value === 'frozen') await reconcile(platform, position.cluster, [position])
}
