// One logical request, in as many tries as it takes. It is sent again only when the transport failed, when every
// problem of the refusal says `retryable`, or when 429 or 503 says in Retry-After when to come back; always the same
// request, with the same idempotency key.
import { HoldfastError, HoldfastUnanswered, type Problem } from './errors.ts'

export interface RetryPolicy {
  /** Tries in all, the first included. */
  readonly tries: number
  /**
   * Upper bound of the wait before the second try; it doubles with each. The wait itself is drawn evenly below the
   * bound.
   */
  readonly firstWaitMs: number
  /** No wait is longer. What asks in Retry-After for a longer one is not tried again. */
  readonly longestWaitMs: number
  /** A try without a whole answer by then has failed. */
  readonly tryTimeoutMs: number
}

export const RETRIES: RetryPolicy = { tries: 6, firstWaitMs: 200, longestWaitMs: 30_000, tryTimeoutMs: 150_000 }

export type Fetch = (request: Request) => Promise<Response>

/** The whole answer, a 2xx. Throws HoldfastError, HoldfastUnanswered, or the reason of the request's own signal. */
export async function persist(fetch: Fetch, request: Request, policy: RetryPolicy): Promise<Response> {
  const key = request.headers.get('idempotency-key')
  const body = request.body === null ? null : await request.text()
  for (let tried = 1; ; tried += 1) {
    const answer = await once(fetch, request, body, policy)
    if (answer instanceof Response && answer.ok) return answer
    const error = answer instanceof Response ? await refusalOf(answer, key) : new HoldfastUnanswered(key, answer.cause)
    const waitMs = answer instanceof Response ? waitAfter(answer, error, tried, policy) : backoffMs(tried, policy)
    if (waitMs === null || tried >= policy.tries) throw error
    await pause(waitMs, request.signal)
  }
}

/** Headers and body: an answer that breaks off in the middle is none. */
async function once(
  fetch: Fetch,
  { url, method, headers, signal: asked }: Request,
  body: string | null,
  { tryTimeoutMs }: RetryPolicy,
): Promise<Response | { cause: unknown }> {
  asked.throwIfAborted()
  try {
    const signal = AbortSignal.any([asked, AbortSignal.timeout(tryTimeoutMs)])
    // The key is for this service: it is carried to no other place.
    const answer = await fetch(new Request(url, { method, headers, body, signal, redirect: 'manual' }))
    const bytes = answer.body === null ? null : await answer.arrayBuffer()
    return new Response(bytes, { status: answer.status, headers: answer.headers })
  } catch (cause) {
    asked.throwIfAborted()
    return { cause }
  }
}

async function refusalOf(response: Response, idempotencyKey: string | null): Promise<HoldfastError> {
  const { errors = [], requestId } = problemDocument(await response.text())
  return new HoldfastError(response.status, errors, requestId ?? response.headers.get('x-request-id'), idempotencyKey)
}

/** What is no problem document has no problems: something between us and the service answered. */
function problemDocument(text: string): { errors?: readonly Problem[]; requestId?: string } {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value !== 'object' || value === null) return {}
    return 'errors' in value && Array.isArray(value.errors) ? (value as { errors: readonly Problem[] }) : {}
  } catch {
    return {}
  }
}

/** Null: not again. */
function waitAfter(response: Response, error: Error, tried: number, policy: RetryPolicy): number | null {
  const asked = response.status === 429 || response.status === 503 ? askedMs(response.headers.get('retry-after')) : null
  if (asked !== null) return asked > policy.longestWaitMs ? null : asked + backoffMs(1, policy)
  return error instanceof HoldfastError && error.retryable ? backoffMs(tried, policy) : null
}

/** Seconds, or an HTTP date (RFC 9110, 10.2.3). */
function askedMs(retryAfter: string | null): number | null {
  if (retryAfter === null) return null
  if (/^\d{1,9}$/.test(retryAfter)) return Number(retryAfter) * 1000
  const at = Date.parse(retryAfter)
  return Number.isNaN(at) ? null : Math.max(0, at - Date.now())
}

/** Full jitter: clients that failed together do not come back together. */
export function backoffMs(tried: number, { firstWaitMs, longestWaitMs }: RetryPolicy): number {
  return Math.random() * Math.min(longestWaitMs, firstWaitMs * 2 ** (tried - 1))
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
