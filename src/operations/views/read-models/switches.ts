// The operators' switches in force: freezes, and suspensions of submission lanes. All of them are point lookups.
import type { SuspensionScope } from '../../../../machines/suspension.ts'
import { tenantSuspensionsKey } from '../../../engine/index/other-cell-keys.ts'
import { organizationKey, suspensionKey, suspensionsKey } from '../../../engine/index/index-keys.ts'
import { ofKind, type HoldingState, type RecordState } from '../../../engine/records/record.ts'
import type { Caller } from '../../../contract/call.ts'
import type { SwitchesModel } from '../../../contract/schemas/identity-answer.ts'
import { SYSTEM_TENANT } from '../../../contract/tenancy.ts'
import type { Platform } from '../../context/platform.ts'

type Parts = Pick<Platform, 'engine' | 'clusters'>

/** True if any lane of the cluster is suspended, for any scope. */
export function hasSuspensions({ engine }: Pick<Platform, 'engine'>, cluster: string): boolean {
  return engine.directory.firstOwn(suspensionsKey(cluster)) !== undefined
}

/** True if nothing of the organization is sent. A suspension of one lane does not count. */
export function isSendingSuspended(
  { engine }: Pick<Platform, 'engine'>,
  { tenant, cluster }: Pick<RecordState, 'tenant' | 'cluster'>,
  organization: string,
): boolean {
  if (!hasSuspensions({ engine }, cluster)) return false
  const scopes: readonly SuspensionScope[] = [
    { tenant: null, organization: null, lane: null },
    { tenant, organization: null, lane: null },
    { tenant, organization, lane: null },
  ]
  return scopes.some((scope) => isSuspended(engine, cluster, scope))
}

/** True if the lane of this account is suspended. Suspensions of its organization, or of everything, do not count. */
export function isLaneSuspended(
  { engine }: Pick<Platform, 'engine'>,
  { tenant, cluster, context }: HoldingState,
): boolean {
  if (!hasSuspensions({ engine }, cluster)) return false
  const { address: lane, organization } = context
  const scopes: readonly SuspensionScope[] = [
    { tenant: null, organization: null, lane },
    { tenant, organization: null, lane },
    { tenant, organization, lane },
  ]
  return scopes.some((scope) => isSuspended(engine, cluster, scope))
}

/**
 * The clusters on which the lanes of an organization are suspended; for a root organization, those of its whole tenant.
 */
export function suspendedClusters({ engine, clusters }: Parts, organization: Suspendable): string[] {
  const scope = scopeOf(organization)
  return [...clusters.keys()].filter((cluster) => isSuspended(engine, cluster, scope))
}

/** As `suspendedClusters`, from the records of a tenant of another cell. Throws `NotAtHand`. */
export function suspendedElsewhere({ engine, clusters }: Parts, organization: Suspendable): string[] {
  const { tenant } = organization
  const keys = engine.directory.find(tenantSuspensionsKey(tenant)).flatMap(({ head }) => {
    const suspension = ofKind(head, 'suspension')
    return suspension?.value === 'suspended' ? [suspensionKey(suspension.cluster, suspension.context.scope)] : []
  })
  return [...clusters.keys()].filter((cluster) => keys.includes(suspensionKey(cluster, scopeOf(organization))))
}

interface Suspendable {
  readonly tenant: string
  readonly externalId: string
  readonly isRoot: boolean
}

function scopeOf({ tenant, externalId, isRoot }: Suspendable): SuspensionScope {
  return { tenant, organization: isRoot ? null : externalId, lane: null }
}

/** The switches of the whole service, and of the tenant and the organization of a caller. */
export function switchesOver({ engine, clusters }: Parts, { organization, tenant }: Caller): SwitchesModel {
  const frozen = (externalId: string): boolean =>
    engine.directory.firstOwn(organizationKey(externalId))?.head.value === 'frozen'
  const parts = { engine, clusters }
  return {
    everythingFrozen: frozen(SYSTEM_TENANT),
    tenantFrozen: frozen(tenant),
    organizationFrozen: frozen(organization),
    suspendedClusters: [...clusters.keys()].filter((cluster) =>
      isSuspended(engine, cluster, { tenant: null, organization: null, lane: null }),
    ),
    tenantSuspendedOn: suspendedClusters(parts, { tenant, externalId: tenant, isRoot: true }),
    organizationSuspendedOn: suspendedClusters(parts, {
      tenant,
      externalId: organization,
      isRoot: organization === tenant,
    }),
  }
}

function isSuspended({ directory }: Platform['engine'], cluster: string, scope: SuspensionScope): boolean {
  return directory.find(suspensionKey(cluster, scope)).some(({ head }) => head.value === 'suspended')
}
