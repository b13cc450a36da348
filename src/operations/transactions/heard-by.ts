// The end of a request whose change others must know of before it is answered.
import type { Call, Outcome } from '../../contract/call.ts'
import type { Platform } from '../context/platform.ts'

/** Of a request that another cell serves: the caller has its audit entry and its idempotency key by message. */
export function heardByCaller({ tenant, servedFor }: Call): Pick<Outcome, 'heardBy'> {
  return servedFor === undefined ? {} : { heardBy: { everyCell: false, sender: servedFor, tenants: [tenant] } }
}

/**
 * Resolves when everybody acts by the change of the outcome, which is durable. A repeated request waits like the first:
 * that one may not have been answered.
 */
export async function untilOthersAct({ otherCells }: Platform, { heardBy }: Outcome): Promise<void> {
  if (heardBy === undefined || otherCells === undefined) return
  // What SYSTEM has taken, every cell hears of next.
  if (heardBy.tenants.length > 0) await otherCells.untilTaken(heardBy.sender, heardBy.tenants)
  if (heardBy.everyCell) await otherCells.untilHeard(heardBy.switches)
}
