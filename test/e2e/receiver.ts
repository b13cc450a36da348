// A webhook receiver as a client would write it: a plain HTTP server that verifies with the public library. Tests
// configure its answers.
import { once as event } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Webhook } from 'standardwebhooks'
import { freePair } from '../free-ports.ts'

export interface Delivered {
  readonly id: string
  readonly sequence: number
  readonly type: string
  readonly timestamp: string
  readonly tenantOrganizationId: string
  readonly chainClusterId: string
  readonly resource: { readonly kind: string; readonly onchainId: string | null; readonly offchainId: string }
  readonly data: Readonly<Record<string, unknown>>
}

export interface Delivery {
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
  readonly event: Delivered
}

/** `attempt` counts the deliveries of this event so far, from 1. */
export type Behaviour = (response: ServerResponse, delivery: Delivery, attempt: number) => void

export const accept: Behaviour = (response) => response.writeHead(204).end()

export class Receiver {
  readonly host: string
  /** All deliveries, and those that were answered with 2xx, in the order of the answers. */
  readonly came: Delivery[] = []
  readonly taken: Delivery[] = []
  behave: Behaviour = accept
  readonly #server: Server
  readonly #attempts = new Map<string, number>()

  private constructor(server: Server) {
    this.#server = server
    this.host = `127.0.0.1:${(server.address() as AddressInfo).port}`
    server.on('request', (request: IncomingMessage, response: ServerResponse) => void this.#take(request, response))
  }

  static async start(): Promise<Receiver> {
    const server = createServer()
    server.listen(await freePair(), '127.0.0.1')
    await event(server, 'listening')
    return new Receiver(server)
  }

  url(path = '/hook'): string {
    return `http://${this.host}${path}`
  }

  /** Sequence numbers by resource, in the order in which each was first accepted. */
  order(of: readonly Delivery[] = this.taken): Map<string, number[]> {
    const sequences = new Map<string, number[]>()
    for (const {
      event: { resource, sequence },
    } of of) {
      const previous = sequences.get(resource.offchainId) ?? []
      if (!previous.includes(sequence)) sequences.set(resource.offchainId, [...previous, sequence])
    }
    return sequences
  }

  forget(): void {
    this.came.length = 0
    this.taken.length = 0
  }

  stop(): void {
    this.#server.closeAllConnections()
    this.#server.close()
  }

  /** Listens again at the address that it had before `stop`. */
  async startAgain(): Promise<void> {
    const [host, port] = this.host.split(':')
    this.#server.listen(Number(port), host)
    await event(this.#server, 'listening')
  }

  async #take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = []
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk)
    const text = Buffer.concat(chunks).toString('utf8')
    const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]))
    const delivery = { path: request.url ?? '', headers, text, event: JSON.parse(text) as Delivered }
    this.came.push(delivery)
    const attempt = (this.#attempts.get(delivery.event.id) ?? 0) + 1
    this.#attempts.set(delivery.event.id, attempt)
    response.on('finish', () => {
      if (response.statusCode >= 200 && response.statusCode < 300) this.taken.push(delivery)
    })
    this.behave(response, delivery, attempt)
  }
}

/** Throws if the library rejects the delivery. */
export function verify(secret: string, { text, headers }: Delivery): unknown {
  return new Webhook(secret).verify(text, { ...headers })
}
