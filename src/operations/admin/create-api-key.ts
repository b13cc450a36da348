// POST /admin/api-keys: creates an API key for an organization. The answer contains the secret, which cannot be read
// later.
import { activeApiKeysKey } from '../../engine/index/index-keys.ts'
import { EVERY_CLUSTER } from '../../engine/records/record.ts'
import { generateApiKey } from '../../keys/api-key.ts'
import { administer } from './administer.ts'
import { grantedClusters, grantedRoles } from '../../contract/grant.ts'
import { organizationWithin } from '../lookup/within-reach.ts'
import type { ItemBody } from '../../contract/values/chain-config.ts'
import type { NewApiKeyInput } from '../../contract/schemas/admin.ts'
import type { Platform, Write } from '../context/platform.ts'
import { keptSinceRequest, neededApprovals } from '../authorization/policies/changes.ts'
import type { ChangeValues } from '../../contract/call.ts'
import { badRequest } from '../../contract/refusal.ts'
import { together } from '../../contract/together.ts'
import { mayGiveKeys } from '../../contract/roles.ts'

type Members = { readonly keyId: string }

const MAX_KEYS_OF_TENANT = 1_000

export const createApiKey: Write<ItemBody<NewApiKeyInput>, Members> = (context, { itemData }) =>
  administer(context, (unit) => {
    const { caller } = context.call
    const now = context.platform.clock.now()
    const { organizationExternalId } = itemData
    const [{ state: organization }, roles, clusters, expiresAt] = together(
      () => organizationWithin(context, organizationExternalId, '/itemData/organizationExternalId', mayGiveKeys),
      () => grantedRoles(caller, itemData),
      () => grantedClusters(caller, itemData.clusters),
      () => (itemData.expiresAt === undefined ? null : futureInstant(itemData.expiresAt, now)),
    )
    checkKeyCount(context.platform, organization.tenant)
    const {
      tenant,
      context: { externalId },
    } = organization
    const needed = neededApprovals(
      context,
      { operation: 'API_KEYS', tenant, organizations: [externalId, context.call.organization] },
      decideKey,
    )
    if (needed !== null) return needed
    const kept = keptSinceRequest(context.call)
    const { keyId, secretHash, apiKey } = kept === null ? generateApiKey() : (kept as unknown as KeptKey)
    unit.orderNew(
      'apiKey',
      { tenant: organization.tenant, cluster: EVERY_CLUSTER, id: context.platform.ids() },
      {
        apiKey: {
          keyId,
          organization: organization.context.externalId,
          name: itemData.name,
          roles,
          secretHash,
          previousSecretHash: null,
          previousUntil: null,
          expiresAt,
          clusters,
          createdAt: new Date(now).toISOString(),
          createdBy: caller.keyId,
          lastUsedAt: null,
          rotatedAt: null,
          approvalsSuspendedUntil: null,
        },
      },
    )
    return { members: { keyId }, ...(apiKey === undefined ? {} : { secrets: { apiKey } }) }
  })

/** Of an approved request: the requester has the secret since the request. */
export interface KeptKey {
  readonly keyId: string
  readonly secretHash: string
  readonly apiKey?: undefined
}

function decideKey(): ChangeValues {
  const { keyId, secretHash, apiKey } = generateApiKey()
  return { kept: { keyId, secretHash }, secrets: { keyId, apiKey } }
}

/** Disabled keys do not count. Throws 400 `TOO_MANY_API_KEYS`. */
function checkKeyCount({ engine }: Platform, tenant: string): void {
  if (engine.directory.find(activeApiKeysKey(tenant)).length < MAX_KEYS_OF_TENANT) return
  throw badRequest('TOO_MANY_API_KEYS', `a tenant has at most ${MAX_KEYS_OF_TENANT} API keys that are not disabled`, '')
}

function futureInstant(text: string, now: number): string {
  const at = Date.parse(text)
  if (Number.isNaN(at))
    throw badRequest('MALFORMED_INSTANT', 'expiresAt must be an ISO 8601 time', '/itemData/expiresAt')
  if (at <= now) throw badRequest('EXPIRES_IN_THE_PAST', 'expiresAt must be in the future', '/itemData/expiresAt')
  return new Date(at).toISOString()
}
