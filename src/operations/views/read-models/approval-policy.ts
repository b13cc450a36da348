// An approval policy as it is shown.
import type { RecordState } from '../../../engine/records/record.ts'
import { decimalJson } from '../../../../machines/amount.ts'
import type { JsonObject } from '../../../contract/call.ts'
import { idsOf } from './transaction.ts'

export function approvalPolicyModel({ id, value, context }: RecordState<'approvalPolicy'>): JsonObject {
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
