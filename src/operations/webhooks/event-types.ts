// The types of events that a webhook can name.
import { STATUS } from '../../../machines/transaction-record.ts'
import { SIGNATURE_REQUESTED } from '../events/tell-transaction.ts'
import { matches } from './wants.ts'

const KINDS = ['account', 'position', 'instrument', 'loan', 'nonce', 'lookup_table', 'data_source'] as const

export const EVENT_TYPES: readonly string[] = [
  ...KINDS.flatMap((kind) => [`${kind}.created`, `${kind}.updated`, `${kind}.closed`]),
  'account.network_activity',
  ...Object.values(STATUS).map((status) => `transaction.${status.toLowerCase()}`),
  SIGNATURE_REQUESTED,
]

/** A type that there is, or with `*` at its end the beginning of one. */
export function isEventPattern(text: string): boolean {
  const star = text.indexOf('*')
  if (star >= 0 && star !== text.length - 1) return false
  // What a loan goes through has more words than these.
  return /^loan\.[a-z_]+$/.test(text) || EVENT_TYPES.some((type) => matches(text, type))
}
