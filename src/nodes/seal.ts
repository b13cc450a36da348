// What authenticates a request that one node forwards to another: an HMAC, under the secret of all nodes, over
// everything by which the receiver treats the request differently from one of a client, and over the request itself.
// Each seal counts once, so a forwarded request that was recorded cannot be sent again.
import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'

/** Headers that only nodes send. */
export const NODE_HEADER_PREFIX = 'holdfast-node-'
const SEAL = `${NODE_HEADER_PREFIX}seal`
/** Of an answer: the request was not taken, so it may be sent to another node. */
export const NOT_TAKEN = `${NODE_HEADER_PREFIX}not-taken`
/** Of an answer to a request that was not taken: the tenant whose cell must serve it. */
export const ABOUT = `${NODE_HEADER_PREFIX}about`

/** The clocks of two nodes may differ by this. */
const SKEW_MS = 30_000
const FORM = /^v1 ([0-9]{1,16}) ([0-9a-f]{24}) ([0-9a-f]{64})$/

export interface Forwarding {
  readonly method: string
  /** With the query. */
  readonly path: string
  readonly body: Uint8Array
  readonly requestId: string
  /** Address of the client, as the door sees it. */
  readonly client: string
  /** Id of the node that forwards, and of the one that is to serve. */
  readonly from: string
  readonly to: string
  /** Tenant that a request of SYSTEM is about, which the receiver serves for that; absent: it is not known. */
  readonly servedFor?: string | undefined
  /** Headers that decide what is done, and for whom. */
  readonly headers: IncomingHttpHeaders
}

const SEALED_HEADERS = [
  'authorization',
  'idempotency-key',
  'prefer',
  'holdfast-dry-run',
  'content-type',
  'last-event-id',
]

export class Seals {
  readonly #secret: string
  readonly #now: () => number
  /** With the count, a number that no process of any node gives twice; it need not be secret. */
  readonly #process = randomBytes(8).toString('hex')
  #sent = 0
  /** Seals received, by when they may be forgotten; oldest first. */
  readonly #seen = new Map<string, number>()

  constructor(secret: string, now: () => number) {
    this.#secret = secret
    this.#now = now
  }

  /** The headers that a forwarded request carries. */
  headersFor(forwarding: Forwarding): Record<string, string> {
    const time = String(this.#now())
    this.#sent = (this.#sent + 1) % 2 ** 32
    const nonce = `${this.#process}${this.#sent.toString(16).padStart(8, '0')}`
    const { from, to, client, servedFor } = forwarding
    return {
      [`${NODE_HEADER_PREFIX}from`]: from,
      [`${NODE_HEADER_PREFIX}to`]: to,
      [`${NODE_HEADER_PREFIX}client`]: client,
      ...(servedFor === undefined ? {} : { [`${NODE_HEADER_PREFIX}served-for`]: encodeURIComponent(servedFor) }),
      [SEAL]: `v1 ${time} ${nonce} ${this.#mac(forwarding, time, nonce).toString('hex')}`,
    }
  }

  /** Null: authentic and new. Else what is wrong. */
  problemOf(forwarding: Forwarding): string | null {
    const [, time = '', nonce = '', mac = ''] = FORM.exec(text(forwarding.headers[SEAL])) ?? []
    if (mac === '') return `the header ${SEAL} is missing or malformed`
    if (!timingSafeEqual(Buffer.from(mac, 'hex'), this.#mac(forwarding, time, nonce)))
      return `the header ${SEAL} does not fit the request`
    const nowMs = this.#now()
    if (Math.abs(nowMs - Number(time)) > SKEW_MS)
      return 'the request was forwarded more than 30 seconds ago, or the clocks of the nodes differ'
    for (const [seen, untilMs] of this.#seen) {
      if (untilMs > nowMs) break
      this.#seen.delete(seen)
    }
    if (this.#seen.has(mac)) return 'the request was forwarded before'
    this.#seen.set(mac, nowMs + 2 * SKEW_MS)
    return null
  }

  #mac(forwarding: Forwarding, time: string, nonce: string): Buffer {
    const { method, path, body, requestId, client, from, to, servedFor, headers } = forwarding
    const digest = createHash('sha256').update(body).digest('hex')
    const sealed = SEALED_HEADERS.map((name) => text(headers[name]))
    // Without it as in earlier releases, which may be among the nodes.
    if (servedFor !== undefined) sealed.push(servedFor)
    return createHmac('sha256', this.#secret)
      .update(JSON.stringify(['v1', time, nonce, method, path, digest, requestId, client, from, to, sealed]))
      .digest()
  }
}

/** What a door says of a request that it forwards, unless it is forged. */
export function claimedBy(headers: IncomingHttpHeaders): Pick<Forwarding, 'from' | 'to' | 'client' | 'servedFor'> {
  const claimed = (name: string): string => text(headers[`${NODE_HEADER_PREFIX}${name}`])
  const servedFor = tenantIn(claimed('served-for'))
  return { from: claimed('from'), to: claimed('to'), client: claimed('client'), servedFor }
}

/** Names of tenants are any text, headers are not. undefined: the header names none. */
export function tenantIn(header: string): string | undefined {
  try {
    return header === '' ? undefined : decodeURIComponent(header)
  } catch {
    return undefined
  }
}

/** True if the request carries a header that only nodes send. */
export function claimsForwarding(headers: IncomingHttpHeaders): boolean {
  for (const name in headers) if (name.startsWith(NODE_HEADER_PREFIX)) return true
  return false
}

function text(header: string | readonly string[] | undefined): string {
  return header === undefined ? '' : typeof header === 'string' ? header : header.join(', ')
}
