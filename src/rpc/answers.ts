// Matches the answers of a JSON-RPC response, single or batch, to the calls by id, in any order. Every call gets
// exactly one answer.
import { isInteger, isSafeNumber, parse as parseLossless } from 'lossless-json'
import { RpcError, TransportError } from './rpc-error.ts'

export type RpcAnswer =
  { readonly ok: true; readonly result: unknown } | { readonly ok: false; readonly error: RpcError | TransportError }

/**
 * Matches an integer of 16 or more digits, which a double may not represent: of an array, such as the balances of a
 * transaction, or of a member other than `rentEpoch`.
 */
const WIDE_INTEGER = /(?:[[,]|"(?!rentEpoch")[A-Za-z_]+"\s*:)\s*-?\d{16}/

/**
 * Parses the text of a response. With `exact`, integers that a double cannot represent become `bigint`, all others
 * `number`; the slow parser runs only on texts with such an integer. Throws TransportError MALFORMED.
 */
export function parseAnswer(text: string, exact: boolean): unknown {
  try {
    return exact && WIDE_INTEGER.test(text) ? parseLossless(text, null, exactNumber) : (JSON.parse(text) as unknown)
  } catch {
    throw new TransportError('MALFORMED', 'the answer is not JSON')
  }
}

/**
 * Returns the answers to the calls with ids `firstId` .. `firstId + count - 1`, in that order. A call that the response
 * omits or answers twice gets a TransportError. An error without an id (a rejected batch) applies to every call.
 */
export function matchAnswers(
  body: unknown,
  firstId: number,
  count: number,
  clear: (text: string) => string,
): RpcAnswer[] {
  const answers = new Array<RpcAnswer | undefined>(count).fill(undefined)
  for (const entry of Array.isArray(body) ? (body as unknown[]) : [body]) {
    if (typeof entry !== 'object' || entry === null) continue
    const { id, error } = entry as { id?: unknown; error?: unknown }
    if ((id === null || id === undefined) && error !== undefined && error !== null)
      return allFailed(count, rpcError(error, clear))
    if (typeof id !== 'number') continue
    const index = id - firstId
    if (!Number.isInteger(index) || index < 0 || index >= count) continue
    answers[index] =
      answers[index] === undefined ? answerOf(entry, error, clear) : failed('MALFORMED', 'answered twice')
  }
  return answers.map((answer) => answer ?? failed('UNANSWERED', 'the answer leaves this call out'))
}

/** The same failure for each of `count` calls. */
export function allFailed(count: number, error: RpcError | TransportError): RpcAnswer[] {
  return new Array<RpcAnswer>(count).fill({ ok: false, error })
}

function answerOf(entry: object, error: unknown, clear: (text: string) => string): RpcAnswer {
  if (error !== undefined && error !== null) return { ok: false, error: rpcError(error, clear) }
  // Without this check a response that lost its result would read as null, that is, "not found".
  if (!('result' in entry)) return failed('MALFORMED', 'neither result nor error')
  return { ok: true, result: entry.result }
}

function rpcError(error: unknown, clear: (text: string) => string): RpcError {
  const { code, message, data } = (typeof error === 'object' && error !== null ? error : {}) as Record<string, unknown>
  return new RpcError(
    typeof code === 'number' ? code : 0,
    clear(typeof message === 'string' ? message : 'no message'),
    data,
  )
}

function failed(fault: 'MALFORMED' | 'UNANSWERED', message: string): RpcAnswer {
  return { ok: false, error: new TransportError(fault, message) }
}

function exactNumber(text: string): number | bigint {
  return isInteger(text) && !isSafeNumber(text) ? BigInt(text) : Number(text)
}
