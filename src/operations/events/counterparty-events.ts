// `counterparty.created` and `counterparty.updated`, with the whole read model.
import type { DomainEvent } from '../../engine/events/domain-events.ts'
import type { RecordState } from '../../engine/records/record.ts'
import { counterpartyModel } from '../views/read-models/counterparty.ts'
import { recordEvent } from './record-event.ts'

type Counterparty = RecordState<'counterparty'>

export function counterpartyEvents(previous: Counterparty | undefined, next: Counterparty): readonly DomainEvent[] {
  if (previous?.context === next.context) return []
  const type = previous === undefined ? 'counterparty.created' : 'counterparty.updated'
  return [recordEvent(type, next, counterpartyModel(next))]
}
