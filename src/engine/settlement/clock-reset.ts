// The record that the clock of the service was put back: transactions were dated by a clock that was ahead, and the
// operator has declared the machine's clock to be right. Instants recorded until then and later than that clock no
// longer bound the clock of a start.
import type { Store } from '../../../snapshots/store.ts'

export const CLOCK_RESET = 'clock.reset'

export interface ClockReset {
  /** The machine's clock at the reset, Unix milliseconds. */
  readonly atMs: number
  /** The latest instant on record then. */
  readonly beforeMs: number
}

export function clockResetOf(store: Pick<Store, 'meta'>): ClockReset | null {
  const { atMs, beforeMs } = (store.meta(CLOCK_RESET) ?? {}) as Partial<ClockReset>
  return typeof atMs === 'number' && typeof beforeMs === 'number' ? { atMs, beforeMs } : null
}

/** True for an instant that was recorded by the clock that was wrong. */
export function isDiscarded(reset: ClockReset | null, at: number): boolean {
  return reset !== null && at > reset.atMs && at <= reset.beforeMs
}
