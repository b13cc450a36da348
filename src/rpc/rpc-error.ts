// The two ways a call can fail. Neither contains a URL: their messages may be logged and shown.

/** The node answered with a JSON-RPC error; `code`, `message` and `data` are the node's. */
export class RpcError extends Error {
  override readonly name = 'RpcError'
  readonly code: number
  readonly data: unknown

  constructor(code: number, message: string, data?: unknown) {
    super(message)
    this.code = code
    this.data = data
  }
}

export type TransportFault =
  /** No complete response in time: the call may or may not have been executed. */
  | 'TIMEOUT'
  /** The connection could not be made, or broke. */
  | 'CONNECTION'
  /** An HTTP status other than 200; see `status`. */
  | 'HTTP'
  /** A response that does not conform to JSON-RPC or to the method. */
  | 'MALFORMED'
  /** The request or the response exceeds its limit. */
  | 'TOO_LARGE'
  /** The response to a batch omitted this call. */
  | 'UNANSWERED'
  /** No endpoint has reached the slot that the response must not be older than. */
  | 'BEHIND'
  /** The response claims more progress than the cluster can have made (`chain-pace.ts`). */
  | 'IMPLAUSIBLE'
  /** The transport is closed. */
  | 'CLOSED'

/** No usable response. Says nothing about what the node did. */
export class TransportError extends Error {
  override readonly name = 'TransportError'
  readonly fault: TransportFault
  /** HTTP status, if there was one. */
  readonly status: number | undefined
  /** The endpoint's `retry-after`, in milliseconds. */
  readonly retryAfterMs: number | undefined

  constructor(fault: TransportFault, message: string, status?: number, retryAfterMs?: number) {
    super(message)
    this.fault = fault
    this.status = status
    this.retryAfterMs = retryAfterMs
  }
}

/**
 * A response with implausible slots or heights. `result` is kept: it may still be evidence that a transaction landed.
 */
export class ImplausibleAnswer extends TransportError {
  readonly result: unknown

  constructor(message: string, result: unknown) {
    super('IMPLAUSIBLE', message)
    this.result = result
  }
}

/** Error code of a node that has not reached the `minContextSlot` of the request. */
const MIN_CONTEXT_SLOT_NOT_REACHED = -32016
/**
 * Rate limits of providers, as JSON-RPC codes instead of HTTP; -32005 also means that the node is behind or unhealthy.
 */
const OVERLOADED: ReadonlySet<number> = new Set([429, -32429, -32005])
/** HTTP statuses for which the request is at fault: another endpoint, or a later time, would answer the same. */
const FAULTS_OF_THE_REQUEST: ReadonlySet<number> = new Set([400, 413])

export function isBehind(error: unknown): boolean {
  if (error instanceof RpcError) return error.code === MIN_CONTEXT_SLOT_NOT_REACHED
  return error instanceof TransportError && error.fault === 'BEHIND'
}

/** True if the endpoint is at fault: another endpoint should be queried and this one paused. */
export function isEndpointsFault(error: unknown): boolean {
  if (error instanceof RpcError) return OVERLOADED.has(error.code)
  if (!(error instanceof TransportError)) return false
  if (error.fault === 'HTTP') return !FAULTS_OF_THE_REQUEST.has(error.status ?? 0)
  return error.fault !== 'CLOSED' && error.fault !== 'TOO_LARGE' && error.fault !== 'BEHIND'
}

/** Any thrown value as one of the two. */
export function asRpcFailure(error: unknown): RpcError | TransportError {
  if (error instanceof RpcError || error instanceof TransportError) return error
  return new TransportError('MALFORMED', error instanceof Error ? error.message : 'unknown failure')
}
