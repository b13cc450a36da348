// Finds the counterparty of an address. An address belongs to at most one counterparty of a tenant and cluster.
import type { RecordIndex } from '../../engine/index/record-index.ts'
import { organizationKey, counterpartyKey, listedKey, restrictedKey } from '../../engine/index/index-keys.ts'
import { ofKind, type RecordState } from '../../engine/records/record.ts'
import type { OrganizationContext } from '../../../machines/organization.ts'
import { isOfRoot } from '../../contract/roles.ts'
import { ownRecordsAt } from './whose-records.ts'

export type Counterparty = RecordState<'counterparty'>

/** The tenant's counterparty that lists the address, whichever of its organizations keeps the record. */
export function counterpartyAt(
  directory: RecordIndex,
  tenant: string,
  cluster: string,
  address: string,
): Counterparty | undefined {
  return ofKind(directory.first(counterpartyKey(tenant, cluster, address))?.head, 'counterparty')
}

/** True if the tenant pays some address never, or only with an approval. */
export function hasRestricted(directory: RecordIndex, tenant: string, cluster: string): boolean {
  return directory.first(restrictedKey(tenant, cluster)) !== undefined
}

/** True if a counterparty of the tenant lists any address. */
export function hasCounterparties(directory: RecordIndex, tenant: string, cluster: string): boolean {
  return directory.first(listedKey(tenant, cluster)) !== undefined
}

/**
 * True if the organization may rely on the counterparty: its own, or one that the root organization of the tenant
 * keeps for all of its organizations.
 */
export function servesOrganization({ tenant, context }: Counterparty, organization: string): boolean {
  return context.organization === organization || isOfRoot({ tenant, organization: context.organization })
}

/**
 * The name that the organization, or the root organization of its tenant, gives to an address; null: none. A recorded
 * token account without a name of its own has the name of its owner.
 */
export function nameOfAddress(
  directory: RecordIndex,
  { tenant, organization }: { readonly tenant: string; readonly organization: string },
  cluster: string,
  address: string,
): { readonly offchainId: string; readonly name: string } | null {
  if (!hasCounterparties(directory, tenant, cluster)) return null
  const usableAt = (each: string): Counterparty | undefined => {
    const record = counterpartyAt(directory, tenant, cluster, each)
    return record !== undefined && servesOrganization(record, organization) ? record : undefined
  }
  const owners = (): string[] =>
    ownRecordsAt(directory, tenant, cluster, address).flatMap(
      ({ head }) => ofKind(head, 'position')?.context.owner.address ?? [],
    )
  const counterparty =
    usableAt(address) ??
    owners()
      .map(usableAt)
      .find((each) => each !== undefined)
  return counterparty === undefined ? null : { offchainId: counterparty.id, name: counterparty.context.name }
}

export function organizationContext(directory: RecordIndex, organization: string): OrganizationContext | undefined {
  return ofKind(directory.firstOwn(organizationKey(organization))?.head, 'organization')?.context
}
