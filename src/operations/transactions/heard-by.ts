// Delays the answer to a request until other cells act by its change.
import type { Call, Outcome } from '../../contract/call.ts'
import type { Platform } from '../context/platform.ts'

/** For a request that another cell serves: the caller receives its audit entry and idempotency key in a message. */
export function heardByCaller({ tenant, servedFor }: Call): Pick<Outcome, 'heardBy'> {
  return servedFor === undefined ? {} : { heardBy: { everyCell: false, sender: servedFor, tenants: [tenant] } }
}

/**
 * Resolves when all cells act by the change of the outcome, which is durable already. A repeated request waits too,
 * because the first one may not have been answered.
 */
export async function untilOthersAct({ otherCells }: Platform, { heardBy }: Outcome): Promise<void> {
  if (heardBy === undefined || otherCells === undefined) return
  // Cells follow a change of SYSTEM only after SYSTEM has processed the message with it.
  if (heardBy.tenants.length > 0) await otherCells.untilTaken(heardBy.sender, heardBy.tenants)
  if (heardBy.everyCell) await otherCells.untilApplied(heardBy.switches)
}
