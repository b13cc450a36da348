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

type Awaited = RecordState<'transaction'> | RecordState<'pendingChange'> | RecordState<'batch'>

/** Ids of the keys and subjects whose approval it waits for: approvers who have not approved it yet. */
export function approvalAwaitedOf({ kind, value, context }: Awaited): readonly string[] {
  if (value !== 'prepared' && value !== 'partiallySigned' && value !== 'pending') return []
  const { approval } = context
  if (approval === null || (kind === 'transaction' && context.ourSignature)) return []
  const { entries, requesters, given } = approval
  const done = new Set([
    ...requesters,
    ...given.filter((word) => word.entries === entries.length).map(({ keyId }) => keyId),
  ])
  return [...new Set(entries.flatMap(({ approvers }) => approvers))].filter((keyId) => !done.has(keyId))
}

export const AWAITS_APPROVAL_BY: Field<Awaited> = {
  name: 'awaitsApprovalBy',
  type: 'TEXT',
  nullable: true,
  read: approvalAwaitedOf,
}

/** Transactions of other tenants are listed only for a query that filters by this field. */
export const AWAITS_OUR_SIGNATURE: Field<Transaction> = {
  name: 'awaitsOurSignature',
  type: 'BOOLEAN',
  read: (transaction) => 'awaitsSignature' in transaction,
}
