// Fields of bulk queries over approval policies.
import { COVERED_OPERATIONS } from '../../../../machines/approval-policy.ts'
import type { Resource } from '../../../engine/query/field.ts'
import type { RecordState } from '../../../engine/records/record.ts'
import { ownRecords } from './own-records.ts'

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
    { name: 'above', type: 'NUMBER', nullable: true, read: ({ context }) => context.above },
    { name: 'approvers', type: 'TEXT', read: ({ context }) => context.approvers },
    { name: 'requiredApproversCount', type: 'NUMBER', read: ({ context }) => context.requiredApproversCount },
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

export const APPROVAL_POLICY_SOURCE = ownRecords('approvalPolicy', APPROVAL_POLICIES)
