// Requests that clients have the service make to hosts of theirs: guarded against reaching anything that is not on the public internet,
// bounded in time and size. No proxy, no cookies, nothing of the service's own in the headers; every hop is judged anew.
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
  /** Bytes of an answer; more is a failure. */
  readonly maxBytes: number
  /** Of everything together. */
  readonly timeoutMs: number
  /** How many redirects of a GET are followed; the next is a failure. Default 0. */
  readonly redirects?: number
  /** The status is all that is asked for: nothing of the body is read, and a redirect is an answer like any other. */
  readonly statusOnly?: boolean
  /** Ends it early. */
  readonly signal?: AbortSignal
}

export interface OutboundAnswer {
  readonly status: number
  /** Without parameters, lower case; empty when absent. */
  readonly contentType: string
  readonly body: Buffer
  /** The header `Retry-After`; null when absent. */
  readonly retryAfter: string | null
}

/** What was asked for cannot be had: no answer in time, too much of it, or one that is of no use. */
export class OutboundFailed extends Error {
  override readonly name = 'OutboundFailed'
}

/** How long a name may take to resolve while somebody waits for the verdict. */
const CHECK_MS = 2_000
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])

/** All addresses, in the order of the system. */
const systemResolve: Resolve = async (hostname) =>
  (await lookup(hostname, { all: true, verbatim: true })).map(({ address, family }) => ({ address, family: family === 6 ? 6 : 4 }))

export class Outbound {
  readonly #policy: OutboundPolicy

  constructor(rules: readonly OutboundRule[], resolve: Resolve = systemResolve) {
    this.#policy = new OutboundPolicy(rules, resolve)
  }

  /** Rejects with OutboundRefused or OutboundFailed. */
  async fetch(uri: string, options: OutboundRequest): Promise<OutboundAnswer> {
    // One bound for names, connections and answers of all hops.
    const timeout = AbortSignal.timeout(options.timeoutMs)
    const signal = options.signal === undefined ? timeout : AbortSignal.any([timeout, options.signal])
    let url = parsed(uri)
    for (let left = options.redirects ?? 0; ; left -= 1) {
      const addresses = await within(signal, this.#policy.addressesOf(url))
      const { answer, location } = await ask(url, addresses, options, signal)
      if (location === null) return answer
      if (left <= 0) throw new OutboundFailed(options.redirects === undefined ? 'it is redirected' : 'it is redirected too often')
      url = parsed(location, url)
    }
  }

  /**
   * Whether the policy lets this be asked for, as far as can be told without asking. A name is judged at each request: an answer here that
   * depended on where it leads would tell which names there are inside. Rejects with OutboundRefused.
   */
  async check(uri: string): Promise<void> {
    const url = parsed(uri)
    if (this.#policy.isUsual(url) && this.#policy.isName(url)) return
    try {
      await within(AbortSignal.timeout(CHECK_MS), this.#policy.addressesOf(url))
    } catch (error) {
      throw error instanceof OutboundFailed ? new OutboundRefused(error.message) : error
    }
  }
}

function parsed(uri: string, base?: URL): URL {
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

async function ask(url: URL, addresses: readonly [Address, ...Address[]], options: OutboundRequest, signal: AbortSignal): Promise<Hop> {
  const { method = 'GET', body, headers = {} } = options
  const [first] = addresses
  return await new Promise<Hop>((resolve, reject) => {
    const fail = (message: string): void => reject(new OutboundFailed(message))
    const make = url.protocol === 'https:' ? httpsRequest : httpRequest
    const request = make(
      url,
      {
        method,
        // A connection of its own, to the addresses that were judged.
        agent: false,
        lookup: (_hostname, { all }, found) => {
          if (all === true) found(null, [...addresses])
          else found(null, first.address, first.family)
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
