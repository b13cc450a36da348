// A proxy before a served chain, over HTTP and websocket. It hides landings until the test shows them, and can notify
// landings that never happened. It records its requests and answers, in order.
import { once as event } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import bs58 from 'bs58'
import { WebSocketServer } from 'ws'
import type { ServedChain } from '../localnet/rpc-chain.ts'

interface RpcCall {
  readonly id: number
  readonly method: string
  readonly params?: readonly unknown[]
}

export class LateNode {
  readonly url: string
  readonly wsUrl: string
  /** Statuses are null, and no landing is notified. */
  isHidden = true
  /** Transactions are answered as accepted, and withheld. */
  keeps = false
  /** Each subscription is notified at once. */
  lies = false
  /** Refuses websocket connections. */
  isDeaf = false
  readonly events: string[] = []
  readonly #chain: ServedChain
  readonly #kept: RpcCall[] = []
  /** Subscriptions without a notification so far: the notification, by signature. */
  readonly #waiting = new Map<string, () => void>()
  readonly #stop: () => Promise<void>

  private constructor(chain: ServedChain, ports: readonly [number, number], stop: () => Promise<void>) {
    this.#chain = chain
    this.url = `http://127.0.0.1:${ports[0]}`
    this.wsUrl = `ws://127.0.0.1:${ports[1]}`
    this.#stop = stop
  }

  static async before(chain: ServedChain): Promise<LateNode> {
    const server = createServer()
    server.listen(0, '127.0.0.1')
    const sockets = new WebSocketServer({ port: 0, host: '127.0.0.1' })
    await Promise.all([event(server, 'listening'), event(sockets, 'listening')])
    const ports = [server, sockets].map((each) => (each.address() as AddressInfo).port) as [number, number]
    const node = new LateNode(chain, ports, async () => {
      for (const socket of sockets.clients) socket.terminate()
      sockets.close()
      server.close()
      server.closeAllConnections()
      await event(server, 'close')
    })
    server.on('request', (request: IncomingMessage, response: ServerResponse) => {
      // Its chain may end during a query.
      node.#answer(request, response).catch(() => response.destroy())
    })
    sockets.on('connection', (socket) => {
      if (node.isDeaf) socket.terminate()
      let last = 0
      socket.on('message', (data: Buffer) => {
        const { id, method, params } = JSON.parse(data.toString()) as RpcCall
        if (method !== 'signatureSubscribe') return
        last += 1
        const subscription = last
        node.events.push('subscribed')
        socket.send(JSON.stringify({ jsonrpc: '2.0', id, result: subscription }))
        const result = { context: { slot: 1 }, value: { err: null } }
        const notify = (): void => {
          node.events.push('notified')
          socket.send(
            JSON.stringify({ jsonrpc: '2.0', method: 'signatureNotification', params: { subscription, result } }),
          )
        }
        if (node.lies) notify()
        else node.#waiting.set(params![0] as string, notify)
      })
    })
    return node
  }

  /** Shows landed transactions, and notifies them. */
  show(): void {
    this.isHidden = false
    this.events.push('shown')
    for (const notify of this.#waiting.values()) notify()
    this.#waiting.clear()
  }

  /** Sends the withheld transactions to the chain. */
  async release(): Promise<void> {
    this.keeps = false
    for (const call of this.#kept.splice(0)) await this.#ask(call)
  }

  stop(): Promise<void> {
    return this.#stop()
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = JSON.parse(Buffer.concat((await request.toArray()) as Buffer[]).toString()) as RpcCall | RpcCall[]
    const calls = Array.isArray(body) ? body : [body]
    const texts = await Promise.all(calls.map((call) => this.#one(call)))
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(Array.isArray(body) ? `[${texts.join(',')}]` : texts[0])
  }

  async #one(call: RpcCall): Promise<string> {
    if (call.method === 'sendTransaction') {
      this.events.push('sent')
      if (!this.keeps) return await this.#ask(call)
      this.#kept.push(call)
      const signature = bs58.encode(Buffer.from(call.params![0] as string, 'base64').subarray(1, 65))
      return JSON.stringify({ jsonrpc: '2.0', id: call.id, result: signature })
    }
    const text = await this.#ask(call)
    if (call.method !== 'getSignatureStatuses') return text
    const { result } = JSON.parse(text) as {
      result: { context: object; value: ({ confirmationStatus: string } | null)[] }
    }
    const value = this.isHidden ? result.value.map(() => null) : result.value
    this.events.push(`asked: ${value.map((status) => status?.confirmationStatus ?? 'nothing').join(' ')}`)
    return JSON.stringify({ jsonrpc: '2.0', id: call.id, result: { context: result.context, value } })
  }

  async #ask(call: RpcCall): Promise<string> {
    const { text } = await this.#chain.post(JSON.stringify(call))
    return text
  }
}
