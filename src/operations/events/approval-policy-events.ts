// `approval_policy.created`, `approval_policy.updated` for every change of a policy, `approval_policy.closed` when it
// is removed.
import type { DomainEvent } from '../../engine/events/domain-events.ts'
import type { RecordState } from '../../engine/records/record.ts'
import { approvalPolicyModel } from '../views/read-models/approval-policy.ts'
import { recordEvent } from './record-event.ts'

type Policy = RecordState<'approvalPolicy'>

export function approvalPolicyEvents(previous: Policy | undefined, next: Policy): readonly DomainEvent[] {
  if (previous !== undefined && previous.context === next.context && previous.value === next.value) return []
  const change = previous === undefined ? 'created' : next.value === 'removed' ? 'closed' : 'updated'
  const data = approvalPolicyModel(next)
  return [recordEvent(`approval_policy.${change}`, next, data)]
}
