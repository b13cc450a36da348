// A liquidation that is due and finds the loan busy comes before further changes by the borrower. What is under way may
// land, because its signed bytes may be outside; but it lands or expires within the lifetime of a blockhash, and a
// borrower could otherwise begin one change after the other, and put the liquidation off for ever.
import type { Entry } from '../../engine/records/entry.ts'
import { busy } from '../../contract/refusal.ts'
import type { Platform } from '../context/platform.ts'

/** Longer than a signed message can land, and its expiry takes to be proven. */
const RESERVED_MS = 180_000

/** By loan, the time until which the borrower begins no change. */
const reservedUntilMs = new WeakMap<Entry, number>()

type Timed = Pick<Platform, 'clock'>

export function reserveForLiquidation({ clock }: Timed, loan: Entry): void {
  reservedUntilMs.set(loan, clock.now() + RESERVED_MS)
}

export function endReservation(loan: Entry): void {
  reservedUntilMs.delete(loan)
}

/** Throws 400 `LOAN_BUSY`. */
export function checkNotReserved({ clock }: Timed, loan: Entry, pointer: string): void {
  const untilMs = reservedUntilMs.get(loan)
  if (untilMs === undefined || untilMs <= clock.now()) return
  throw busy('LOAN_BUSY', 'a liquidation of the loan is due, and comes before further changes', pointer)
}
