// Converts errors of the lower layers to refusals of a request.
import type { ItemProblem } from '../../../machines/batch-item.ts'
import { RpcError, TransportError } from '../../rpc/rpc-error.ts'
import { ReadUnanswered } from '../../../snapshots/errors.ts'
import { LaneFull } from '../../submission/submission.ts'
import { CommandRejected, OwnedElsewhere, RecordFailed } from '../../engine/records/unit-of-work.ts'
import { badRequest, forbidden, Refusal } from '../../contract/refusal.ts'

/**
 * Maps errors of the lower layers to HTTP refusals. Nothing has been signed or sent when one of these errors is
 * thrown.
 */
export function asRefusal(error: unknown): unknown {
  if (error instanceof CommandRejected) {
    const { code, detail } = error.rejection
    return code === 'FROZEN' ? forbidden(code, detail, '/itemData') : badRequest(code, detail, '/itemData')
  }
  if (error instanceof RecordFailed && error.quarantined) {
    const message = `${error.record.kind} ${error.record.id} is quarantined after repeated internal errors: the operator must restart the service`
    return new Refusal(503, [{ code: 'RECORD_QUARANTINED', message, retryable: false }])
  }
  if (error instanceof OwnedElsewhere)
    return badRequest('OTHER_CELL', `${error.message}; the request is possible within one cell only`, '')
  if (error instanceof LaneFull)
    return new Refusal(429, [{ code: 'LANE_FULL', message: error.message, retryable: true }], 1)
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

/** True if nothing was signed and the same attempt may succeed later, as when the cluster does not answer. */
export function isRetryable(error: unknown): boolean {
  const refusal = asRefusal(error)
  return refusal instanceof Refusal && refusal.problems.every(({ retryable }) => retryable)
}

/** Stored only: no request is refused with it. */
const INTERNAL_CODE = 'INTERNAL_ERROR'
const INTERNAL: ItemProblem = { code: INTERNAL_CODE, message: 'the item could not be made' }

/** The reason why an attempt in the background failed, in its stored form. */
export function problemOf(error: unknown): ItemProblem {
  const refusal = asRefusal(error)
  if (!(refusal instanceof Refusal)) return INTERNAL
  return {
    code: refusal.problems[0]?.code ?? 'REFUSED',
    message: refusal.problems.map(({ message }) => message).join('; '),
  }
}
