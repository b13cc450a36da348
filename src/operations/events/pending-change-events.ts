// `pending_change.created`, `pending_change.updated` with each approval, `pending_change.closed` when it is applied,
// rejected or expired.
import type { DomainEvent } from '../../engine/events/domain-events.ts'
import type { RecordState } from '../../engine/records/record.ts'
import { pendingChangeModel } from '../views/read-models/pending-change.ts'
import { recordEvent } from './record-event.ts'

type Change = RecordState<'pendingChange'>

export function pendingChangeEvents(previous: Change | undefined, next: Change): readonly DomainEvent[] {
  if (previous !== undefined && previous.context === next.context && previous.value === next.value) return []
  const change = previous === undefined ? 'created' : next.value === 'pending' ? 'updated' : 'closed'
  const data = pendingChangeModel(next)
  return [recordEvent(`pending_change.${change}`, next, data)]
}
