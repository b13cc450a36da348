// The two calls of the hot path, with hand-written validation: the validation of a general client takes 57 us per
// status, this one 1 us.
import type { Commitment } from '../../machines/transactions/transaction-record.ts'
import { RpcError, TransportError } from './rpc-error.ts'
import type { Transport } from './transport.ts'

export type { Commitment }

/** The endpoint's answer to a send. None of these ends a transaction. */
export type SendAnswer =
  | { readonly kind: 'accepted'; readonly signature: string }
  /** The transaction has landed before, with or without success. */
  | { readonly kind: 'duplicate' }
  | { readonly kind: 'refused'; readonly detail: string }
  | { readonly kind: 'unanswered'; readonly detail: string }

export interface SignatureStatus {
  readonly slot: number
  readonly commitment: Commitment
  /** The chain's transaction error as JSON; null if the transaction succeeded. */
  readonly error: unknown
}

export interface StatusAnswer {
  /** Slot that the response is as of. */
  readonly contextSlot: number
  /** One per signature, in order; null: unknown to the node, or to the part of its memory that was searched. */
  readonly statuses: readonly (SignatureStatus | null)[]
}

/** Maximum number of signatures of one status call. */
export const STATUS_LIMIT = 256

const SEND_OPTIONS = '{"encoding":"base64","skipPreflight":true,"maxRetries":0}'

/**
 * Sends wire bytes (base64), in one batch if it fits the limits. Never rejects: one answer per transaction, in order.
 */
export async function sendTransactions(
  transport: Transport,
  transactions: readonly string[],
  timeoutMs: number,
): Promise<SendAnswer[]> {
  const params = transactions.map((base64) => `["${base64}",${SEND_OPTIONS}]`)
  const answers = await transport.group('sendTransaction', params, { timeoutMs, channel: 'send' })
  return answers.map((answer) => {
    if (!answer.ok) return failedSend(answer.error)
    if (typeof answer.result === 'string') return { kind: 'accepted', signature: answer.result }
    return { kind: 'unanswered', detail: 'the answer is not a signature' }
  })
}

/**
 * Queries at most 256 signatures. Rejects with RpcError or TransportError; any deviation in the shape of the response
 * is MALFORMED.
 */
export async function signatureStatuses(
  transport: Transport,
  signatures: readonly string[],
  options: { readonly searchHistory: boolean; readonly timeoutMs: number },
): Promise<StatusAnswer> {
  const params = [signatures, { searchTransactionHistory: options.searchHistory }]
  const result = await transport.call('getSignatureStatuses', params, {
    timeoutMs: options.timeoutMs,
    channel: 'status',
  })
  return readStatuses(result, signatures.length)
}

/** Parses the result of `getSignatureStatuses` for `count` signatures. Throws TransportError MALFORMED. */
export function readStatuses(result: unknown, count: number): StatusAnswer {
  const { context, value } = (result ?? {}) as { context?: { slot?: unknown } | null; value?: unknown }
  const contextSlot = context?.slot
  if (!isSlot(contextSlot) || !Array.isArray(value) || value.length !== count) throw malformed('statuses')
  return { contextSlot, statuses: (value as unknown[]).map(readStatus) }
}

export function isSlot(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0
}

function readStatus(value: unknown): SignatureStatus | null {
  if (value === null) return null
  const { slot, err, confirmations, confirmationStatus } = (value ?? {}) as Record<string, unknown>
  // A status without `err` must not be read as success.
  if (!isSlot(slot) || err === undefined) throw malformed('a status')
  if (confirmationStatus === 'processed' || confirmationStatus === 'confirmed' || confirmationStatus === 'finalized') {
    return { slot, commitment: confirmationStatus, error: err }
  }
  if (confirmationStatus !== null && confirmationStatus !== undefined) throw malformed('a status')
  // Older nodes omit the level; rooted slots have no count of confirmations.
  return { slot, commitment: confirmations === null ? 'finalized' : 'processed', error: err }
}

function failedSend(error: RpcError | TransportError): SendAnswer {
  if (!(error instanceof RpcError)) return { kind: 'unanswered', detail: error.message }
  const cause = (error.data as { err?: unknown } | null | undefined)?.err
  if (cause === 'AlreadyProcessed' || error.message.includes('already been processed')) return { kind: 'duplicate' }
  return { kind: 'refused', detail: `${error.code}: ${error.message}` }
}

function malformed(what: string): TransportError {
  return new TransportError('MALFORMED', `${what} in the answer is not in the shape of its method`)
}
