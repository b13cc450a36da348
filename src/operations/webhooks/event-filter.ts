// Decides which events a webhook receives: those that its organization may see, in its cluster, of the types it
// names.
import type { RecordState } from '../../engine/records/record.ts'
import { matches } from '../../contract/event-types.ts'
import { isSeenBy, type EventAudience } from '../events/seen-by.ts'

export interface EventFilter {
  readonly cluster: string
  readonly context: Pick<RecordState<'webhook'>['context'], 'organization' | 'eventTypes'>
}

export function receivesEvent(
  { cluster, context: { organization, eventTypes } }: EventFilter,
  event: EventAudience & { readonly type: string },
): boolean {
  return isSeenBy({ cluster, organization }, event) && eventTypes.some((pattern) => matches(pattern, event.type))
}
