// Authenticates requests that one node forwards to another: an HMAC with the secret of all nodes, over the request and
// over everything that makes the receiver treat it differently from a client's request. Each seal is accepted once, so
// a recorded request cannot be replayed.
import { createHmac, createSecretKey, hash, randomBytes, timingSafeEqual, type KeyObject } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'

/** Headers that only nodes send. */
export const NODE_HEADER_PREFIX = 'holdfast-node-'
const FROM = `${NODE_HEADER_PREFIX}from`
const TO = `${NODE_HEADER_PREFIX}to`
const CLIENT = `${NODE_HEADER_PREFIX}client`
const SERVED_FOR = `${NODE_HEADER_PREFIX}served-for`
const SEAL = `${NODE_HEADER_PREFIX}seal`
/** Header of an answer: the request was not accepted, so it may be sent to another node. */
export const NOT_TAKEN = `${NODE_HEADER_PREFIX}not-taken`
/** Header of such an answer: the tenant whose cell must serve the request. */
export const ABOUT = `${NODE_HEADER_PREFIX}about`

/** Maximum accepted difference between the clocks of two nodes. */
const SKEW_MS = 30_000
const FORM = /^v1 ([0-9]{1,16}) ([0-9a-f]{24}) ([0-9a-f]{64})$/

export interface ForwardedRequest {
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
  readonly #seen = new SeenNonces()

  constructor(secret: string, now: () => number) {
    this.#secret = createSecretKey(secret, 'utf8')
    this.#now = now
  }

  /** The headers that a forwarded request carries. */
  headersFor(forwarding: ForwardedRequest): Record<string, string> {
    const time = String(this.#now())
    this.#sent = (this.#sent + 1) % 2 ** 32
    const nonce = `${this.#process}${this.#sent.toString(16).padStart(8, '0')}`
    const { from, to, client, servedFor } = forwarding
    return {
      [FROM]: from,
      [TO]: to,
      [CLIENT]: client,
      ...(servedFor === undefined ? {} : { [SERVED_FOR]: encodeURIComponent(servedFor) }),
      [SEAL]: `v1 ${time} ${nonce} ${this.#mac(forwarding, time, nonce).toString('hex')}`,
    }
  }

  /** null: the seal is authentic and new. Otherwise a description of the problem. */
  problemOf(forwarding: ForwardedRequest): string | null {
    const [, time = '', nonce = '', mac = ''] = FORM.exec(text(forwarding.headers[SEAL])) ?? []
    if (mac === '') return `the header ${SEAL} is missing or malformed`
    if (!timingSafeEqual(Buffer.from(mac, 'hex'), this.#mac(forwarding, time, nonce)))
      return `the header ${SEAL} does not fit the request`
    const nowMs = this.#now()
    if (Math.abs(nowMs - Number(time)) > SKEW_MS)
      return 'the request was forwarded more than 30 seconds ago, or the clocks of the nodes differ'
    if (!this.#seen.add(nonce, nowMs)) return 'the request was forwarded before'
    return null
  }

  #mac(forwarding: ForwardedRequest, time: string, nonce: string): Buffer {
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

/** Bits of a nonce that a page of `SeenNonces` holds: three hexadecimal digits. */
const PAGE_BITS = 12
const PAGE_KEY_DIGITS = 24 - PAGE_BITS / 4

/** The nonces received in the last minute. The nonces of a process are consecutive, so one bit suffices for each. */
class SeenNonces {
  readonly #pages = new Map<string, { readonly bits: Uint8Array; untilMs: number }>()

  /** False: the nonce was added before, so recently that a seal with it is still valid. */
  add(nonce: string, nowMs: number): boolean {
    const key = nonce.slice(0, PAGE_KEY_DIGITS)
    let page = this.#pages.get(key)
    if (page === undefined) {
      for (const [old, { untilMs }] of this.#pages) if (untilMs < nowMs) this.#pages.delete(old)
      page = { bits: new Uint8Array(2 ** (PAGE_BITS - 3)), untilMs: 0 }
      this.#pages.set(key, page)
    }
    page.untilMs = Math.max(page.untilMs, nowMs + 2 * SKEW_MS)
    const place = parseInt(nonce.slice(PAGE_KEY_DIGITS), 16)
    const bit = 1 << (place & 7)
    if ((page.bits[place >> 3]! & bit) !== 0) return false
    page.bits[place >> 3]! |= bit
    return true
  }
}

/** The statements of a forwarding node about a request. They may be forged until the seal is verified. */
export function claimedBy(
  headers: IncomingHttpHeaders,
): Pick<ForwardedRequest, 'from' | 'to' | 'client' | 'servedFor'> {
  const servedFor = tenantIn(text(headers[SERVED_FOR]))
  return { from: text(headers[FROM]), to: text(headers[TO]), client: text(headers[CLIENT]), servedFor }
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
