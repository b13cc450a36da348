// Marks transactions that wait for a signature of the organization in whose list they appear.
import type { Field } from '../../../engine/query/field.ts'
import type { RecordState } from '../../../engine/records/record.ts'

type Transaction = RecordState<'transaction'>

interface Awaiting {
  readonly awaitsSignature: true
}

export function awaitingSignature(transaction: Transaction): Transaction & Awaiting {
  return { ...transaction, awaitsSignature: true }
}

/** Transactions of other tenants are listed only for a query that filters by this field. */
export const AWAITS_OUR_SIGNATURE: Field<Transaction> = {
  name: 'awaitsOurSignature',
  type: 'BOOLEAN',
  read: (transaction) => 'awaitsSignature' in transaction,
}
