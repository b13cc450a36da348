// Fields of bulk queries over pending changes.
import { RECORD_OPERATIONS } from '../../../../machines/approval-policy.ts'
import type { PendingChangeState } from '../../../../machines/pending-change.ts'
import type { Resource } from '../../../engine/query/field.ts'
import type { RecordState } from '../../../engine/records/record.ts'
import { approversOf, PENDING_CHANGE_STATUS } from '../read-models/pending-change.ts'
import { AWAITS_APPROVAL_BY } from './awaiting.ts'
import { ownRecords } from './own-records.ts'
import { shortRows } from './short-rows.ts'

export const PENDING_CHANGES: Resource<RecordState<'pendingChange'>> = {
  fields: [
    { name: 'offchainId', type: 'OFFCHAIN_ID', read: ({ id }) => id },
    {
      name: 'status',
      type: 'TEXT',
      values: Object.values(PENDING_CHANGE_STATUS),
      read: ({ value }) => PENDING_CHANGE_STATUS[value as PendingChangeState],
    },
    { name: 'operation', type: 'TEXT', values: RECORD_OPERATIONS, read: ({ context }) => context.operation },
    { name: 'endpoint', type: 'TEXT', read: ({ context }) => context.endpoint },
    { name: 'requestedBy', type: 'TEXT', read: ({ context }) => context.requester.keyId },
    { name: 'approvers', type: 'TEXT', read: ({ context }) => approversOf(context) },
    AWAITS_APPROVAL_BY,
    { name: 'createdAt', type: 'TIMESTAMP', read: ({ context }) => context.createdAt },
    { name: 'endedAt', type: 'TIMESTAMP', nullable: true, read: ({ context }) => context.endedAt },
  ],
  defaultSort: [{ fieldName: 'createdAt', sortDirection: 'DESC' }],
  id: ({ id }) => id,
}

export const PENDING_CHANGE_SOURCE = ownRecords(
  'pendingChange',
  PENDING_CHANGES,
  shortRows('pendingChange', 'createdAt', ['operation', 'endpoint', 'requester', 'approval', 'createdAt', 'endedAt']),
)
