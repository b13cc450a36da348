// One logical request in as many attempts as it takes. It is repeated only if the transport failed, if every problem of
// the refusal is `retryable`, if a 429 or 503 has Retry-After, if one node of the service had no answer from another
// (504 OUTCOME_UNKNOWN), or if a host before the service answered in its place (5xx without problems). Every
// attempt is the same request with the same idempotency key.
import { HoldfastError, HoldfastUnanswered, type Problem } from './errors.ts'

export interface RetryPolicy {
  /** Number of attempts, including the first. */
  readonly tries: number
  /**
   * Upper bound of the wait before the second attempt; it doubles with each. The wait is uniformly distributed over the
   * upper half of the bound.
   */
  readonly firstWaitMs: number
  /** The longest wait. A call whose Retry-After is longer is not repeated. */
  readonly longestWaitMs: number
  /**
   * An attempt without a complete answer by then has failed. With several addresses, the default is the wait that the
   * call requests plus 20 seconds.
   */
  readonly tryTimeoutMs: number
}

/** The waits outlast the failover of a service of several nodes: 12.7 s at least. */
export const RETRIES: RetryPolicy = { tries: 8, firstWaitMs: 200, longestWaitMs: 30_000, tryTimeoutMs: 150_000 }

/** How long a service waits by default for a transaction. */
const USUAL_WAIT_MS = 10_000
const BEYOND_WAIT_MS = 20_000

/** Placeholder in the URL of a request before its address is chosen. */
export const NO_ADDRESS = 'http://service.invalid'

/** The addresses of one service. Calls go to the one that answered last. */
export class Addresses {
  readonly #urls: readonly string[]
  #at = 0

  constructor(urls: string | readonly string[]) {
    this.#urls = (typeof urls === 'string' ? [urls] : urls).map((url) => url.replace(/\/+$/, ''))
    if (this.#urls.length === 0) throw new RangeError('the client needs the URL of a service')
  }

  get current(): string {
    return this.#urls[this.#at]!
  }

  get areSeveral(): boolean {
    return this.#urls.length > 1
  }

  /** Moves on from an address that did not answer; calls that fail at the same time do it once. */
  leave(url: string): void {
    if (url === this.current) this.#at = (this.#at + 1) % this.#urls.length
  }
}

/** Another address of the service may answer instead. */
const GONE: ReadonlySet<number> = new Set([502, 503, 504])

export type Fetch = (request: Request) => Promise<Response>

export interface Attempts {
  readonly fetch: Fetch
  readonly addresses: Addresses
  readonly policy: RetryPolicy
  /** The idempotency key of a call that writes, of its header or its body; null otherwise. */
  readonly key: string | null
}

/**
 * The whole answer, a 2xx. Throws HoldfastError, HoldfastUnanswered, or the reason of the request's own signal. For a
 * call that writes, HoldfastUnanswered has precedence after an attempt that may have had its effect: over a refusal,
 * because the service refuses an API key or too many requests before it looks up the idempotency key, and over the
 * reason of the signal, which does not have the key.
 *
 * @param request to NO_ADDRESS
 */
export async function persist({ fetch, addresses, policy, key }: Attempts, request: Request): Promise<Response> {
  const { signal } = request
  signal.throwIfAborted()
  const body = request.body === null ? null : await request.text()
  let mayHaveEffect = false
  for (let tried = 1; ; tried += 1) {
    const address = addresses.current
    const answer = await once(fetch, address, request, { body, retryPolicy: policy })
    if (answer instanceof Response && answer.ok) return answer
    if (!(answer instanceof Response) || GONE.has(answer.status)) addresses.leave(address)
    const error = answer instanceof Response ? await errorOf(answer, key) : new HoldfastUnanswered(key, answer.cause)
    const waitMs = answer instanceof Response ? waitAfter(answer, error, tried, policy) : backoffMs(tried, policy)
    mayHaveEffect ||= !(answer instanceof Response) || answer.status >= 500
    const thrown = (reason: unknown): unknown => (mayHaveEffect && key !== null ? uncertain(reason, key) : reason)
    if (signal.aborted) throw thrown(signal.reason)
    if (waitMs === null || tried >= policy.tries) throw thrown(error)
    await pause(waitMs, signal).catch((reason: unknown) => {
      throw thrown(reason)
    })
  }
}

/** After an attempt that may have had its effect. */
function uncertain(reason: unknown, key: string): unknown {
  const isUnknown = reason instanceof HoldfastUnanswered || (reason instanceof HoldfastError && reason.status >= 500)
  return isUnknown ? reason : new HoldfastUnanswered(key, reason)
}

/** Headers and body: an interrupted answer is no answer. */
async function once(
  fetch: Fetch,
  address: string,
  { url, method, headers, signal: asked }: Request,
  { body, retryPolicy: { tryTimeoutMs } }: { readonly body: string | null; readonly retryPolicy: RetryPolicy },
): Promise<Response | { cause: unknown }> {
  try {
    const signal = AbortSignal.any([asked, AbortSignal.timeout(tryTimeoutMs)])
    // A redirect would carry the API key to another host.
    const answer = await fetch(
      new Request(address + url.slice(NO_ADDRESS.length), { method, headers, body, signal, redirect: 'manual' }),
    )
    const bytes = answer.body === null ? null : await answer.arrayBuffer()
    return new Response(bytes, { status: answer.status, headers: answer.headers })
  } catch (cause) {
    return { cause }
  }
}

async function errorOf(response: Response, key: string | null): Promise<HoldfastError | HoldfastUnanswered> {
  const { errors = [], requestId } = problemDocument(await response.text())
  const error = new HoldfastError(response.status, errors, requestId ?? response.headers.get('x-request-id'), key)
  // The service always names the problem. Another host does not know whether the service took the call.
  return response.status >= 500 && errors.length === 0 ? new HoldfastUnanswered(key, error) : error
}

/** No problems if the answer is not a problem document: a host between client and service answered. */
function problemDocument(text: string): { errors?: readonly Problem[]; requestId?: string } {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value !== 'object' || value === null || !('errors' in value)) return {}
    const isDocument = Array.isArray(value.errors) && value.errors.every(isProblem)
    return isDocument ? (value as { errors: readonly Problem[] }) : {}
  } catch {
    return {}
  }
}

function isProblem(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'code' in value && typeof value.code === 'string'
}

/** null: not repeated. */
function waitAfter(response: Response, error: Error, tried: number, policy: RetryPolicy): number | null {
  const asked = response.status === 429 || response.status === 503 ? askedMs(response.headers.get('retry-after')) : null
  if (asked !== null) return asked > policy.longestWaitMs ? null : asked + backoffMs(1, policy)
  if (!(error instanceof HoldfastError)) return backoffMs(tried, policy)
  const isUnknown = response.status === 504 && error.has('OUTCOME_UNKNOWN')
  return error.retryable || isUnknown ? backoffMs(tried, policy) : null
}

/** Seconds, or an HTTP date (RFC 9110, 10.2.3). */
function askedMs(retryAfter: string | null): number | null {
  if (retryAfter === null) return null
  if (/^\d{1,9}$/.test(retryAfter)) return Number(retryAfter) * 1000
  const at = Date.parse(retryAfter)
  return Number.isNaN(at) ? null : Math.max(0, at - Date.now())
}

/** Randomized, so that clients that failed together do not return together, and none of them too soon. */
export function backoffMs(tried: number, { firstWaitMs, longestWaitMs }: RetryPolicy): number {
  return (0.5 + Math.random() / 2) * Math.min(longestWaitMs, firstWaitMs * 2 ** (tried - 1))
}

/** How long a call may take, by what it asks to wait (`Prefer`). */
export function tryTimeoutOf(prefer: string | null): number {
  const seconds = /\bwait=(\d{1,3})\b/.exec(prefer ?? '')?.[1]
  return (seconds === undefined ? USUAL_WAIT_MS : Number(seconds) * 1_000) + BEYOND_WAIT_MS
}

/** Throws the reason of the signal when it is aborted. */
export function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer)
      reject(signal?.reason as Error)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop)
      resolve()
    }, ms)
    if (signal?.aborted) stop()
    signal?.addEventListener('abort', stop, { once: true })
  })
}
