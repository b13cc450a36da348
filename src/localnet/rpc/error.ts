// The errors of the JSON-RPC server: codes and sentences as a real node answers them.
// Guarantee: every refusal a client sees is one of these; anything else becomes -32603 without detail.

import type { TransactionErrorJson } from '../contract.ts'

/** An error answer: `code`, `message` and, where a real node gives it, `data`. */
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

/** -32001: the slot lies before the ledger's beginning. */
export const blockCleanedUp = (slot: number, first: number): RpcError =>
  new RpcError(-32001, `Block ${slot} cleaned up, does not exist on node. First available block: ${first}`)

/** -32002, with the simulation's outcome in `data`. */
export const preflightFailure = (message: string, data: unknown): RpcError => new RpcError(-32002, message, data)
export const signatureVerificationFailure = (): RpcError => new RpcError(-32003, 'Transaction signature verification failure')
export const blockNotAvailable = (slot: number): RpcError => new RpcError(-32004, `Block not available for slot ${slot}`)
export const slotSkipped = (slot: number): RpcError =>
  new RpcError(-32007, `Slot ${slot} was skipped, or missing due to ledger jump to recent snapshot`)
export const noSnapshot = (): RpcError => new RpcError(-32008, 'No snapshot')

/** -32015: the caller did not say that it can read this version. */
export const unsupportedVersion = (version: number): RpcError =>
  new RpcError(
    -32015,
    `Transaction version (${version}) is not supported by the requesting client. ` +
      `Please try the request again with the following configuration parameter: "maxSupportedTransactionVersion": ${version}`,
  )

/** -32016: the state asked for is newer than what this node has at that commitment. */
export const minContextSlotNotReached = (contextSlot: number): RpcError =>
  new RpcError(-32016, 'Minimum context slot has not been reached', { contextSlot })

/** Ends the connection without an answer: thrown by a fault switch only, after the call has been executed. */
export class DroppedReply extends Error {}

/** The name of an error: the string itself, or the one key of its object. */
export function errorName(error: TransactionErrorJson): string {
  return typeof error === 'string' ? error : (Object.keys(error)[0] ?? '')
}
