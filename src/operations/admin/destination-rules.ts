// The destination policy of an organization: the members that decide which addresses its accounts may pay.
import type { OrganizationChanges, ReviewApproval } from '../../../machines/organization.ts'
import { apiKeyKey } from '../../engine/index/index-keys.ts'
import type { DestinationRulesInput, ReviewApprovalInput } from '../../contract/schemas/counterparty.ts'
import { badRequest } from '../../contract/refusal.ts'
import { eachTogether } from '../../contract/together.ts'
import type { Platform } from '../context/platform.ts'

/**
 * Throws 400 `API_KEY_NOT_FOUND`, `TOO_FEW_APPROVERS`.
 *
 * @param tenant of the organization
 */
export function destinationChanges(
  platform: Platform,
  tenant: string,
  input: DestinationRulesInput,
): OrganizationChanges {
  const { destinationPolicy, coolingOffHours, reviewApproval } = input
  return {
    ...(destinationPolicy === undefined ? {} : { destinationPolicy: destinationPolicy ?? 'OPEN' }),
    ...(coolingOffHours === undefined ? {} : { coolingOffHours: coolingOffHours ?? 0 }),
    ...(reviewApproval === undefined ? {} : { reviewApproval: approvalOf(platform, tenant, reviewApproval) }),
  }
}

function approvalOf({ engine }: Platform, tenant: string, given: ReviewApprovalInput | null): ReviewApproval | null {
  if (given === null) return null
  const approvers = [...new Set(given.approvers)]
  const { requiredApproversCount = 1 } = given
  eachTogether(given.approvers, (keyId, index) => {
    if (engine.directory.firstOwn(apiKeyKey(keyId))?.head.tenant !== tenant)
      throw badRequest(
        'API_KEY_NOT_FOUND',
        `no API key ${keyId} in this tenant`,
        `/itemData/reviewApproval/approvers/${index}`,
      )
  })
  if (approvers.length < requiredApproversCount)
    throw badRequest(
      'TOO_FEW_APPROVERS',
      `${requiredApproversCount} approvers are required, ${approvers.length} are named`,
      '/itemData/reviewApproval/requiredApproversCount',
    )
  return { approvers, requiredApproversCount }
}
