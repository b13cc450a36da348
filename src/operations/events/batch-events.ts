// `batch.created` once it is accepted, `batch.updated` when its status changes, `batch.closed` when it ends. A retry
// opens it again.
import type { BatchState } from '../../../machines/batch.ts'
import type { DomainEvent } from '../../engine/events/domain-events.ts'
import type { RecordState } from '../../engine/records/record.ts'
import { batchModel } from '../views/read-models/batch.ts'
import { recordEvent } from './record-event.ts'

type Batch = RecordState<'batch'>

const ENDED: ReadonlySet<string> = new Set<BatchState>(['done', 'failed', 'cancelled'])

export function batchEvents(previous: Batch | undefined, next: Batch): readonly DomainEvent[] {
  const before = previous?.value ?? 'preparing'
  // A batch that was never acknowledged has no events.
  if (next.value === before || (before === 'preparing' && next.value === 'cancelled')) return []
  const type = before === 'preparing' ? 'batch.created' : ENDED.has(next.value) ? 'batch.closed' : 'batch.updated'
  return [recordEvent(type, next, batchModel(next))]
}
