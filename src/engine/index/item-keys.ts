// Index keys of batch items, schedules and their occurrences.
import { ofKind, type RecordState } from '../records/record.ts'

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

/** undefined: the record is of another kind. */
export function keysOfItem(state: RecordState): string[] | undefined {
  if (state.kind === 'schedule') return isOpenSchedule(state) ? [openSchedulesKey(state.tenant)] : []
  const item = ofKind(state, 'batchItem')?.context
  const carried = item?.transactionId ?? ofKind(state, 'occurrence')?.context.transactionId ?? null
  const keys = carried === null ? [] : [carriedItemsKey(carried)]
  if (item !== undefined) return [batchItemsKey(item.batchId), ...keys]
  return state.kind === 'occurrence' ? keys : undefined
}

/** False if a member that `keysOfItem` reads differs. */
export function hasSameItemKeys(previous: RecordState, next: RecordState): boolean {
  if (previous.kind === 'schedule') return isOpenSchedule(previous) === isOpenSchedule(next)
  return ofKind(previous, 'batchItem')?.context.transactionId === ofKind(next, 'batchItem')?.context.transactionId
}

function isOpenSchedule({ value }: RecordState): boolean {
  return value === 'active' || value === 'paused'
}
