// A proxy in front of a chain, over HTTP and websocket, that hides sent transactions for some time, like a chain with
// slow confirmation. All other calls pass unchanged.
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import bs58 from 'bs58'
import { WebSocket, WebSocketServer } from 'ws'

const HOST = '127.0.0.1'

interface Call {
  readonly id: unknown
  readonly method: string
  readonly params?: readonly unknown[]
}

interface Answer {
  readonly id?: unknown
  readonly method?: string
  readonly result?: unknown
  readonly params?: { readonly subscription: unknown }
}

export interface LateChain extends AsyncDisposable {
  readonly url: string
  readonly websocket: string
}

/** @param socketUrl URL of the chain's websocket */
export async function startLateChain(url: string, socketUrl: string, lateMs: number): Promise<LateChain> {
  /** Time from which a transaction is visible, by signature. */
  const shownAt = new Map<string, number>()
  const waitOf = (signature: string): number => Math.max(0, (shownAt.get(signature) ?? 0) - performance.now())
  const server = createServer(
    (request, response) => void passCalls(request, response, { url, lateMs, shownAt, waitOf }),
  )
  const sockets = new WebSocketServer({ port: 0, host: HOST })
  sockets.on('connection', (socket) => passMessages(socket, new WebSocket(socketUrl), waitOf))
  server.listen(0, HOST)
  await Promise.all([once(server, 'listening'), once(sockets, 'listening')])
  return {
    url: `http://${HOST}:${(server.address() as AddressInfo).port}`,
    websocket: `ws://${HOST}:${(sockets.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets.clients) socket.terminate()
      sockets.close()
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}

interface Shown {
  readonly url: string
  readonly lateMs: number
  readonly shownAt: Map<string, number>
  readonly waitOf: (signature: string) => number
}

async function passCalls(request: IncomingMessage, response: ServerResponse, shown: Shown): Promise<void> {
  try {
    const text = Buffer.concat((await request.toArray()) as Buffer[]).toString()
    const body = JSON.parse(text) as Call | readonly Call[]
    const calls = Array.isArray(body) ? (body as readonly Call[]) : [body as Call]
    const now = performance.now()
    for (const { method, params } of calls) {
      if (method !== 'sendTransaction') continue
      const signature = bs58.encode(Buffer.from(params![0] as string, 'base64').subarray(1, 65))
      // A resend does not delay it further.
      if (!shown.shownAt.has(signature)) shown.shownAt.set(signature, now + shown.lateMs)
    }
    const reply = await fetch(shown.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: text,
    })
    const statusCalls = new Map(
      calls.filter(({ method }) => method === 'getSignatureStatuses').map((call) => [call.id, call]),
    )
    const answer = await reply.text()
    response
      .writeHead(reply.status, { 'content-type': 'application/json' })
      .end(statusCalls.size === 0 ? answer : hideStatuses(answer, statusCalls, shown))
  } catch {
    response.writeHead(502).end()
  }
}

/** The statuses without those of transactions that are not visible yet. */
function hideStatuses(answer: string, asked: ReadonlyMap<unknown, Call>, { waitOf }: Shown): string {
  const late = (each: Answer): Answer => {
    const signatures = asked.get(each.id)?.params?.[0] as readonly string[] | undefined
    const result = each.result as { readonly value: readonly unknown[] } | undefined
    if (signatures === undefined || result === undefined) return each
    const value = result.value.map((status, index) => (waitOf(signatures[index]!) > 0 ? null : status))
    return { ...each, result: { ...result, value } }
  }
  const parsed = JSON.parse(answer) as Answer | Answer[]
  return JSON.stringify(Array.isArray(parsed) ? parsed.map(late) : late(parsed))
}

function passMessages(near: WebSocket, far: WebSocket, waitOf: (signature: string) => number): void {
  const pending = new Map<unknown, string>()
  const subscribed = new Map<unknown, string>()
  const opened = new Promise((resolve) => far.once('open', resolve))
  near.on('message', (data: Buffer) => {
    const { id, method, params } = JSON.parse(data.toString()) as Call
    if (method === 'signatureSubscribe') pending.set(id, params![0] as string)
    void opened.then(() => far.send(data.toString()))
  })
  far.on('message', (data: Buffer) => {
    const text = data.toString()
    const { id, method, result, params } = JSON.parse(text) as Answer
    const signature = pending.get(id)
    if (signature !== undefined) subscribed.set(result, signature)
    pending.delete(id)
    const wait = method === 'signatureNotification' ? waitOf(subscribed.get(params?.subscription) ?? '') : 0
    if (wait === 0) near.send(text)
    else setTimeout(() => near.send(text), wait)
  })
  near.on('close', () => far.terminate())
  far.on('close', () => near.terminate())
  far.on('error', () => near.terminate())
}
