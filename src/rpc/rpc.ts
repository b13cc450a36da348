// The two calls of the hot path, sent and checked by hand: a general client's validation costs 57 us a status, this 1.
import { RpcError, TransportError } from './rpc-error.ts'
import type { Transport } from './transport.ts'

export type Commitment = 'processed' | 'confirmed' | 'finalized'

/** What an endpoint said to a send. None of these ends a transaction. */
export type SendAnswer =
  | { readonly kind: 'accepted'; readonly signature: string }
  /** It has landed before, well or badly. */
  | { readonly kind: 'duplicate' }
  | { readonly kind: 'refused'; readonly detail: string }
  | { readonly kind: 'unanswered'; readonly detail: string }

export interface SignatureStatus {
  readonly slot: number
  readonly commitment: Commitment
  /** The chain's transaction error, JSON; null when it landed well. */
  readonly error: unknown
}

export interface StatusAnswer {
  /** The slot this answer is about. */
  readonly contextSlot: number
  /** One per signature asked for, in order; null: not known to the node (or not to this part of its memory). */
  readonly statuses: readonly (SignatureStatus | null)[]
}

/** The most signatures one status call may ask for. */
export const STATUS_LIMIT = 256

const SEND_OPTIONS = '{"encoding":"base64","skipPreflight":true,"maxRetries":0}'

/** Sends wire bytes (base64), all in one batch where the bounds allow. Never rejects: an answer per transaction, in order. */
export async function sendTransactions(transport: Transport, transactions: readonly string[], timeoutMs: number): Promise<SendAnswer[]> {
  const params = transactions.map((base64) => `["${base64}",${SEND_OPTIONS}]`)
  const answers = await transport.group('sendTransaction', params, { timeoutMs, channel: 'send' })
  return answers.map((answer) => {
    if (!answer.ok) return failedSend(answer.error)
    if (typeof answer.result === 'string') return { kind: 'accepted', signature: answer.result }
    return { kind: 'unanswered', detail: 'the answer is not a signature' }
  })
}

/** Asks for at most 256 signatures. Rejects with RpcError or TransportError; an answer that is not exactly in shape is MALFORMED. */
export async function signatureStatuses(
  transport: Transport,
  signatures: readonly string[],
  options: { readonly searchHistory: boolean; readonly timeoutMs: number },
): Promise<StatusAnswer> {
  const params = [signatures, { searchTransactionHistory: options.searchHistory }]
  const result = await transport.call('getSignatureStatuses', params, { timeoutMs: options.timeoutMs, channel: 'status' })
  return readStatuses(result, signatures.length)
}

/** The result of `getSignatureStatuses` for `count` signatures. Throws TransportError MALFORMED. */
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
  // A status without `err` must not pass for one that landed well.
  if (!isSlot(slot) || err === undefined) throw malformed('a status')
  if (confirmationStatus === 'processed' || confirmationStatus === 'confirmed' || confirmationStatus === 'finalized') {
    return { slot, commitment: confirmationStatus, error: err }
  }
  if (confirmationStatus !== null && confirmationStatus !== undefined) throw malformed('a status')
  // Older nodes leave the level out; rooted slots have no count of confirmations.
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
