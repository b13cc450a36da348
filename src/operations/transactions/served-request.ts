// A request about a transaction of another cell. It is authenticated in the cell where it arrives, and served by the
// owner of the transaction with the same checks as within one cell. The owner stores the outcome under the idempotency
// key of the request; the caller's own cell receives the outcome and the audit entry in a message.
import type { Call, JsonObject, Outcome } from '../../contract/call.ts'
import { requestIdKey, requestsToKey } from '../../engine/index/other-cell-keys.ts'
import { readAgain } from '../lookup/request-records.ts'
import type { Platform } from '../context/platform.ts'

/** Operations on a transaction of another cell. */
export type ServedOperation = 'sign' | 'submit'

/** Sent from one cell to another, as JSON. */
export interface ServedRequest {
  /** The tenant of the transaction. */
  readonly owner: string
  readonly operation: ServedOperation
  readonly call: CallText
  /** The body of the request, with accounts named by address: their references are known in the caller's cell only. */
  readonly input: JsonObject
}

export interface ServedOutcome {
  readonly body: JsonObject
  /** True if this is the outcome of an earlier request with the same idempotency key. */
  readonly replayed: boolean
}

export interface RequestServers {
  /** Rejects with the owner's Refusal, with 503 `TENANT_UNAVAILABLE`, or with 504 `OUTCOME_UNKNOWN`. */
  serve(request: ServedRequest): Promise<ServedOutcome>
}

type CallText = Omit<Call, 'caller' | 'charge' | 'servedFor'> & {
  readonly caller: Omit<Call['caller'], 'roles' | 'clusters'> & {
    readonly roles: readonly string[]
    readonly clusters: readonly string[] | null
  }
}

/** The outcome of a request that another cell must serve. Nothing is written in this cell. */
export function servedBy(
  owner: string,
  transactionId: string,
  { operation, input }: Pick<ServedRequest, 'operation' | 'input'>,
): Outcome {
  const elsewhere = { tenant: owner, operation, input }
  return { members: {}, transactions: [transactionId], shape: 'bare', awaited: 'signed', elsewhere }
}

/** An outcome that another cell decides. */
type OutcomeElsewhere = Pick<Outcome, 'transactions'> & Required<Pick<Outcome, 'elsewhere'>>

/**
 * Sends the request of an outcome to the owner.
 *
 * @param requestInput of the request, if the outcome was stored without it
 */
export async function askServer(
  { engine, otherCellOwners: ownersElsewhere }: Platform,
  call: Call,
  { elsewhere: { tenant, operation, input }, transactions: [transactionId = ''] }: OutcomeElsewhere,
  requestInput: unknown,
): Promise<ServedOutcome> {
  if (ownersElsewhere === undefined) throw new Error(`${tenant} belongs to another cell, but there is none`)
  const { charge: _charge, servedFor: _servedFor, ...rest } = call
  const { roles, clusters } = call.caller
  const caller = { ...call.caller, roles: [...roles], clusters: clusters === null ? null : [...clusters] }
  const body = input ?? (requestInput as { readonly itemData: JsonObject }).itemData
  try {
    return await ownersElsewhere.serve({ owner: tenant, operation, call: { ...rest, caller }, input: body })
  } finally {
    // If the store does not answer now, what was read before lasts for some milliseconds more.
    await readAgain(engine, [requestIdKey(transactionId), requestsToKey(call.cluster, call)]).catch(() => undefined)
  }
}

/** The call as the owner serves it. */
export function callOf({ owner, call }: ServedRequest): Call {
  const { roles, clusters } = call.caller
  const caller = { ...call.caller, roles: new Set(roles), clusters: clusters === null ? null : new Set(clusters) }
  return { ...call, caller, servedFor: owner }
}
