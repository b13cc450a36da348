// JSON-RPC 2.0: from the text of a body to the text of its response, single calls and batches, for HTTP and websocket.
// Any text gets a response of the protocol; the calls of a batch run concurrently; a synchronous call needs no promise.

import {
  DroppedReply,
  internalError,
  invalidParams,
  invalidRequest,
  methodNotFound,
  parseError,
  RpcError,
} from './error.ts'
import { jsonText, parseJson } from './json.ts'
import type { Method } from './method.ts'
import { isRecord } from './params.ts'

/** Maximum number of calls of a batch: far above what clients send, far below what would block the server. */
const MAX_BATCH = 1000

/** The text of a response; null when there is none (notifications). */
export type Answer = string | null | Promise<string | null>

export interface Dispatcher {
  readonly methods: ReadonlyMap<string, Method>
  /** Called with errors that are not RpcErrors: bugs of this server. */
  readonly unexpected: (error: unknown) => void
}

/** Answers a body. Rejects with DroppedReply when a fault switch requires the connection to be dropped. */
export function answerBody(dispatcher: Dispatcher, text: string): Answer {
  let body: unknown
  try {
    body = parseJson(text)
  } catch {
    return failure(null, parseError())
  }
  if (!Array.isArray(body)) return answerCall(dispatcher, body)
  if (body.length === 0) return failure(null, invalidRequest())
  if (body.length > MAX_BATCH)
    return failure(null, invalidRequest(`Batch too large: ${body.length} calls; max ${MAX_BATCH}`))
  const answers: Answer[] = body.map((call) => answerCall(dispatcher, call))
  return answers.every(isReady) ? batchText(answers) : Promise.all(answers.map(asPromise)).then(batchText)
}

function isReady(answer: Answer): answer is string | null {
  return !(answer instanceof Promise)
}

async function asPromise(answer: Answer): Promise<string | null> {
  return answer
}

function batchText(answers: readonly (string | null)[]): string | null {
  const texts = answers.filter((answer) => answer !== null)
  return texts.length === 0 ? null : `[${texts.join(',')}]`
}

function answerCall(dispatcher: Dispatcher, call: unknown): Answer {
  if (!isRecord(call)) return failure(null, invalidRequest())
  const id = Object.hasOwn(call, 'id') ? call['id'] : undefined
  if (id !== undefined && id !== null && typeof id !== 'string' && typeof id !== 'number' && typeof id !== 'bigint') {
    return failure(null, invalidRequest())
  }
  const name = call['method']
  if (call['jsonrpc'] !== '2.0' || typeof name !== 'string') return failure(id ?? null, invalidRequest())
  const refused = (error: unknown): string | null =>
    id === undefined ? null : failure(id, asRpcError(dispatcher, error))
  const respond = (value: unknown): string | null => (id === undefined ? null : success(id, value))
  try {
    const method = dispatcher.methods.get(name)
    if (method === undefined) throw methodNotFound()
    const value = method(positional(call['params']))
    return value instanceof Promise ? value.then(respond).catch(refused) : respond(value)
  } catch (error) {
    return refused(error)
  }
}

function positional(params: unknown): readonly unknown[] {
  if (params === undefined || params === null) return []
  if (!Array.isArray(params)) throw invalidParams('`params` should be an array')
  return params
}

function asRpcError(dispatcher: Dispatcher, error: unknown): RpcError {
  if (error instanceof RpcError) return error
  if (error instanceof DroppedReply) throw error
  dispatcher.unexpected(error)
  return internalError()
}

type Id = string | number | bigint | null

function success(id: Id, value: unknown): string {
  return `{"jsonrpc":"2.0","result":${jsonText(value)},"id":${jsonText(id)}}`
}

function failure(id: Id, error: RpcError): string {
  const body = { code: error.code, message: error.message, data: error.data }
  return `{"jsonrpc":"2.0","error":${jsonText(body)},"id":${jsonText(id)}}`
}
