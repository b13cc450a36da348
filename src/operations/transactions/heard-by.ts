// Delays the response to a request until other cells have applied its change.
import type { Call, Outcome } from '../../contract/call.ts'
import type { Platform } from '../context/platform.ts'

/**
 * For a request that another cell serves: waits until the caller's cell has received the audit entry and the
 * idempotency key in a message.
 */
export function heardByCaller({ tenant, servedFor }: Call): Pick<Outcome, 'heardBy'> {
  return servedFor === undefined ? {} : { heardBy: { everyCell: false, sender: servedFor, tenants: [tenant] } }
}

/**
 * Resolves when the other cells have applied the change of the outcome, which is durable already. A repeated request
 * waits too, because the first one may not have been answered.
 */
export async function untilOthersAct({ otherCells }: Platform, { heardBy }: Outcome): Promise<void> {
  if (heardBy === undefined || otherCells === undefined) return
  // Cells follow a change of SYSTEM only after SYSTEM has processed the message with it.
  if (heardBy.tenants.length > 0) await otherCells.untilTaken(heardBy.sender, heardBy.tenants)
  if (heardBy.everyCell) await otherCells.untilApplied(heardBy.switches)
}
