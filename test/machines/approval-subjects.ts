// Approval policies to try their machine with.
import type { ApprovalPolicyContext } from '../../machines/approval-policy.ts'
import { AT } from './records.ts'

export const approvalPolicy: ApprovalPolicyContext = {
  organization: 'ACME',
  operations: ['MINT', 'BURN'],
  financialInstrument: { address: 'Mint1111', id: null },
  above: '1000',
  approvers: ['key2', 'key3', 'jwt:anna'],
  requiredApproversCount: 2,
  approversNamedAt: AT,
  release: null,
  createdAt: AT,
  createdBy: 'key1',
  updatedAt: AT,
}

export const LATER = '2026-11-22T08:00:00.000Z'
export const MUCH_LATER = '2026-11-29T08:00:00.000Z'

export const APPROVAL_SUBJECTS = {
  approvalPolicy: {
    inputs: [{ policy: approvalPolicy }, { policy: { ...approvalPolicy, operations: ['API_KEYS'], financialInstrument: null, above: null } }],
    states: ['active', 'removed'],
    alphabet: [
      { type: 'command.update', changes: { requiredApproversCount: 1 }, at: LATER },
      { type: 'command.update', changes: { requiredApproversCount: 4 }, at: LATER },
      { type: 'command.update', changes: { approvers: ['key4', 'key5'] }, at: LATER },
      { type: 'command.update', changes: { approvers: ['key4', 'key4'] }, at: LATER },
      { type: 'command.update', changes: { operations: ['PAUSE'] }, at: LATER },
      { type: 'command.update', changes: { operations: ['PAUSE'], above: null }, at: LATER },
      { type: 'command.update', changes: { organization: 'OTHER' }, at: LATER },
      { type: 'command.remove', at: LATER },
      { type: 'command.release', requestedBy: 'key9', reason: 'approvers lost', at: AT },
      { type: 'command.release', requestedBy: 'key9', reason: 'approvers lost', at: 'never' },
      { type: 'command.keep', at: LATER },
      { type: 'command.keep', at: MUCH_LATER },
    ],
  },
}
