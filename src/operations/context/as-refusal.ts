// Errors of the layers below, as refusals of a request, and results of operations whose caller continues.
import type { ItemProblem } from '../../../machines/batch-item.ts'
import type { RejectedEvent } from '../../../machines/protocol.ts'
import { RpcError, TransportError } from '../../rpc/rpc-error.ts'
import { ReadUnanswered, StoreClosed } from '../../../snapshots/errors.ts'
import { LaneFull } from '../../submission/submission.ts'
import { CommandRejected, OwnedByOtherCell, RecordFailed } from '../../engine/records/unit-of-work.ts'
import { badRequest, busy, forbidden, Refusal } from '../../contract/refusal.ts'

/**
 * Maps errors of the lower layers to HTTP refusals. Nothing has been signed or sent when one of these errors is
 * thrown.
 */
export function asRefusal(error: unknown): unknown {
  if (error instanceof CommandRejected) return rejectionAsRefusal(error.rejection)
  if (error instanceof RecordFailed && error.quarantined) {
    const message = `${error.record.kind} ${error.record.id} is quarantined after repeated internal errors: the operator must restart the service`
    return new Refusal(503, [{ code: 'RECORD_QUARANTINED', message, retryable: false }])
  }
  if (error instanceof OwnedByOtherCell)
    return badRequest('OTHER_CELL', `${error.message}; the request is possible within one cell only`, '')
  if (error instanceof LaneFull)
    return new Refusal(429, [{ code: 'LANE_FULL', message: error.message, retryable: true }], 1)
  // The cell was closed meanwhile, for a stop or a hand-over: what the request would have written is not on disk.
  if (error instanceof StoreClosed) {
    const message = 'the data of the tenant are handed over, or the service is stopping'
    return new Refusal(503, [{ code: 'TENANT_UNAVAILABLE', message, retryable: true }], 1)
  }
  if (error instanceof ReadUnanswered) {
    const message = 'the database does not respond'
    return new Refusal(503, [{ code: 'TENANT_UNAVAILABLE', message, retryable: true }], 1)
  }
  // A JSON-RPC error of a node gives no more information than a missing answer.
  if (error instanceof TransportError || error instanceof RpcError) {
    return new Refusal(
      503,
      [{ code: 'CLUSTER_UNAVAILABLE', message: 'the cluster does not respond', retryable: true }],
      1,
    )
  }
  return error
}

/** For a request that was carried out: the cell was closed, or the database away, before its result could be read. */
export function asUnknownOutcome(error: unknown): unknown {
  if (!(error instanceof StoreClosed || error instanceof ReadUnanswered)) return error
  const message = 'the result could not be read: send the same request with the same Idempotency-Key'
  return new Refusal(504, [{ code: 'OUTCOME_UNKNOWN', message, retryable: false }])
}

/** The refusal for a rejection by the machine of a record. */
export function rejectionAsRefusal({ code, detail }: RejectedEvent): Refusal {
  if (code === 'FROZEN') return forbidden(code, detail, '/itemData')
  return code.endsWith('_BUSY') ? busy(code, detail, '/itemData') : badRequest(code, detail, '/itemData')
}

/** How an operation ended, for a caller that continues in either case. */
export type OperationResult<T> = { readonly ok: true; readonly result: T } | OperationFailure

export interface OperationFailure {
  readonly ok: false
  /**
   * The refusal that a request would have received; null: the operation failed in another way, for example because of a
   * defect.
   */
  readonly refusal: Refusal | null
  readonly error: unknown
}

/** Never rejects. */
export async function operationResult<T>(operation: Promise<T>): Promise<OperationResult<T>> {
  return await operation.then((result): OperationResult<T> => ({ ok: true, result }), asFailure)
}

export function asFailure(error: unknown): OperationFailure {
  const refusal = asRefusal(error)
  return { ok: false, refusal: refusal instanceof Refusal ? refusal : null, error }
}

/**
 * Nothing was signed, and the same attempt may succeed later: the cluster or the database does not answer, or too much
 * is under way.
 */
export function isRetryable({ refusal }: OperationFailure): boolean {
  return refusal !== null && refusal.problems.every(({ retryable }) => retryable)
}

/** Stored only: no request is refused with it. */
const INTERNAL_CODE = 'INTERNAL_ERROR'
const INTERNAL: ItemProblem = { code: INTERNAL_CODE, message: 'the item could not be made' }

/** The stored reason why an operation without a waiting request failed. */
export function problemOf({ refusal }: OperationFailure): ItemProblem {
  if (refusal === null) return INTERNAL
  return {
    code: refusal.problems[0]?.code ?? 'REFUSED',
    message: refusal.problems.map(({ message }) => message).join('; '),
  }
}
