// Who may see an event: the organization that its record belongs to, those that the log names besides, everybody of the tenant if it is
// shared; and only in its cluster.
import type { EventRecord } from '../../contract/event-record.ts'

/** What of an event that depends on. `seenBy` is absent where the log names nobody else. */
export type Seen = Pick<EventRecord, 'tenantOrganizationId' | 'chainClusterId'> & { readonly seenBy?: readonly string[] | 'shared' }

export function isSeenBy(
  { cluster, organization }: { readonly cluster: string; readonly organization: string },
  { chainClusterId, tenantOrganizationId, seenBy = [] }: Seen,
): boolean {
  if (chainClusterId !== cluster) return false
  return tenantOrganizationId === organization || seenBy === 'shared' || seenBy.includes(organization)
}
