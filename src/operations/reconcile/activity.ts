// What accounts with `subscribeToNetworkEvents` are told of: changes on chain that this service did not make. The one place.
import type { UnitOfWork } from '../../engine/records/unit-of-work.ts'
import type { HoldingState } from '../../engine/records/record.ts'
import { tellChange } from '../events/tell.ts'

/**
 * Event `account.network_activity`, in the write that folds the change in: what changed, as the event of the change itself has it, and the
 * slot it was seen at. Nothing for records that are not subscribed.
 */
export function tellActivity(unit: UnitOfWork, before: HoldingState, after: HoldingState, slot: number): void {
  const { subscribeToNetworkEvents, organization, address, shared } = after.context
  if (!subscribeToNetworkEvents || before === after) return
  const { tenant, cluster, id } = after
  const [change] = tellChange(before, after)
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
