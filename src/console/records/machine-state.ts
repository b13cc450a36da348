// Derives the state of a record's state machine from the members that the service returns.
import { STATUS } from '../../../machines/transactions/transaction-record.ts'
import type { Answer } from '../api.ts'
import { at, textAt } from '../value.ts'

/** null: unknown. */
export function machineState(kind: string, item: Answer): string | null {
  const read = READINGS[kind]
  return read === undefined ? byStatus(item) : read(item)
}

/** `UNDER_WAY` -> `underWay`: most machines name their states as the interface does. */
function byStatus(item: Answer): string | null {
  const [first = '', ...rest] = (textAt(item, 'status') ?? '').toLowerCase().split('_')
  return first === '' ? null : first + rest.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('')
}

/** The member that holds the account, for each kind of record that has one. */
const closedOr = (item: Answer, account: string, live: string): string => {
  const path = (member: string): string => (account === '' ? member : `${account}.${member}`)
  if (textAt(item, path('status')) === 'CLOSED') return 'closed'
  const exists =
    at(item, path('wasOnchainAlready')) === true || textAt(item, path('onchain.creationTransactionId')) !== null
  return exists ? live : 'pending'
}

const READINGS: Readonly<Record<string, (item: Answer) => string | null>> = {
  transaction: (item) => Object.entries(STATUS).find(([, status]) => status === item['status'])?.[0] ?? null,
  // A wallet needs no creation: whether one is on the way is not shown.
  account: (item) => (item['status'] === 'CLOSED' ? 'closed' : 'active'),
  position: (item) =>
    item['state'] === 'CLOSED' ? 'closed' : closedOr(item, '', item['state'] === 'FROZEN' ? 'frozen' : 'initialized'),
  instrument: (item) => closedOr(item, 'mintAccount', 'active'),
  lookupTable: (item) => closedOr(item, 'addressLookupTable', (textAt(item, 'state') ?? 'ACTIVE').toLowerCase()),
  nonce: (item) => (at(item, 'inUse') !== null ? 'leased' : closedOr(item, 'nonceAccount', 'active')),
  dataSource: (item) => closedOr(item, 'onchainDataSource', 'active'),
  loan: (item) =>
    item['lifecycleState'] === 'PENDING' ? 'pending' : item['status'] === 'CLOSED' ? 'closed' : 'active',
  strategy: () => 'active',
  // Its status says how it is paid; its machine has one state.
  counterparty: () => 'active',
  organization: (item) => (item['status'] === 'FROZEN' ? 'frozen' : 'active'),
  apiKey: (item) => (item['disabled'] === true ? 'disabled' : 'active'),
  webhook: (item) => (item['disabled'] === true ? 'disabled' : 'enabled'),
}
