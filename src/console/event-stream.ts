// Server-sent events over fetch, which can send the key in a header; the browser's own EventSource cannot. Reconnects by itself and goes on
// after the last event that came.
import { openEventStream } from './api.ts'

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

/** Ends when the signal is aborted, and for good when the service refuses. */
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
    try {
      const response = await openEventStream(signal, last)
      changed('live')
      waitMs = FIRST_WAIT_MS
      for await (const event of eventsOf(response)) {
        last = event.sequence
        heard(event)
      }
    } catch {
      // The service stopped, or the network did: it is asked again.
    }
    if (over()) return
    changed('away')
    await new Promise((resolve) => setTimeout(resolve, waitMs))
    waitMs = Math.min(LONGEST_WAIT_MS, waitMs * 2)
  }
}

async function* eventsOf(response: Response): AsyncGenerator<HappenedEvent> {
  if (response.body === null) return
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
  let rest = ''
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return
    const messages = (rest + value).split('\n\n')
    rest = messages.pop() ?? ''
    for (const message of messages) {
      const data = message
        .split('\n')
        .filter((line) => line.startsWith('data:'))
        .map((line) => line.slice(5).replace(/^ /, ''))
        .join('\n')
      if (data !== '') yield JSON.parse(data) as HappenedEvent
    }
  }
}
