// What the record of an instrument says against moving it, before anything is signed.
import type { RecordState } from '../../engine/records/record.ts'
import type { Platform } from '../context/platform.ts'
import { reconcile } from '../reconcile/reconcile.ts'
import { badRequest } from '../../contract/refusal.ts'

/** Transfers, mints and burns of a paused instrument fail on chain; freezing, opening and closing do not. Throws 400 `INSTRUMENT_PAUSED`. */
export function checkNotPaused({ value, context }: RecordState<'instrument'>, pointer: string): void {
  if (value === 'paused') throw badRequest('INSTRUMENT_PAUSED', `the instrument ${context.address} is paused`, pointer)
}

/** Somebody else may have resumed it: what would be refused for being paused is asked for again first. */
export async function refreshPaused(platform: Platform, instrument: RecordState<'instrument'>): Promise<void> {
  if (instrument.value === 'paused') await reconcile(platform, instrument.cluster, [instrument])
}

/** Somebody else may have thawed it: likewise. */
export async function refreshFrozen(platform: Platform, position: RecordState<'position'> | null): Promise<void> {
  if (position?.value === 'frozen') await reconcile(platform, position.cluster, [position])
}
