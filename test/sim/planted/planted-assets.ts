// Planted bugs of batches and schedules. The simulator must find each.
import type { BatchCounts } from '../../../machines/batch.ts'
import { ofKind } from '../../../src/engine/records/record.ts'
import { replaceLoaded } from './planted-lending.ts'
import type { Planted } from './planted.ts'

/** At a start items that are under way wait again, as if they had no transaction. */
export const forgetsItemsUnderWay: Planted = ({ engine }) => {
  const forgotten = new Map<string, number>()
  replaceLoaded(engine, (record) => {
    const item = ofKind(record, 'batchItem')
    if (item?.value !== 'underWay') return null
    const { batchId } = item.context
    forgotten.set(batchId, (forgotten.get(batchId) ?? 0) + 1)
    return { ...item, value: 'waiting', context: { ...item.context, transactionId: null, members: null } }
  })
  replaceLoaded(engine, (record) => {
    const batch = ofKind(record, 'batch')
    const items = batch === undefined ? 0 : (forgotten.get(batch.id) ?? 0)
    if (batch === undefined || items === 0) return null
    const { waiting, underWay, ...others } = batch.context.counts
    const counts: BatchCounts = { ...others, waiting: waiting + items, underWay: underWay - items }
    return { ...batch, context: { ...batch.context, counts } }
  })
  return {}
}

/** At a start a schedule does not know its latest occurrence. */
export const forgetsLatestOccurrence: Planted = ({ engine }) => {
  replaceLoaded(engine, (record) => {
    const schedule = ofKind(record, 'schedule')
    const next = schedule?.context.next ?? null
    if (schedule?.value !== 'active' || next === null || schedule.context.runs === 0) return null
    const before = { number: next.number - 1, at: new Date(Date.parse(next.at) - 60_000).toISOString() }
    return { ...schedule, context: { ...schedule.context, next: before } }
  })
  return {}
}
