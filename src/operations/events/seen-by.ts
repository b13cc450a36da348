// Decides which organizations see an event: the owner of the record, the organizations that the log lists, and every
// organization of the tenant for a shared record; only in the cluster of the event.
import type { EventRecord } from '../../contract/schemas/event.ts'

/** The members that the decision needs. `seenBy` is absent if the log lists no other organization. */
export type EventAudience = Pick<EventRecord, 'tenantOrganizationId' | 'chainClusterId'> & {
  readonly seenBy?: readonly string[] | 'shared'
}

export function isSeenBy(
  { cluster, organization }: { readonly cluster: string; readonly organization: string },
  { chainClusterId, tenantOrganizationId, seenBy = [] }: EventAudience,
): boolean {
  if (chainClusterId !== cluster) return false
  return tenantOrganizationId === organization || seenBy === 'shared' || seenBy.includes(organization)
}
