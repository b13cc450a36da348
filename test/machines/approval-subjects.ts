// Approval policies for tests of their machine.
import type { ApprovalPolicyContext } from '../../machines/approval-policy.ts'
import type { PendingChangeContext } from '../../machines/pending-change.ts'
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

export const pendingChange: PendingChangeContext = {
  organization: 'ACME',
  operation: 'ACCOUNT_POLICY',
  endpoint: 'PATCH /api/v1/accounts',
  requestId: 'r1',
  itemData: { account: { onchainId: 'Addr1111' }, tokenDebitLimits: [] },
  kept: null,
  requester: {
    keyId: 'key1',
    organization: 'ACME',
    tenant: 'ACME',
    system: false,
    roles: ['ACCOUNTS_WRITE'],
    clusters: null,
  },
  approval: {
    entries: [
      {
        limit: 'policy',
        approvers: ['key1', 'key2', 'key3'],
        required: 2,
        shown: {},
        policy: { id: 'policy-1', tenant: 'ACME', organization: 'ACME', namedAt: AT },
      },
    ],
    requesters: ['key1'],
    intent: '00',
    given: [],
    expiresAt: MUCH_LATER,
    then: 'SEND',
  },
  result: null,
  rejectedBy: null,
  rejectedBecause: null,
  createdAt: AT,
  endedAt: null,
}

const easy = {
  ...pendingChange.approval,
  entries: pendingChange.approval.entries.map((entry) => ({ ...entry, required: 1 })),
}
const further = { limit: 'further', approvers: ['key4'], required: 1, shown: {} }

export const APPROVAL_SUBJECTS = {
  approvalPolicy: {
    inputs: [
      { policy: approvalPolicy },
      { policy: { ...approvalPolicy, operations: ['API_KEYS'], financialInstrument: null, above: null } },
    ],
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
  pendingChange: {
    inputs: [
      { change: pendingChange },
      { change: { ...pendingChange, kept: { keyId: 'key7', secretHash: '00' }, approval: easy } },
    ],
    states: ['pending', 'applied', 'rejected', 'expired'],
    alphabet: [
      ...['key1', 'key2', 'key3', 'key4'].map((keyId) => ({ type: 'command.approve', keyId, at: LATER })),
      { type: 'command.approve', keyId: 'key2', at: MUCH_LATER },
      { type: 'command.hold', entries: [further] },
      { type: 'command.hold', entries: pendingChange.approval.entries },
      { type: 'command.apply', result: { updatedAccount: {} }, at: LATER },
      { type: 'command.apply', result: { updatedAccount: {} }, at: MUCH_LATER },
      ...['key1', 'key3', 'key9'].map((keyId) => ({ type: 'command.reject', keyId, reason: 'no', at: LATER })),
      { type: 'clock.lapsed', at: LATER },
      { type: 'clock.lapsed', at: MUCH_LATER },
    ],
  },
}
