// Requests that the service makes, for its clients, to hosts that they name. Guarantees: only allowed addresses are
// reached, size and time are bounded, no proxy, no cookies and no credentials of the service are used, and each
// redirect is checked like a first request.
import { lookup } from 'node:dns/promises'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import type { OutboundRule } from '../../../config/networks.ts'
import { OutboundPolicy, OutboundRefused, type Address, type Resolve } from './policy.ts'

export { OutboundRefused } from './policy.ts'

export interface OutboundRequest {
  readonly method?: 'GET' | 'POST'
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  /** Maximum bytes of an answer; a larger answer fails. */
  readonly maxBytes: number
  /** For the whole request, redirects included. */
  readonly timeoutMs: number
  /** Number of redirects of a GET that are followed; the next one fails. Default 0. */
  readonly redirects?: number
  /** Only the status is returned: the body is not read, and a redirect is an ordinary answer. */
  readonly statusOnly?: boolean
  /** Aborts the request. */
  readonly signal?: AbortSignal
}

export interface OutboundAnswer {
  readonly status: number
  /** Without parameters, in lower case; empty if absent. */
  readonly contentType: string
  readonly body: Buffer
  /** The header `Retry-After`; null if absent. */
  readonly retryAfter: string | null
}

/** The request failed: no answer in time, an answer that is too large, or one that cannot be used. */
export class OutboundFailed extends Error {
  override readonly name = 'OutboundFailed'
}

/** Maximum time for the name resolution of a `check`. */
const CHECK_MS = 2_000
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])

/** All addresses, in the order of the operating system. */
const systemResolve: Resolve = async (hostname) =>
  (await lookup(hostname, { all: true, verbatim: true })).map(({ address, family }) => ({
    address,
    family: family === 6 ? 6 : 4,
  }))

export class Outbound {
  readonly #policy: OutboundPolicy

  constructor(rules: readonly OutboundRule[], resolve: Resolve = systemResolve) {
    this.#policy = new OutboundPolicy(rules, resolve)
  }

  /** Rejects with OutboundRefused or OutboundFailed. */
  async fetch(uri: string, options: OutboundRequest): Promise<OutboundAnswer> {
    // One timeout for name resolution, connections and answers of all hops.
    const timeout = AbortSignal.timeout(options.timeoutMs)
    const signal = options.signal === undefined ? timeout : AbortSignal.any([timeout, options.signal])
    let url = parseUrl(uri)
    for (let remaining = options.redirects ?? 0; ; remaining -= 1) {
      const addresses = await within(signal, this.#policy.addressesOf(url))
      const { answer, location } = await ask(url, addresses, options, signal)
      if (location === null) return answer
      if (remaining <= 0)
        throw new OutboundFailed(options.redirects === undefined ? 'it is redirected' : 'it is redirected too often')
      url = parseUrl(location, url)
    }
  }

  /**
   * Checks whether the policy allows the URI, as far as this can be decided without a request. The host name of an
   * https URI on the standard port is resolved and checked at each request only: an answer here that depended on its
   * addresses would reveal which names exist inside the network. Rejects with OutboundRefused.
   */
  async check(uri: string): Promise<void> {
    const url = parseUrl(uri)
    if (this.#policy.isUsual(url) && this.#policy.isName(url)) return
    try {
      await within(AbortSignal.timeout(CHECK_MS), this.#policy.addressesOf(url))
    } catch (error) {
      throw error instanceof OutboundFailed ? new OutboundRefused(error.message) : error
    }
  }
}

function parseUrl(uri: string, base?: URL): URL {
  try {
    return new URL(uri, base)
  } catch {
    throw new OutboundRefused('it is no URI')
  }
}

async function within<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  if (signal.aborted) throw new OutboundFailed('it takes too long')
  return await new Promise<T>((resolve, reject) => {
    const stop = (): void => reject(new OutboundFailed('it takes too long'))
    signal.addEventListener('abort', stop, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop))
  })
}

interface Hop {
  readonly answer: OutboundAnswer
  readonly location: string | null
}

async function ask(
  url: URL,
  addresses: readonly [Address, ...Address[]],
  options: OutboundRequest,
  signal: AbortSignal,
): Promise<Hop> {
  const { method = 'GET', body, headers = {} } = options
  const [first] = addresses
  return await new Promise<Hop>((resolve, reject) => {
    const fail = (message: string): void => reject(new OutboundFailed(message))
    const make = url.protocol === 'https:' ? httpsRequest : httpRequest
    const request = make(
      url,
      {
        method,
        // A connection of its own, to the addresses that the policy has checked.
        agent: false,
        lookup: (_hostname, { all }, callback) => {
          if (all === true) callback(null, [...addresses])
          else callback(null, first.address, first.family)
        },
        headers: { 'accept-encoding': 'identity', 'user-agent': 'holdfast', connection: 'close', ...headers },
        signal,
      },
      (response) => {
        read(response, options).then(resolve, (error: unknown) => {
          response.destroy()
          reject(signal.aborted ? new OutboundFailed('it takes too long') : (error as Error))
        })
      },
    )
    // Node emits neither a response nor an error for it, and does not abort such a request any more.
    request.on('upgrade', (_response, socket) => {
      socket.destroy()
      fail('the host switches to another protocol')
    })
    request.on('error', () => fail(signal.aborted ? 'it takes too long' : 'the host does not answer'))
    request.end(body)
  })
}

async function read(response: IncomingMessage, { maxBytes, statusOnly = false }: OutboundRequest): Promise<Hop> {
  const { statusCode: status = 0, headers } = response
  const contentType = (headers['content-type'] ?? '').split(';')[0]!.trim().toLowerCase()
  const head = { status, contentType, retryAfter: headers['retry-after'] ?? null }
  const location = REDIRECTS.has(status) && !statusOnly ? (headers.location ?? null) : null
  if (statusOnly || location !== null) {
    response.destroy()
    return { answer: { ...head, body: Buffer.alloc(0) }, location }
  }
  if (headers['content-encoding'] !== undefined && headers['content-encoding'] !== 'identity')
    throw new OutboundFailed('the answer is compressed, which was not asked for')
  const tooLarge = (): Error => new OutboundFailed(`the answer is larger than ${maxBytes} bytes`)
  if (Number(headers['content-length'] ?? 0) > maxBytes) throw tooLarge()
  const chunks: Buffer[] = []
  let size = 0
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      size += chunk.length
      if (size > maxBytes) break
      chunks.push(chunk)
    }
  } catch {
    throw new OutboundFailed('the answer breaks off')
  }
  if (size > maxBytes) throw tooLarge()
  return { answer: { ...head, body: Buffer.concat(chunks) }, location: null }
}
