// Stores and restores the caller of a request, with its rights at the time the request was accepted.
import type { PlanRequester } from '../../../../machines/plan.ts'
import type { Call, Caller } from '../../../contract/call.ts'

export function requesterOf({ caller }: Call): PlanRequester {
  const { keyId, organization, tenant, system, roles, clusters } = caller
  return { keyId, organization, tenant, system, roles: [...roles].sort(), clusters: clusters === null ? null : [...clusters].sort() }
}

export function callerOf(requester: PlanRequester): Caller {
  return {
    ...requester,
    roles: new Set(requester.roles),
    clusters: requester.clusters === null ? null : new Set(requester.clusters),
  }
}
