// Server-sent events over fetch, which can send the API key in a header; the browser's own EventSource cannot.
// Reconnects after the last event received, also if the connection broke before the first event: no event is missed or
// repeated.
import { parseAnswer } from '../client/amounts.ts'
import { newestEvent, openEventStream } from './api.ts'

export interface HappenedEvent {
  readonly id: string
  readonly sequence: number
  readonly type: string
  readonly at: string
  readonly tenantOrganizationId: string
  readonly resource: { readonly kind: string; readonly onchainId: string | null; readonly offchainId: string }
  readonly data: unknown
}

export type StreamState = 'connecting' | 'live' | 'away'

const FIRST_WAIT_MS = 500
const LONGEST_WAIT_MS = 15_000
/** The service sends a heartbeat every 15 s: a connection that is silent for this long is broken. */
const LONGEST_SILENCE_MS = 45_000

/** Ends when the signal is aborted, or when the service refuses. */
export async function followEvents(
  signal: AbortSignal,
  heard: (event: HappenedEvent) => void,
  changed: (state: StreamState) => void,
): Promise<void> {
  let waitMs = FIRST_WAIT_MS
  let last: number | null = null
  const over = (): boolean => signal.aborted
  while (!over()) {
    changed(last === null ? 'connecting' : 'away')
    const line = new Line(signal)
    try {
      last ??= await newestEvent(line.signal)
      const response = await openEventStream(line.signal, last)
      changed('live')
      waitMs = FIRST_WAIT_MS
      for await (const event of eventsOf(response, () => line.heard())) {
        last = event.sequence
        heard(event)
      }
    } catch {
      // The service or the network failed: connect again.
    } finally {
      line.end()
    }
    if (over()) return
    changed('away')
    await wait(waitMs)
    waitMs = Math.min(LONGEST_WAIT_MS, waitMs * 2)
  }
}

/**
 * One connection. Its signal is aborted with the one given, when the browser loses its network, and after a long
 * silence.
 */
class Line {
  readonly #over = new AbortController()
  readonly signal: AbortSignal
  #silence = 0

  constructor(signal: AbortSignal) {
    this.signal = AbortSignal.any([signal, this.#over.signal])
    addEventListener('offline', () => this.end(), { signal: this.#over.signal })
    this.heard()
  }

  heard(): void {
    clearTimeout(this.#silence)
    this.#silence = setTimeout(() => this.end(), LONGEST_SILENCE_MS)
  }

  end(): void {
    clearTimeout(this.#silence)
    this.#over.abort()
  }
}

/** Ends early when the browser has a network again. */
async function wait(ms: number): Promise<void> {
  const over = new AbortController()
  await new Promise((resolve) => {
    setTimeout(resolve, ms)
    addEventListener('online', resolve, { signal: over.signal })
  })
  over.abort()
}

async function* eventsOf(response: Response, heard: () => void): AsyncGenerator<HappenedEvent> {
  if (response.body === null) return
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
  let rest = ''
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return
    heard()
    const messages = (rest + value).split('\n\n')
    rest = messages.pop() ?? ''
    for (const message of messages) {
      const data = message
        .split('\n')
        .filter((line) => line.startsWith('data:'))
        .map((line) => line.slice(5).replace(/^ /, ''))
        .join('\n')
      if (data !== '') yield parseAnswer(data) as HappenedEvent
    }
  }
}
