// Routes web3.js's `Connection` through the service's transport: its calls share connections and batches with other
// calls of the same tick.
import { asRpcFailure, RpcError, TransportError } from './rpc-error.ts'

/** Makes one call to an endpoint. Rejects with RpcError or TransportError. */
export type Relay = (method: string, params: readonly unknown[]) => Promise<unknown>

interface Call {
  readonly id: unknown
  readonly method: string
  readonly params?: readonly unknown[]
}

interface FetchReply {
  readonly ok: boolean
  readonly status: number
  readonly statusText: string
  text(): Promise<string>
}

/** A `fetch` for `Connection`. The URL argument is ignored: the relay knows the endpoint. */
export function web3Fetch(relay: Relay): (url: unknown, init?: { body?: unknown }) => Promise<FetchReply> {
  return async (_url, init) => {
    const body = JSON.parse(String(init?.body)) as Call | Call[]
    try {
      const answer = Array.isArray(body)
        ? await Promise.all(body.map((call) => carry(relay, call)))
        : await carry(relay, body)
      return reply(200, 'OK', JSON.stringify(answer))
    } catch (error) {
      const failure = asRpcFailure(error)
      const status = failure instanceof TransportError && failure.status !== undefined ? failure.status : 502
      return reply(status, failure.message, '')
    }
  }
}

async function carry(relay: Relay, call: Call): Promise<object> {
  try {
    const result = await relay(call.method, call.params ?? [])
    return { jsonrpc: '2.0', id: call.id, result }
  } catch (error) {
    if (!(error instanceof RpcError)) throw error
    return { jsonrpc: '2.0', id: call.id, error: { code: error.code, message: error.message, data: error.data } }
  }
}

function reply(status: number, statusText: string, text: string): FetchReply {
  return { ok: status === 200, status, statusText, text: () => Promise.resolve(text) }
}
