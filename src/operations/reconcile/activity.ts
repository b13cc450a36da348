// Emits `account.network_activity` for accounts with `subscribeToNetworkEvents`: changes on chain that this service did
// not make.
import type { UnitOfWork } from '../../engine/records/unit-of-work.ts'
import type { HoldingState } from '../../engine/records/record.ts'
import { eventsOfChange } from '../events/events-of-change.ts'

/**
 * Adds the event to the unit of work that writes the change: the changed members, as in the event of the change itself,
 * and the slot of the reading. No event for records without a subscription.
 */
export function sendActivity(unit: UnitOfWork, before: HoldingState, after: HoldingState, slot: number): void {
  const { subscribeToNetworkEvents, organization, address, shared } = after.context
  if (!subscribeToNetworkEvents || before === after) return
  const { tenant, cluster, id } = after
  const [change] = eventsOfChange(before, after)
  unit.event({
    tenant,
    cluster,
    organization,
    type: 'account.network_activity',
    onchainId: address,
    offchainId: id,
    data: { slot, ...change?.data },
    ...(shared ? { seenBy: 'shared' } : {}),
  })
}
