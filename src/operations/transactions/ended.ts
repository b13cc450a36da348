// The refusal of requests about an ended transaction, and its outcome for records that waited for it.
import type { ItemProblem } from '../../../machines/batch-item.ts'
import { STATUS, type TransactionState } from '../../../machines/transactions/transaction-record.ts'
import { badRequest } from '../../contract/refusal.ts'
import type { RecordState } from '../../engine/records/record.ts'

/** The reason why the transaction had no effect; null: it is finalized without an error. */
export function problemOfEnded({ value, context }: RecordState<'transaction'>): ItemProblem | null {
  if (value === 'finalized' && context.error === null) return null
  const status = STATUS[value as TransactionState]
  return { code: status, message: context.error ?? `the transaction ended ${status} without effect` }
}

/** Throws 400 `ENDED`. */
export function checkNotEnded({ context }: RecordState<'transaction'>, pointer: string): void {
  if (context.finalAt !== null) throw badRequest('ENDED', 'the transaction has ended', pointer)
}
