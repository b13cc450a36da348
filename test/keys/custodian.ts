// A custodian as an outside author would write it from the documentation: an HTTP server that verifies with the public
// library and signs with its own keys. Scripted, and it records its requests.
import { once as event } from 'node:events'
import { createHash, generateKeyPairSync, sign, type KeyObject } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import bs58 from 'bs58'
import { Webhook } from 'standardwebhooks'

export const CODE = 'ACME_CUSTODY'
export const SECRET = `whsec_${Buffer.alloc(32, 5).toString('base64')}`

export interface Asked {
  readonly type: string
  readonly id: string
  readonly signer: string
  readonly publicKey: string
  readonly message: string
  readonly summary: readonly string[]
  readonly tenantOrganizationId: string
  readonly requestedByOrganizationId: string
  readonly chainClusterId: string
  readonly account: { readonly onchainId: string; readonly offchainId: string | null }
  readonly transaction: { readonly offchainId: string } | null
  readonly lastValidBlockHeight: number | null
}

export type Behaviour = (response: ServerResponse, asked: Asked, custodian: Custodian) => void

const say = (response: ServerResponse, body: unknown, status = 200): void =>
  void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))

export const signs: Behaviour = (response, { id, publicKey, message }, custodian) =>
  say(response, { id, status: 'SIGNED', signature: custodian.sign(publicKey, Buffer.from(message, 'base64')) })
export const pending =
  (retryAfterSeconds = 0.25): Behaviour =>
  (response, { id }) =>
    say(response, { id, status: 'PENDING', retryAfterSeconds }, 202)
export const refuses: Behaviour = (response, { id }) => say(response, { id, status: 'REFUSED', reason: 'not today' })
export const fails =
  (status: number): Behaviour =>
  (response) =>
    say(response, { error: 'away' }, status)
/** Signs, and the answer is lost. */
export const hangsUp: Behaviour = (response) => void response.destroy()
export const never: Behaviour = () => undefined
/** A signature by the right key of another message. */
export const signsAnother: Behaviour = (response, { id, publicKey, message }, custodian) => {
  const other = Buffer.from(message, 'base64')
  other[other.length - 1]! ^= 1
  say(response, { id, status: 'SIGNED', signature: custodian.sign(publicKey, other) })
}
/** The right signature, in an answer to another request. */
export const mistakes: Behaviour = (response, { publicKey, message }, custodian) => {
  const signature = custodian.sign(publicKey, Buffer.from(message, 'base64'))
  say(response, { id: createHash('sha256').update('x').digest('hex'), status: 'SIGNED', signature })
}
export const redirects: Behaviour = (response) => void response.writeHead(307, { location: '/elsewhere' }).end()
export const overflows: Behaviour = (response, asked, custodian) => {
  const signature = custodian.sign(asked.publicKey, Buffer.from(asked.message, 'base64'))
  say(response, { id: asked.id, status: 'SIGNED', signature, more: 'x'.repeat(20_000) })
}

export class Custodian {
  readonly asked: Asked[] = []
  /** Paths other than those of the protocol. */
  readonly elsewhere: string[] = []
  /** Used one by one, for transactions; then `usual`. */
  script: Behaviour[] = []
  usual: Behaviour = signs
  /** For key proofs. */
  proof: Behaviour = signs
  /** Called when an answer is ready, and again when it is sent. */
  around: ((sent: boolean) => void) | null = null
  readonly #keys = new Map<string, KeyObject>()
  readonly #server: Server

  private constructor(server: Server) {
    this.#server = server
    server.on('request', (request: IncomingMessage, response: ServerResponse) => void this.#take(request, response))
  }

  static async start(): Promise<Custodian> {
    const server = createServer()
    server.listen(0, '127.0.0.1')
    await event(server, 'listening')
    return new Custodian(server)
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  /** The value of HOLDFAST_SIGNERS. */
  get setting(): string {
    return JSON.stringify({ [CODE]: { url: `${this.url}/sign`, publicKeyUrl: `${this.url}/keys`, secret: SECRET } })
  }

  newKey(): string {
    const { privateKey } = generateKeyPairSync('ed25519')
    const address = bs58.encode(Buffer.from(privateKey.export({ format: 'jwk' }).x!, 'base64url'))
    this.#keys.set(address, privateKey)
    return address
  }

  sign(address: string, message: Uint8Array): string {
    return bs58.encode(sign(null, message, this.#keys.get(address)!))
  }

  /** Requests about transactions. */
  get questions(): Asked[] {
    return this.asked.filter(({ type }) => type === 'signature.requested')
  }

  forget(): void {
    this.asked.length = 0
    this.script = []
    this.usual = signs
    this.proof = signs
  }

  async stop(): Promise<void> {
    if (!this.#server.listening) return
    this.#server.closeAllConnections()
    this.#server.close()
    await event(this.#server, 'close')
  }

  async #take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = []
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk)
    if (request.url !== '/sign' && request.url !== '/keys') {
      this.elsewhere.push(request.url ?? '')
      response.writeHead(200).end('{}')
      return
    }
    const text = Buffer.concat(chunks).toString('utf8')
    const asked = new Webhook(SECRET).verify(text, request.headers as Record<string, string>) as Asked
    if (request.url === '/keys') {
      say(response, { publicKey: this.newKey() })
      return
    }
    this.asked.push(asked)
    const behave = asked.type === 'key.proof.requested' ? this.proof : (this.script.shift() ?? this.usual)
    if (asked.type === 'signature.requested') {
      this.around?.(false)
      response.on('finish', () => this.around?.(true))
    }
    behave(response, asked, this)
  }
}

/** A callback, signed as the documentation says. */
export async function callBack(
  serviceUrl: string,
  body: object,
  { secret = SECRET, at = new Date() }: { readonly secret?: string; readonly at?: Date } = {},
): Promise<{ readonly status: number; readonly body: Record<string, unknown> }> {
  const text = JSON.stringify(body)
  const id = `callback-${createHash('sha256').update(text).digest('hex').slice(0, 8)}`
  const headers = {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
    'webhook-signature': new Webhook(secret).sign(id, at, text),
  }
  const response = await fetch(`${serviceUrl}/api/v1/remote-signers/answers`, { method: 'POST', headers, body: text })
  return { status: response.status, body: (await response.json()) as Record<string, unknown> }
}
