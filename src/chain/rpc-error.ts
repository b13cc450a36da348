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
  /** The transport is closed. */
  | 'CLOSED'

/** No usable answer. Says nothing about what the node did. */
export class TransportError extends Error {
  override readonly name = 'TransportError'
  readonly fault: TransportFault
  /** HTTP status, when there was one. */
  readonly status: number | undefined

  constructor(fault: TransportFault, message: string, status?: number) {
    super(message)
    this.fault = fault
    this.status = status
  }
}

/** Any thrown value as one of the two. */
export function asRpcFailure(error: unknown): RpcError | TransportError {
  if (error instanceof RpcError || error instanceof TransportError) return error
  return new TransportError('MALFORMED', error instanceof Error ? error.message : 'unknown failure')
}
