// Authenticates requests that one node forwards to another: an HMAC with the secret of all nodes, over the request and
// over everything that makes the receiver treat it differently from a client's request. Each seal is accepted once, so
// a recorded request cannot be replayed.
import { createHmac, createSecretKey, hash, randomBytes, timingSafeEqual, type KeyObject } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'

/** Headers that only nodes send. */
export const NODE_HEADER_PREFIX = 'holdfast-node-'
const SEAL = `${NODE_HEADER_PREFIX}seal`
/** Header of an answer: the request was not accepted, so it may be sent to another node. */
export const NOT_TAKEN = `${NODE_HEADER_PREFIX}not-taken`
/** Header of such an answer: the tenant whose cell must serve the request. */
export const ABOUT = `${NODE_HEADER_PREFIX}about`

/** Maximum accepted difference between the clocks of two nodes. */
const SKEW_MS = 30_000
const FORM = /^v1 ([0-9]{1,16}) ([0-9a-f]{24}) ([0-9a-f]{64})$/

export interface Forwarding {
  readonly method: string
  /** Path with query. */
  readonly path: string
  readonly body: Uint8Array
  readonly requestId: string
  /** Address of the client, as the forwarding node sees it. */
  readonly client: string
  /** Ids of the forwarding node and of the serving node. */
  readonly from: string
  readonly to: string
  /** Tenant that a request of SYSTEM concerns: the receiver serves it in that tenant's cell. Absent: unknown. */
  readonly servedFor?: string | undefined
  /** Headers that determine the effect of the request, and its caller. */
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
  readonly #secret: KeyObject
  readonly #now: () => number
  /** Together with the counter, a nonce that is unique among all nodes. It need not be secret. */
  readonly #process = randomBytes(8).toString('hex')
  #sent = 0
  /** Received seals with the time until which they must be remembered; oldest first. */
  readonly #seen = new Map<string, number>()

  constructor(secret: string, now: () => number) {
    this.#secret = createSecretKey(secret, 'utf8')
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

  /** null: the seal is authentic and new. Otherwise a description of the problem. */
  problemOf(forwarding: Forwarding): string | null {
    const [, time = '', nonce = '', mac = ''] = FORM.exec(text(forwarding.headers[SEAL])) ?? []
    if (mac === '') return `the header ${SEAL} is missing or malformed`
    if (!timingSafeEqual(Buffer.from(mac, 'hex'), this.#mac(forwarding, time, nonce)))
      return `the header ${SEAL} does not fit the request`
    const nowMs = this.#now()
    if (Math.abs(nowMs - Number(time)) > SKEW_MS)
      return 'the request was forwarded more than 30 seconds ago, or the clocks of the nodes differ'
    for (const [oldest, untilMs] of this.#seen) {
      if (untilMs > nowMs) break
      this.#seen.delete(oldest)
    }
    if (this.#seen.has(mac)) return 'the request was forwarded before'
    this.#seen.set(mac, nowMs + 2 * SKEW_MS)
    return null
  }

  #mac(forwarding: Forwarding, time: string, nonce: string): Buffer {
    const { method, path, body, requestId, client, from, to, servedFor, headers } = forwarding
    const digest = hash('sha256', body, 'hex')
    const sealed = SEALED_HEADERS.map((name) => text(headers[name]))
    // If absent, the seal is that of earlier releases, which other nodes may still run.
    if (servedFor !== undefined) sealed.push(servedFor)
    return createHmac('sha256', this.#secret)
      .update(JSON.stringify(['v1', time, nonce, method, path, digest, requestId, client, from, to, sealed]))
      .digest()
  }
}

/** The statements of a forwarding node about a request. They may be forged until the seal is verified. */
export function claimedBy(headers: IncomingHttpHeaders): Pick<Forwarding, 'from' | 'to' | 'client' | 'servedFor'> {
  const header = (name: string): string => text(headers[`${NODE_HEADER_PREFIX}${name}`])
  const servedFor = tenantIn(header('served-for'))
  return { from: header('from'), to: header('to'), client: header('client'), servedFor }
}

/** Decodes a tenant from a header. Tenant names may contain any character, so they are encoded. undefined: none. */
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
