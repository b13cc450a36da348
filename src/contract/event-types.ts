// The types of events, and which of them a webhook can name.
import { STATUS } from '../../machines/transactions/transaction-record.ts'

export const SIGNATURE_REQUESTED = 'transaction.signature_requested'

const KINDS = [
  'account',
  'position',
  'instrument',
  'loan',
  'nonce',
  'lookup_table',
  'data_source',
  'batch',
  'schedule',
  'approval_policy',
  'pending_change',
  'counterparty',
  'payment_request',
  'distribution',
] as const

export const EVENT_TYPES: readonly string[] = [
  ...KINDS.flatMap((kind) => [`${kind}.created`, `${kind}.updated`, `${kind}.closed`]),
  'account.network_activity',
  ...Object.values(STATUS).map((status) => `transaction.${status.toLowerCase()}`),
  SIGNATURE_REQUESTED,
]

/** An existing type, or a prefix of one followed by `*`. */
export function isEventPattern(text: string): boolean {
  const star = text.indexOf('*')
  if (star >= 0 && star !== text.length - 1) return false
  // Loans have more event types than the list contains.
  return /^loan\.[a-z_]+$/.test(text) || EVENT_TYPES.some((type) => matches(text, type))
}

/** A pattern that ends with `*` matches types by prefix. */
export function matches(pattern: string, type: string): boolean {
  return pattern.endsWith('*') ? type.startsWith(pattern.slice(0, -1)) : pattern === type
}
