// A JSON-RPC node with answers of the test. For faults only: the behavior of a sound node is tested on the embedded
// chain.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Call {
  readonly id: number
  readonly method: string
  readonly params: readonly unknown[]
}

export interface NodeError {
  readonly error: { readonly code: number; readonly message: string; readonly data?: unknown }
}

/** Answers one call: a result, or `{ error }`. */
export type Script = (call: Call) => unknown

export interface ScriptedNode {
  readonly url: string
  /** Bodies received, parsed. */
  readonly bodies: (Call | Call[])[]
  /** Answers whole requests in place of the script: raw status and text, or null to break the connection. */
  raw: ((bodies: Call | Call[]) => { status: number; text: string } | null) | undefined
  script: Script
  close(): Promise<void>
}

export async function scriptedNode(script: Script): Promise<ScriptedNode> {
  // Longer than a client keeps a connection: one that is reused after a pause is not closed at that moment.
  const server = createServer({ keepAliveTimeout: 75_000 }, (request, response) => {
    // A client may close the connection during its answer.
    answer(request, response).catch(() => response.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const node: ScriptedNode = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/secret-path-key?api-key=secret-query-key`,
    bodies: [],
    raw: undefined,
    script,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const body = JSON.parse(Buffer.concat(chunks).toString()) as Call | Call[]
    node.bodies.push(body)
    const raw = node.raw?.(body)
    if (raw === null) return void response.destroy()
    const text = Array.isArray(body)
      ? JSON.stringify(await Promise.all(body.map(one)))
      : JSON.stringify(await one(body))
    response.writeHead(raw?.status ?? 200, { 'content-type': 'application/json' }).end(raw?.text ?? text)
  }

  async function one(call: Call): Promise<object> {
    const result = await node.script(call)
    const isError = typeof result === 'object' && result !== null && 'error' in result
    return { jsonrpc: '2.0', id: call.id, ...(isError ? result : { result }) }
  }

  return node
}
