// The lists of schedules and their occurrences in the console.
import type { Resource } from './resources.ts'

export const SCHEDULE_RESOURCES: readonly Resource[] = [
  {
    name: 'schedules',
    title: 'Schedules',
    one: 'schedule',
    path: '/schedules/bulk',
    roles: ['TRANSACTIONS_READ'],
    id: 'offchainId',
    names: ['externalReference'],
    machine: 'schedule',
    moves: false,
    single: { path: '/schedules/single', lookup: (offchainId) => ({ offchainId }) },
    columns: [
      { label: 'Schedule', path: 'offchainId', shape: 'id' },
      { label: 'Operation', path: 'operation', shape: 'text' },
      { label: 'Status', path: 'status', shape: 'state', field: 'status' },
      { label: 'Reference', path: 'externalReference', shape: 'text' },
      { label: 'Next', path: 'nextAt', shape: 'time' },
      { label: 'Attempts', path: 'runsCount', shape: 'count' },
      { label: 'Missed', path: 'missedCount', shape: 'count' },
      { label: 'Error', path: 'errorCode', shape: 'text' },
    ],
  },
  {
    name: 'occurrences',
    title: 'Occurrences',
    one: 'occurrence of a schedule',
    path: '/schedules/occurrences/bulk',
    roles: ['TRANSACTIONS_READ'],
    id: 'offchainId',
    idField: 'offchainId',
    names: [],
    machine: 'occurrence',
    moves: false,
    columns: [
      { label: 'Occurrence', path: 'offchainId', shape: 'id' },
      { label: 'Schedule', path: 'scheduleOffchainId', shape: 'id' },
      { label: 'Number', path: 'number', shape: 'count' },
      { label: 'Due', path: 'dueAt', shape: 'time' },
      { label: 'Status', path: 'status', shape: 'state', field: 'status' },
      { label: 'Transaction', path: 'chainTransaction.offchainId', shape: 'id' },
      { label: 'Error', path: 'errorCode', shape: 'text' },
    ],
  },
]
