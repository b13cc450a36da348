// `distribution.created`, `distribution.updated` when its status changes, `distribution.closed` when it ends.
import type { DistributionState } from '../../../machines/distribution.ts'
import type { DomainEvent } from '../../engine/events/domain-events.ts'
import type { RecordState } from '../../engine/records/record.ts'
import { distributionModel } from '../views/read-models/distribution.ts'
import { recordEvent } from './record-event.ts'

type Distribution = RecordState<'distribution'>

const ENDED: ReadonlySet<string> = new Set<DistributionState>(['done', 'failed', 'cancelled'])

export function distributionEvents(previous: Distribution | undefined, next: Distribution): readonly DomainEvent[] {
  if (previous?.value === next.value) return []
  const type =
    previous === undefined
      ? 'distribution.created'
      : ENDED.has(next.value)
        ? 'distribution.closed'
        : 'distribution.updated'
  return [recordEvent(type, next, distributionModel(next))]
}
