// Fields of bulk queries over approval policies.
import { COVERED_OPERATIONS } from '../../../../machines/approval-policy.ts'
import type { Resource } from '../../../engine/query/field.ts'
import type { Source } from '../../../engine/query/read-model.ts'
import { ofKind, type RecordState } from '../../../engine/records/record.ts'
import { partOf } from './parts.ts'

export const APPROVAL_POLICIES: Resource<RecordState<'approvalPolicy'>> = {
  fields: [
    { name: 'offchainId', type: 'OFFCHAIN_ID', read: ({ id }) => id },
    {
      name: 'status',
      type: 'TEXT',
      values: ['ACTIVE', 'REMOVED'],
      read: ({ value }) => (value === 'removed' ? 'REMOVED' : 'ACTIVE'),
    },
    { name: 'operations', type: 'TEXT', values: COVERED_OPERATIONS, read: ({ context }) => context.operations },
    { name: 'approvers', type: 'TEXT', read: ({ context }) => context.approvers },
    {
      name: 'financialInstrumentOnchainId',
      type: 'ONCHAIN_ADDRESS_ID',
      nullable: true,
      read: ({ context }) => context.financialInstrument?.address ?? null,
    },
    { name: 'createdAt', type: 'TIMESTAMP', read: ({ context }) => context.createdAt },
    { name: 'updatedAt', type: 'TIMESTAMP', read: ({ context }) => context.updatedAt },
  ],
  defaultSort: [{ fieldName: 'createdAt', sortDirection: 'DESC' }],
  id: ({ id }) => id,
}

export const APPROVAL_POLICY_SOURCE: Source<RecordState<'approvalPolicy'>> = {
  resource: APPROVAL_POLICIES,
  kinds: ['approvalPolicy'],
  partsOf(state) {
    const policy = ofKind(state, 'approvalPolicy')
    return policy === undefined ? [] : [partOf(policy.cluster, policy.tenant, policy.context.organization)]
  },
}
