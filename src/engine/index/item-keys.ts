// Index keys of batch items, schedules and their occurrences.
import type { RecordState } from '../records/record.ts'

const SEPARATOR = '\u0000'

/** The items of a batch. */
export function batchItemsKey(batch: string): string {
  return ['batch', batch].join(SEPARATOR)
}

/** The items of batches that a transaction carries, and the occurrence of a schedule for which it was created. */
export function carriedItemsKey(transactionId: string): string {
  return ['ci', transactionId].join(SEPARATOR)
}

/** Schedules of a tenant that have not ended. */
export function openSchedulesKey(tenant: string): string {
  return ['schedules', tenant].join(SEPARATOR)
}

export function batchItemKeys({ context: { batchId, transactionId } }: RecordState<'batchItem'>): string[] {
  return [batchItemsKey(batchId), ...keysOfCarried(transactionId)]
}

export function occurrenceKeys({ context }: RecordState<'occurrence'>): string[] {
  return keysOfCarried(context.transactionId)
}

export function scheduleKeys(state: RecordState<'schedule'>): string[] {
  return isOpenSchedule(state) ? [openSchedulesKey(state.tenant)] : []
}

export function isOpenSchedule({ value }: RecordState<'schedule'>): boolean {
  return value === 'active' || value === 'paused'
}

function keysOfCarried(transactionId: string | null): string[] {
  return transactionId === null ? [] : [carriedItemsKey(transactionId)]
}
