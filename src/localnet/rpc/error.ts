// The errors of the JSON-RPC server, with the codes and messages of a real node. Every error that a client sees is one
// of these; any other becomes -32603 without detail.

/** An error response: `code`, `message` and, where a real node provides it, `data`. */
export class RpcError extends Error {
  readonly code: number
  readonly data: unknown

  constructor(code: number, message: string, data?: unknown) {
    super(message)
    this.name = 'RpcError'
    this.code = code
    this.data = data
  }
}

export const parseError = (): RpcError => new RpcError(-32700, 'Parse error')
export const invalidRequest = (message = 'Invalid request'): RpcError => new RpcError(-32600, message)
export const methodNotFound = (): RpcError => new RpcError(-32601, 'Method not found')
export const invalidParams = (message: string): RpcError => new RpcError(-32602, message)
export const internalError = (): RpcError => new RpcError(-32603, 'Internal error')

/** -32001: the slot is before the start of the ledger. */
export const blockCleanedUp = (slot: number, first: number): RpcError =>
  new RpcError(-32001, `Block ${slot} cleaned up, does not exist on node. First available block: ${first}`)

/** -32002, with the result of the simulation in `data`. */
export const preflightFailure = (message: string, data: unknown): RpcError => new RpcError(-32002, message, data)
export const signatureVerificationFailure = (): RpcError =>
  new RpcError(-32003, 'Transaction signature verification failure')
export const blockNotAvailable = (slot: number): RpcError =>
  new RpcError(-32004, `Block not available for slot ${slot}`)
export const slotSkipped = (slot: number): RpcError =>
  new RpcError(-32007, `Slot ${slot} was skipped, or missing due to ledger jump to recent snapshot`)
export const noSnapshot = (): RpcError => new RpcError(-32008, 'No snapshot')

/** -32015: the client did not declare that it can read this version. */
export const unsupportedVersion = (version: number): RpcError =>
  new RpcError(
    -32015,
    `Transaction version (${version}) is not supported by the requesting client. ` +
      `Please try the request again with the following configuration parameter: "maxSupportedTransactionVersion": ${version}`,
  )

/** -32016: the requested state is newer than this node's at that commitment. */
export const minContextSlotNotReached = (contextSlot: number): RpcError =>
  new RpcError(-32016, 'Minimum context slot has not been reached', { contextSlot })

/**
 * Drops the connection without a response: thrown only by a fault switch, after the call has been executed or instead
 * of it.
 */
export class DroppedReply extends Error {}
