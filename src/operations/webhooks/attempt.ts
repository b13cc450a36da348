// One attempt to deliver one event. Only a 2xx answer counts as delivered; redirects are not followed.
import { OutboundFailed, OutboundRefused, type Outbound } from '../context/outbound/outbound.ts'
import { retryAfterMs } from './retry-schedule.ts'
import type { Message } from './message.ts'

const TIMEOUT_MS = 15_000

/** Result of an attempt. */
export interface Result {
  /** null: no answer. */
  readonly status: number | null
  /** null: delivered. */
  readonly error: string | null
  /** Delay requested by the target, ms; null: none. */
  readonly retryAfterMs: number | null
}

/** Does not reject for a fault of the target. */
export async function attemptDelivery(
  outbound: Pick<Outbound, 'fetch'>,
  url: string,
  { headers, body }: Message,
  { now, signal }: { readonly now: () => number; readonly signal: AbortSignal },
): Promise<Result> {
  try {
    const options = {
      method: 'POST',
      headers,
      body,
      maxBytes: 0,
      timeoutMs: TIMEOUT_MS,
      statusOnly: true,
      signal,
    } as const
    const { status, retryAfter } = await outbound.fetch(url, options)
    const delivered = status >= 200 && status < 300
    return { status, error: delivered ? null : `it answers ${status}`, retryAfterMs: retryAfterMs(retryAfter, now()) }
  } catch (error) {
    if (error instanceof OutboundFailed || error instanceof OutboundRefused)
      return { status: null, error: error.message, retryAfterMs: null }
    throw error
  }
}
