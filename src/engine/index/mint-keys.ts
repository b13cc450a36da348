// Index keys, by the record of the mint, of transactions that mint and that this service has not signed yet. They count
// towards the supply limit of the mint.
import type { BookEntry } from '../../../machines/transactions/transaction-record.ts'
import type { RecordState } from '../records/record.ts'

export function preparedMintKey(record: string): string {
  return `pm\u0000${record}`
}

/** True for an open transaction without a signature of this service. */
export function isUnsigned({ value, context }: RecordState<'transaction'>): boolean {
  return value === 'prepared' || (value === 'partiallySigned' && !context.ourSignature)
}

export function preparedMintKeys({ context }: RecordState<'transaction'>): string[] {
  return context.fixed.entries.filter(mints).map(({ record }) => preparedMintKey(record))
}

function mints({ movements }: BookEntry): boolean {
  return movements.some(({ asset, credited }) => asset === 'supply' && credited !== '0')
}
