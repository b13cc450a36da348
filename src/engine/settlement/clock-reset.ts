// The record of a reset of the service clock: transactions were dated by a clock that was ahead, and the operator has
// declared the machine's clock to be correct. Times recorded before the reset that are later than that clock no longer
// limit the clock at a start.
import type { Store } from '../../../snapshots/store.ts'

export const CLOCK_RESET = 'clock.reset'

export interface ClockReset {
  /** The machine's clock at the reset, Unix milliseconds. */
  readonly atMs: number
  /** The latest instant on record at the reset. */
  readonly beforeMs: number
}

export function clockResetOf(store: Pick<Store, 'meta'>): ClockReset | null {
  const { atMs, beforeMs } = (store.meta(CLOCK_RESET) ?? {}) as Partial<ClockReset>
  return typeof atMs === 'number' && typeof beforeMs === 'number' ? { atMs, beforeMs } : null
}

/** True for a time that the wrong clock recorded. */
export function isDiscarded(reset: ClockReset | null, at: number): boolean {
  return reset !== null && at > reset.atMs && at <= reset.beforeMs
}
