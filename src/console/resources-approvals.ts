// Approval policies in the console's lists.
import { byOffchainId, column, type Resource } from './resource.ts'

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
    single: { path: '/approval-policies/single', lookup: byOffchainId },
    columns: [
      column('Policy', 'offchainId', 'id'),
      column('Status', 'status', 'state', 'status'),
      column('Operations', 'operations', 'list', 'operations'),
      column('Approvers', 'approvers', 'list', 'approvers'),
      column('Required', 'requiredApproversCount', 'count'),
      column('Created', 'createdAt', 'time'),
    ],
  },
]
