// `counterparty.created` and `counterparty.updated`, with the whole read model.
import type { DomainEvent } from '../../engine/events/domain-events.ts'
import type { RecordState } from '../../engine/records/record.ts'
import { counterpartyModel } from '../views/read-models/counterparty.ts'

type Counterparty = RecordState<'counterparty'>

export function counterpartyEvents(previous: Counterparty | undefined, next: Counterparty): readonly DomainEvent[] {
  if (previous?.context === next.context) return []
  const type = previous === undefined ? 'counterparty.created' : 'counterparty.updated'
  const { tenant, cluster, id, context } = next
  return [
    {
      tenant,
      cluster,
      organization: context.organization,
      type,
      onchainId: null,
      offchainId: id,
      data: counterpartyModel(next),
    },
  ]
}
