// Finds the counterparty of an address. An address belongs to at most one counterparty of a tenant and cluster.
import type { Directory } from '../../engine/index/directory.ts'
import { counterpartyKey, restrictedKey } from '../../engine/index/counterparty-keys.ts'
import { organizationKey } from '../../engine/index/index-keys.ts'
import { ofKind, type RecordState } from '../../engine/records/record.ts'
import type { OrganizationContext } from '../../../machines/organization.ts'
import { isOfRoot } from '../../contract/roles.ts'

export type Counterparty = RecordState<'counterparty'>

/** The tenant's counterparty that lists the address, whichever of its organizations keeps the record. */
export function counterpartyAt(directory: Directory, tenant: string, cluster: string, address: string): Counterparty | undefined {
  return ofKind(directory.first(counterpartyKey(tenant, cluster, address))?.head, 'counterparty')
}

/** True if some address is never paid by the tenant, or only with an approval. */
export function hasRestricted(directory: Directory, tenant: string, cluster: string): boolean {
  return directory.first(restrictedKey(tenant, cluster)) !== undefined
}

/**
 * True if the organization may rely on the counterparty: its own, or one that the root organization of the tenant
 * keeps for all of its organizations.
 */
export function servesOrganization({ tenant, context }: Counterparty, organization: string): boolean {
  return context.organization === organization || isOfRoot({ tenant, organization: context.organization })
}

export function organizationContext(directory: Directory, organization: string): OrganizationContext | undefined {
  return ofKind(directory.first(organizationKey(organization))?.head, 'organization')?.context
}
