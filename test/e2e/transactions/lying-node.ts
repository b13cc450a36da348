// A proxy before the RPC server of a chain. It can withhold the transactions that are sent to it, and add to the slots
// and heights of answers.
import { once as event } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import bs58 from 'bs58'

interface RpcCall {
  readonly id: unknown
  readonly method: string
  readonly params?: readonly unknown[]
}

const NUMBERS = /"(slot|absoluteSlot|blockHeight|lastValidBlockHeight|contextSlot)":(\d+)/g

export class LyingNode {
  readonly url: string
  /** Connections break without an answer. */
  isDown = false
  /** Transactions are answered as accepted, and withheld. */
  keeps = false
  /** Added to the numbers of these methods, for this number of answers. */
  lie: { readonly methods: readonly string[]; readonly offset: number; answers: number } | null = null
  readonly kept: RpcCall[] = []
  /** Methods that it answers with an error. */
  readonly refused = new Set<string>()
  readonly #target: string
  readonly #stop: () => Promise<void>

  private constructor(url: string, target: string, stop: () => Promise<void>) {
    this.url = url
    this.#target = target
    this.#stop = stop
  }

  static async before(target: string): Promise<LyingNode> {
    const server = createServer()
    // Like the chain itself: an idle connection that ends would be a failure that no test requested.
    server.keepAliveTimeout = 75_000
    server.listen(0, '127.0.0.1')
    await event(server, 'listening')
    const node = new LyingNode(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, target, async () => {
      server.close()
      server.closeAllConnections()
      await event(server, 'close')
    })
    server.on('request', (request: IncomingMessage, response: ServerResponse) => void node.#answer(request, response))
    return node
  }

  /** Sends the withheld transactions to the chain. */
  async release(): Promise<void> {
    this.keeps = false
    for (const call of this.kept.splice(0)) await this.#ask(call)
  }

  stop(): Promise<void> {
    return this.#stop()
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (this.isDown) return void request.socket.destroy()
    const body = JSON.parse(Buffer.concat((await request.toArray()) as Buffer[]).toString()) as RpcCall | RpcCall[]
    const calls = Array.isArray(body) ? body : [body]
    const texts = await Promise.all(calls.map((call) => this.#one(call)))
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(Array.isArray(body) ? `[${texts.join(',')}]` : texts[0])
  }

  async #one(call: RpcCall): Promise<string> {
    if (call.method === 'sendTransaction' && this.keeps) {
      this.kept.push(call)
      const signature = bs58.encode(Buffer.from(call.params![0] as string, 'base64').subarray(1, 65))
      return JSON.stringify({ jsonrpc: '2.0', id: call.id, result: signature })
    }
    if (this.refused.has(call.method))
      return JSON.stringify({ jsonrpc: '2.0', id: call.id, error: { code: -32_000, message: 'refused' } })
    const text = await this.#ask(call)
    const { lie } = this
    if (lie === null || lie.answers === 0 || !lie.methods.includes(call.method)) return text
    lie.answers -= 1
    return text.replace(NUMBERS, (_, name: string, value: string) => `"${name}":${Number(value) + lie.offset}`)
  }

  async #ask(call: RpcCall): Promise<string> {
    const response = await fetch(this.#target, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(call),
    })
    return await response.text()
  }
}
