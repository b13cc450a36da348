// Approval policies and pending changes in the console's lists.
import { column, type Resource } from './resource.ts'

export const APPROVAL_RESOURCES: readonly Resource[] = [
  {
    name: 'policies',
    title: 'Approval policies',
    one: 'approval policy',
    path: '/approval-policies/bulk',
    roles: ['TRANSACTIONS_READ'],
    id: 'offchainId',
    names: [],
    machine: 'approvalPolicy',
    moves: false,
    single: { path: '/approval-policies/single' },
    columns: [
      column('Policy', 'offchainId', 'id'),
      column('Status', 'status', 'state', 'status'),
      column('Operations', 'operations', 'words', 'operations'),
      column('Instrument', 'financialInstrument', 'instrument', 'financialInstrumentOnchainId'),
      column('Above', 'above', 'amount'),
      column('Approvers', 'approvers', 'list', 'approvers'),
      column('Required', 'requiredApproversCount', 'count'),
      column('Created', 'createdAt', 'time', 'createdAt'),
    ],
  },
  {
    name: 'changes',
    title: 'Pending changes',
    one: 'pending change',
    path: '/pending-changes/bulk',
    roles: ['TRANSACTIONS_READ', 'DEBIT_LIMIT_APPROVE'],
    id: 'offchainId',
    names: [],
    machine: 'pendingChange',
    moves: false,
    single: { path: '/pending-changes/single' },
    columns: [
      column('Change', 'offchainId', 'id'),
      column('Status', 'status', 'state', 'status'),
      column('Operation', 'operation', 'word', 'operation'),
      column('Request', 'endpoint', 'endpoint', 'endpoint'),
      column('Requested by', 'requestedBy', 'text', 'requestedBy'),
      column('Approvers', 'approvers', 'list', 'approvers'),
      column('Created', 'createdAt', 'time', 'createdAt'),
    ],
  },
]
