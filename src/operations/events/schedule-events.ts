// `schedule.created`; `schedule.updated` when an occurrence is attempted or missed, when the number of consecutive
// failures changes, and when the status changes; `schedule.closed` when it ends or is cancelled.
import type { DomainEvent } from '../../engine/events/domain-events.ts'
import type { RecordState } from '../../engine/records/record.ts'
import { scheduleModel } from '../views/read-models/schedule.ts'
import { recordEvent } from './record-event.ts'

type Schedule = RecordState<'schedule'>

export function scheduleEvents(previous: Schedule | undefined, next: Schedule): readonly DomainEvent[] {
  const { value } = next
  if (previous !== undefined && isAlike(previous, next)) return []
  const isOver = value === 'ended' || value === 'cancelled'
  const isClosing = isOver && previous?.value !== value
  const type = previous === undefined ? 'schedule.created' : isClosing ? 'schedule.closed' : 'schedule.updated'
  return [recordEvent(type, next, scheduleModel(next))]
}

function isAlike(a: Schedule, b: Schedule): boolean {
  return (
    a.value === b.value &&
    a.context.runs === b.context.runs &&
    a.context.missed === b.context.missed &&
    a.context.failuresInARow === b.context.failuresInARow &&
    a.context.next?.at === b.context.next?.at
  )
}
