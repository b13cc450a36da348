// The two ways a call can fail. Neither ever holds a URL: their messages may be logged and shown.

/** The node answered, and its answer is an error of JSON-RPC (`code`, `message`, `data` are the node's). */
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
  /** No complete answer in time: the call may or may not have been carried out. */
  | 'TIMEOUT'
  /** The connection could not be made, or broke. */
  | 'CONNECTION'
  /** An HTTP status other than 200; see `status`. */
  | 'HTTP'
  /** An answer that is not what JSON-RPC, or the method, promises. */
  | 'MALFORMED'
  /** The request or the answer is over its bound. */
  | 'TOO_LARGE'
  /** A batch was answered without this call. */
  | 'UNANSWERED'
  /** No endpoint has come as far as the slot that the answer must not be older than. */
  | 'BEHIND'
  /** The transport is closed. */
  | 'CLOSED'

/** No usable answer. Says nothing about what the node did. */
export class TransportError extends Error {
  override readonly name = 'TransportError'
  readonly fault: TransportFault
  /** HTTP status, when there was one. */
  readonly status: number | undefined
  /** How long the endpoint asked not to be asked again, milliseconds. */
  readonly retryAfterMs: number | undefined

  constructor(fault: TransportFault, message: string, status?: number, retryAfterMs?: number) {
    super(message)
    this.fault = fault
    this.status = status
    this.retryAfterMs = retryAfterMs
  }
}

/** What a node answers that has not come as far as the `minContextSlot` of the question. */
const MIN_CONTEXT_SLOT_NOT_REACHED = -32016
/** Limits of providers, said in JSON-RPC instead of HTTP; -32005 is also "the node is behind" (or unhealthy). */
const OVERLOADED: ReadonlySet<number> = new Set([429, -32429, -32005])
/** What the request itself is to blame for: another endpoint, or another time, would say the same. */
const FAULTS_OF_THE_REQUEST: ReadonlySet<number> = new Set([400, 413])

export function isBehind(error: unknown): boolean {
  if (error instanceof RpcError) return error.code === MIN_CONTEXT_SLOT_NOT_REACHED
  return error instanceof TransportError && error.fault === 'BEHIND'
}

/** The endpoint is to blame, so it is worth asking another one, and worth leaving this one alone for a while. */
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
