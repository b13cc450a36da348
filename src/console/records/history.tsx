// The events of a record. The log covers the whole tenant, so it is searched page by page from its end.
import type { VNode } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { fetchEvents } from '../api.ts'
import { Details } from './details.tsx'
import type { HappenedEvent } from '../event-stream.ts'
import { Problems } from '../loading.tsx'
import { may } from '../session.ts'
import { Text, Time, grouped } from '../text.tsx'
import { isObject } from '../value.ts'

const AT_ONCE = 1_000
const PARTS_AT_ONCE = 5

interface Found {
  readonly events: readonly HappenedEvent[]
  /** All events after this sequence were searched; null: none yet. */
  readonly reached: number | null
}

const NOTHING: Found = { events: [], reached: null }

export function History({ offchainId, round }: { offchainId: string; round: number }): VNode | null {
  const [found, setFound] = useState<Found>(NOTHING)
  const [error, setError] = useState<unknown>(null)
  const [busy, setBusy] = useState(false)
  const allowed = may('EVENTS_READ')

  const further = async (from: Found, signal?: AbortSignal): Promise<void> => {
    setBusy(true)
    setError(null)
    try {
      const next = await searchEarlier(offchainId, from, signal)
      if (signal?.aborted !== true) setFound(next)
    } catch (problem) {
      if (signal?.aborted !== true) setError(problem)
    }
    setBusy(false)
  }

  useEffect(() => {
    if (!allowed) return
    const control = new AbortController()
    void further(NOTHING, control.signal)
    return () => control.abort()
  }, [offchainId, round])

  if (!allowed) return null
  const { events, reached } = found
  return (
    <section aria-labelledby="history-title">
      <h2 id="history-title">History</h2>
      {error !== null && <Problems error={error} />}
      {events.length === 0 && reached !== null && <p class="quiet">No event of it was found.</p>}
      <ol class="history">
        {events.map((event) => (
          <li key={event.sequence}>
            <Time>{event.at}</Time> <strong>{event.type.replace(/[._]/g, ' ')}</strong>
            <Changes of={event.data} />
          </li>
        ))}
      </ol>
      {reached !== null && reached > 0 && (
        <button type="button" disabled={busy} onClick={() => void further(found)}>
          {busy ? 'Searching…' : `Search earlier events (${grouped(String(reached))} are left)`}
        </button>
      )}
    </section>
  )
}

function Changes({ of }: { of: unknown }): VNode | null {
  if (!isObject(of) || Object.keys(of).length === 0) return null
  return (
    <details class="branch">
      <summary>
        <Text>{Object.keys(of).join(', ')}</Text>
      </summary>
      <Details of={of} />
    </details>
  )
}

/** Searches the next pages, going back from the last one. */
async function searchEarlier(offchainId: string, { events, reached }: Found, signal?: AbortSignal): Promise<Found> {
  let until = reached ?? Number((await fetchEvents(0, 0, signal))['lastSequence'])
  let found = [...events]
  for (let part = 0; part < PARTS_AT_ONCE && until > 0; part += 1) {
    const after = Math.max(0, until - AT_ONCE)
    const page = (await fetchEvents(after, until - after, signal)) as unknown as { items: readonly HappenedEvent[] }
    const here = page.items.filter((event) => event.sequence <= until && event.resource.offchainId === offchainId)
    found = [...found, ...here.toReversed()]
    until = after
  }
  return { events: found, reached: until }
}
