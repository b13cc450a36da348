// Read models of organizations and API keys. The model of a key never contains its secret or the stored hash.
import type { RecordState } from '../../../engine/records/record.ts'
import { suspendedClusters, suspendedElsewhere } from './switches.ts'
import type { ApiKeyModel } from '../../../contract/schemas/answers.ts'
import type { OrganizationModel } from '../../../contract/schemas/counterparty.ts'

type Parts = Parameters<typeof suspendedClusters>[0]

/** The model in lists of administrators, also for an organization of another cell. Throws `NotAtHand`. */
export function organizationListed(parts: Parts, state: RecordState<'organization'>): OrganizationModel {
  const model = organizationModel(parts, state)
  const { tenant, context } = state
  if (parts.engine.owns(tenant)) return model
  const { externalId, parentExternalId } = context
  const elsewhere = suspendedElsewhere(parts, { tenant, externalId, isRoot: parentExternalId === null })
  return { ...model, suspendedOnClusters: [...new Set([...model.suspendedOnClusters, ...elsewhere])] }
}

export function organizationModel(
  parts: Parts,
  { value, tenant, context }: RecordState<'organization'>,
): OrganizationModel {
  const {
    externalId,
    name,
    parentExternalId,
    allowedPrograms,
    acceptedFeePayers = [],
    acceptsSigningRequests = false,
  } = context
  const { destinationPolicy = 'OPEN', coolingOffHours = 0, reviewApproval = null, screening = null } = context
  const status = value === 'frozen' ? 'FROZEN' : 'ACTIVE'
  return {
    externalId,
    name,
    parentExternalId,
    allowedPrograms,
    acceptedFeePayers,
    acceptsSigningRequests,
    destinationPolicy,
    coolingOffHours,
    reviewApproval: reviewApproval === null ? null : { ...reviewApproval },
    screening: screening === null ? null : { ...screening },
    status,
    suspendedOnClusters: suspendedClusters(parts, { tenant, externalId, isRoot: parentExternalId === null }),
  }
}

export function apiKeyModel({ value, context }: RecordState<'apiKey'>): ApiKeyModel {
  const { keyId, name, organization, roles, clusters, expiresAt, lastUsedAt, createdAt, createdBy, rotatedAt } = context
  return {
    keyId,
    name,
    organizationExternalId: organization,
    roles,
    clusters: clusters ?? [],
    disabled: value === 'disabled',
    expiresAt,
    lastUsedAt,
    createdAt,
    createdBy,
    rotatedAt,
    previousSecretValidUntil: context.previousUntil,
    approvalsSuspendedUntil: context.approvalsSuspendedUntil,
  }
}
