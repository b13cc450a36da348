// Stores and restores the caller of a request, with its rights at the time the request was accepted, and its call.
import type { PlanRequester } from '../../../../machines/transactions/plan.ts'
import type { Call, Caller } from '../../../contract/call.ts'

export function requesterOf({ caller }: Call): PlanRequester {
  const { keyId, organization, tenant, system, roles, clusters } = caller
  return {
    keyId,
    organization,
    tenant,
    system,
    roles: [...roles].sort(),
    clusters: clusters === null ? null : [...clusters].sort(),
  }
}

export function callerOf(requester: PlanRequester): Caller {
  return {
    ...requester,
    roles: new Set(requester.roles),
    clusters: requester.clusters === null ? null : new Set(requester.clusters),
  }
}

/** The members of a record that carries out a request after it was answered. */
interface AcceptedRequest {
  readonly tenant: string
  readonly cluster: string
  readonly context: {
    readonly organization: string
    readonly endpoint: string
    readonly requestId: string
    readonly requester: PlanRequester
    readonly externalReference?: string | null
  }
}

/** The request as it was accepted, without its idempotency key, which identifies the record that carries it out. */
export function acceptedCall({ tenant, cluster, context }: AcceptedRequest): Call {
  const { organization, endpoint, requestId, requester, externalReference = null } = context
  return {
    caller: callerOf(requester),
    organization,
    tenant,
    cluster,
    requestId,
    endpoint,
    idempotency: null,
    waitMs: 0,
    dryRun: false,
    ...(externalReference === null ? {} : { externalReference }),
  }
}
