// Reads a JSON-RPC answer, single or batch, back to the calls that asked: by id, in any order, each call exactly one answer.
import { isInteger, isSafeNumber, parse as parseLossless } from 'lossless-json'
import { RpcError, TransportError } from './rpc-error.ts'

export type RpcAnswer = { readonly ok: true; readonly result: unknown } | { readonly ok: false; readonly error: RpcError | TransportError }

/** A member, other than `rentEpoch`, whose integer has 16 digits or more: a double may not hold it. */
const WIDE_INTEGER = /"(?!rentEpoch")[A-Za-z_]+"\s*:\s*-?\d{16}/

/**
 * Parses an answer's text. With `exact`, integers a double cannot hold come out as `bigint` and all others as `number`;
 * the slow parser runs only on texts that hold such an integer. Throws TransportError MALFORMED.
 */
export function parseAnswer(text: string, exact: boolean): unknown {
  try {
    return exact && WIDE_INTEGER.test(text) ? parseLossless(text, null, exactNumber) : (JSON.parse(text) as unknown)
  } catch {
    throw new TransportError('MALFORMED', 'the answer is not JSON')
  }
}

/**
 * The answers to the calls with ids `firstId` .. `firstId + count - 1`, in that order. A call the answer does not mention, or
 * mentions twice, gets a TransportError; an error without an id (a refused batch) is every call's.
 */
export function matchAnswers(body: unknown, firstId: number, count: number, clear: (text: string) => string): RpcAnswer[] {
  const answers = new Array<RpcAnswer | undefined>(count).fill(undefined)
  for (const entry of Array.isArray(body) ? (body as unknown[]) : [body]) {
    if (typeof entry !== 'object' || entry === null) continue
    const { id, error } = entry as { id?: unknown; error?: unknown }
    if ((id === null || id === undefined) && error !== undefined && error !== null) return allFailed(count, rpcError(error, clear))
    if (typeof id !== 'number') continue
    const index = id - firstId
    if (!Number.isInteger(index) || index < 0 || index >= count) continue
    answers[index] = answers[index] === undefined ? answerOf(entry, error, clear) : failed('MALFORMED', 'answered twice')
  }
  return answers.map((answer) => answer ?? failed('UNANSWERED', 'the answer leaves this call out'))
}

/** The same failure for each of `count` calls. */
export function allFailed(count: number, error: RpcError | TransportError): RpcAnswer[] {
  return new Array<RpcAnswer>(count).fill({ ok: false, error })
}

function answerOf(entry: object, error: unknown, clear: (text: string) => string): RpcAnswer {
  if (error !== undefined && error !== null) return { ok: false, error: rpcError(error, clear) }
  // Without this check an answer that lost its result would read as null: "not found".
  if (!('result' in entry)) return failed('MALFORMED', 'neither result nor error')
  return { ok: true, result: entry.result }
}

function rpcError(error: unknown, clear: (text: string) => string): RpcError {
  const { code, message, data } = (typeof error === 'object' && error !== null ? error : {}) as Record<string, unknown>
  return new RpcError(typeof code === 'number' ? code : 0, clear(typeof message === 'string' ? message : 'no message'), data)
}

function failed(fault: 'MALFORMED' | 'UNANSWERED', message: string): RpcAnswer {
  return { ok: false, error: new TransportError(fault, message) }
}

function exactNumber(text: string): number | bigint {
  return isInteger(text) && !isSafeNumber(text) ? BigInt(text) : Number(text)
}
