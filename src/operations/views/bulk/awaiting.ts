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

type Approvable = RecordState<'transaction'> | RecordState<'pendingChange'> | RecordState<'batch'>

/** Ids of the keys and subjects whose approval is missing: approvers who have not approved all entries yet. */
function missingApprovers({ kind, value, context }: Approvable): readonly string[] {
  if (value !== 'prepared' && value !== 'partiallySigned' && value !== 'pending') return []
  const { approval } = context
  if (approval === null || (kind === 'transaction' && context.ourSignature)) return []
  const { entries, requesters, given } = approval
  const done = new Set([
    ...requesters,
    ...given.filter((each) => each.entries === entries.length).map(({ keyId }) => keyId),
  ])
  return [...new Set(entries.flatMap(({ approvers }) => approvers))].filter((keyId) => !done.has(keyId))
}

export const AWAITS_APPROVAL_BY: Field<Approvable> = {
  name: 'awaitsApprovalBy',
  type: 'TEXT',
  nullable: true,
  read: missingApprovers,
}

/** Transactions of other tenants are listed only for a query that filters by this field. */
export const AWAITS_OUR_SIGNATURE: Field<Transaction> = {
  name: 'awaitsOurSignature',
  type: 'BOOLEAN',
  read: (transaction) => 'awaitsSignature' in transaction,
}
