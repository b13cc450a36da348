// The live events of the session, shared by all pages: the latest events, the state of the connection, and the
// listeners.
import { followEvents, type HappenedEvent, type StreamState } from './event-stream.ts'
import { may } from './session.ts'

const KEPT = 200

type Listener = (event: HappenedEvent | null) => void

let latest: readonly HappenedEvent[] = []
let state: StreamState = 'connecting'
const listeners = new Set<Listener>()

const notify = (event: HappenedEvent | null): void => {
  for (const listener of [...listeners]) listener(event)
}

export const EventFeed = {
  /** Newest first. */
  latest: (): readonly HappenedEvent[] => latest,
  state: (): StreamState => state,

  /** @param listener called with each event, and with null when the connection has changed */
  listen(listener: Listener): () => void {
    listeners.add(listener)
    return () => void listeners.delete(listener)
  },

  /** Follows the events that this session may read, until the returned function is called. */
  follow(): () => void {
    latest = []
    if (!may('EVENTS_READ')) return () => undefined
    const control = new AbortController()
    void followEvents(
      control.signal,
      (event) => {
        latest = [event, ...latest].slice(0, KEPT)
        notify(event)
      },
      (changed) => {
        state = changed
        notify(null)
      },
    )
    return () => control.abort()
  },
}
