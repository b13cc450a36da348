// Follows events: over a stream where there is one, otherwise page by page. The sequence of the last event that was
// returned is kept here, and every connection continues after it: no event is missed or repeated, however often the
// connection breaks.
import { parseAnswer } from './amounts.ts'
import { backoffMs, pause, type Addresses, type Fetch, type RetryPolicy } from './retries.ts'
import { messages } from './server-sent.ts'
import type { Event } from './types.ts'

export interface FollowOptions {
  /** Events with a higher sequence; absent: those that happen from now on. */
  readonly after?: number
  readonly signal?: AbortSignal
}

export interface Source {
  readonly addresses: Pick<Addresses, 'current'>
  readonly headers: Readonly<Record<string, string>>
  readonly clusterId: string | undefined
  readonly fetch: Fetch
  readonly policy: RetryPolicy
  /** A call of the client, with its attempts. */
  page(path: string, query: Record<string, unknown>): Promise<unknown>
}

interface Page {
  readonly items: readonly Event[]
  readonly lastSequence: number
}

/** The service sends a heartbeat every 15 seconds; a connection that is silent for longer is broken. */
const SILENT_MS = 45_000

export async function* follow(
  source: Source,
  { after, signal }: FollowOptions = {},
): AsyncGenerator<Event, void, void> {
  try {
    // The present end of the log: a connection that breaks before its first event must not skip later ones.
    let last = after ?? ((await source.page('/events', { limit: 0 })) as Page).lastSequence
    for (let failures = 0; ; failures += 1) {
      for await (const event of streamed(source, last, signal)) {
        last = event.sequence
        failures = 0
        yield event
      }
      signal?.throwIfAborted()
      // No stream, or no longer one. A page request shows whether the service is away or refuses.
      const { items, lastSequence } = (await source.page('/events', { after: last })) as Page
      // The log ends earlier than what was read of it after the service was restored from a backup.
      last = Math.min(last, lastSequence)
      for (const event of items) {
        last = event.sequence
        yield event
      }
      if (items.length === 0) await pause(backoffMs(Math.min(failures, 6) + 1, source.policy), signal)
    }
  } catch (error) {
    if (signal?.aborted !== true) throw error
  }
}

/** Ends with the connection, whatever the reason, and at once if no stream can be opened. */
async function* streamed(
  { addresses, headers, clusterId, fetch }: Source,
  after: number,
  signal?: AbortSignal,
): AsyncGenerator<Event, void, void> {
  const silence = new AbortController()
  const watch = setTimeout(() => silence.abort(), SILENT_MS)
  const query = clusterId === undefined ? '' : `?chainClusterId=${encodeURIComponent(clusterId)}`
  try {
    const response = await fetch(
      new Request(`${addresses.current}/api/v1/events/stream${query}`, {
        headers: { ...headers, accept: 'text/event-stream', 'last-event-id': String(after) },
        signal: signal === undefined ? silence.signal : AbortSignal.any([signal, silence.signal]),
        redirect: 'manual',
      }),
    )
    const isStream = response.ok && response.headers.get('content-type')?.startsWith('text/event-stream') === true
    if (!isStream || response.body === null) return await response.body?.cancel()
    for await (const data of messages(response.body, () => watch.refresh())) yield parseAnswer(data) as Event
  } catch {
    // The caller continues after the last event.
  } finally {
    clearTimeout(watch)
    silence.abort()
  }
}
