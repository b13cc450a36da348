// The outcome of an ended transaction, for records that waited for it.
import type { ItemProblem } from '../../../machines/batch-item.ts'
import { STATUS, type TransactionState } from '../../../machines/transactions/transaction-record.ts'
import type { RecordState } from '../../engine/records/record.ts'

/** The reason why the transaction had no effect; null: it is finalized without an error. */
export function problemOfEnded({ value, context }: RecordState<'transaction'>): ItemProblem | null {
  if (value === 'finalized' && context.error === null) return null
  const status = STATUS[value as TransactionState]
  return { code: status, message: context.error ?? `the transaction ended ${status} without effect` }
}
