// A screening service for tests: it verifies each request with the public library, and answers as the test configures.
import { randomBytes } from 'node:crypto'
import { once as event } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Webhook } from 'standardwebhooks'

export const SECRET = `whsec_${randomBytes(32).toString('base64')}`

export interface Movement {
  readonly type: string
  readonly payers: readonly string[]
  readonly destination: string
  readonly controllers: readonly string[]
  readonly counterparties: readonly string[]
  readonly lamports?: string
}

export interface Question {
  readonly id: string
  readonly type: string
  readonly tenantOrganizationId: string
  readonly intent: string
  readonly movements: readonly Movement[]
}

export type Behaviour = (response: ServerResponse, question: Question) => void

export const says =
  (body: unknown, status = 200): Behaviour =>
  (response) =>
    void response
      .writeHead(status, { 'content-type': 'application/json' })
      .end(typeof body === 'string' ? body : JSON.stringify(body))
export const allows = says({ decision: 'ALLOW' })

export class Screener {
  readonly asked: Question[] = []
  readonly elsewhere: string[] = []
  behave: Behaviour = allows
  readonly #server: Server

  static async start(): Promise<Screener> {
    const server = createServer()
    server.listen(0, '127.0.0.1')
    await event(server, 'listening')
    return new Screener(server)
  }

  private constructor(server: Server) {
    this.#server = server
    server.on('request', (request: IncomingMessage, response: ServerResponse) => void this.#take(request, response))
  }

  get host(): string {
    return `127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  get url(): string {
    return `http://${this.host}/screen`
  }

  async #take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = []
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk)
    if (request.url !== '/screen') {
      this.elsewhere.push(request.url ?? '')
      response.writeHead(200).end('{"decision":"ALLOW"}')
      return
    }
    const text = Buffer.concat(chunks).toString('utf8')
    const question = new Webhook(SECRET).verify(text, request.headers as Record<string, string>) as Question
    this.asked.push(question)
    this.behave(response, question)
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections()
    this.#server.close()
    await event(this.#server, 'close')
  }
}
