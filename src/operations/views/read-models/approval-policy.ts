// The read model of an approval policy.
import type { RecordState } from '../../../engine/records/record.ts'
import { decimalJson } from '../../../../machines/amount.ts'
import { idsOf } from './transaction.ts'
import type { ApprovalPolicyModel } from '../../../contract/schemas/approval-policy.ts'

export function approvalPolicyModel({ id, value, context }: RecordState<'approvalPolicy'>): ApprovalPolicyModel {
  const { organization, operations, financialInstrument, above, approvers, requiredApproversCount, release, ...times } =
    context
  return {
    offchainId: id,
    status: value === 'removed' ? 'REMOVED' : 'ACTIVE',
    operations,
    financialInstrument: financialInstrument === null ? null : idsOf(financialInstrument),
    above: above === null ? null : decimalJson(above),
    approvers,
    requiredApproversCount,
    release: release === null ? null : { ...release },
    approversNamedAt: times.approversNamedAt,
    createdBy: times.createdBy,
    createdAt: times.createdAt,
    updatedAt: times.updatedAt,
    tenantOrganizationId: organization,
  }
}
