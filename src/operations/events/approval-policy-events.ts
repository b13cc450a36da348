// `approval_policy.created`, `approval_policy.updated` for every change of a policy, `approval_policy.closed` when it
// is removed.
import type { DomainEvent } from '../../engine/events/domain-events.ts'
import type { RecordState } from '../../engine/records/record.ts'
import { approvalPolicyModel } from '../views/read-models/approval-policy.ts'

type Policy = RecordState<'approvalPolicy'>

export function approvalPolicyEvents(previous: Policy | undefined, next: Policy): readonly DomainEvent[] {
  if (previous !== undefined && previous.context === next.context && previous.value === next.value) return []
  const change = previous === undefined ? 'created' : next.value === 'removed' ? 'closed' : 'updated'
  const { tenant, cluster, id, context } = next
  const data = approvalPolicyModel(next)
  return [
    {
      tenant,
      cluster,
      organization: context.organization,
      type: `approval_policy.${change}`,
      onchainId: null,
      offchainId: id,
      data,
    },
  ]
}
