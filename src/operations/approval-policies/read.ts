// POST /approval-policies/single, /approval-policies/bulk
import { answerOwn } from '../views/bulk/fetch.ts'
import { APPROVAL_POLICY_SOURCE } from '../views/bulk/approval-policies.ts'
import type { BulkInput } from '../views/fetch-bulk.ts'
import type { ItemBody } from '../../contract/values/chain-config.ts'
import type { PolicyReference } from '../../contract/schemas/approval-policy.ts'
import type { Read } from '../context/platform.ts'
import { approvalPolicyModel } from '../views/read-models/approval-policy.ts'
import { policyNamed } from './terms.ts'
import type { ApprovalPolicyModel } from '../../contract/schemas/approval-policy.ts'
import type { PageOf } from '../../contract/schemas/answers.ts'

export const policyDetails: Read<ItemBody<PolicyReference>, ApprovalPolicyModel> = (context, { itemData }) =>
  approvalPolicyModel(policyNamed(context, itemData.offchainId).policy)

export const fetchPolicies: Read<BulkInput, PageOf<ApprovalPolicyModel>> = async (context, { itemQuery }) => {
  const { count, items } = await answerOwn(context, APPROVAL_POLICY_SOURCE, itemQuery)
  return { count, items: items.map(approvalPolicyModel) }
}
