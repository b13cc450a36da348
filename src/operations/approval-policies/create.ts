// POST /approval-policies: operations of the organization, and of those below it, need approvals from now on.
import { changeRecords } from '../transactions/change-records.ts'
import type { ItemBody } from '../../contract/values/chain-config.ts'
import type { NewPolicyInput } from '../../contract/schemas/approval-policy.ts'
import { neededApprovals } from '../authorization/policies/changes.ts'
import type { Write } from '../context/platform.ts'
import { alongWith, together } from '../../contract/together.ts'
import { checkAbove, checkApprovers, checkPolicyCount, checkTerms, instrumentOfLookup, inTerms } from './terms.ts'
import type { WithId } from '../../contract/schemas/members.ts'

type Members = WithId<'newApprovalPolicy'>

/**
 * Throws 400 `POLICY_TERMS_INVALID`, `TOO_FEW_APPROVERS`, `APPROVER_NOT_FOUND`, `INSTRUMENT_NOT_FOUND`,
 * `TOO_PRECISE`, `OVER_U64`, `TOO_MANY_POLICIES`.
 */
export const createPolicy: Write<ItemBody<NewPolicyInput>, Members> = async (context, { itemData }) => {
  const { platform, call } = context
  const { tenant, cluster, organization, caller } = call
  return await changeRecords(context, (unit) => {
    unit.openFor(tenant)
    const { financialInstrument, above = null, operations, approvers, requiredApproversCount } = itemData
    const given = { operations, approvers, requiredApproversCount, above }
    const instrument = alongWith(
      () => (financialInstrument === undefined ? null : instrumentOfLookup(context, financialInstrument)),
      () => checkApprovers(context, approvers),
    )
    const terms = { ...given, financialInstrument: inTerms(instrument) }
    together(
      () => checkTerms(context, terms),
      () => checkAbove(above, instrument, '/itemData/above'),
    )
    checkPolicyCount(platform, tenant)
    const change = { operation: 'APPROVAL_POLICIES', tenant, organizations: [organization], resolved: terms } as const
    const needed = neededApprovals(context, change)
    if (needed !== null) return needed
    const id = platform.ids()
    const at = new Date(platform.clock.now()).toISOString()
    const policy = {
      ...terms,
      organization,
      approversNamedAt: at,
      release: null,
      createdAt: at,
      createdBy: caller.keyId,
      updatedAt: at,
    }
    unit.create('approvalPolicy', { tenant, cluster, id }, { policy })
    return { members: { newApprovalPolicy: { offchainId: id } } }
  })
}
