// Events as they happen. Screen readers announce the number of new events, not each of them.
import type { VNode } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { Badge } from '../badge.tsx'
import { Details } from '../records/details.tsx'
import { EventFeed } from '../event-feed.ts'
import type { HappenedEvent } from '../event-stream.ts'
import { Heading } from '../records/heading.tsx'
import { PLACES_OF_KINDS } from '../kinds.ts'
import { href } from '../route.ts'
import { Id, Text, Time } from '../text.tsx'
import { isObject } from '../value.ts'

const ANNOUNCE_EVERY_MS = 3_000

export function EventsPage(): VNode {
  const [events, setEvents] = useState(EventFeed.latest())
  const [, redraw] = useState({})
  const [paused, setPaused] = useState(false)
  const [only, setOnly] = useState('')
  useEffect(() => {
    if (paused) return
    setEvents(EventFeed.latest())
    return EventFeed.listen((event) => (event === null ? redraw({}) : setEvents(EventFeed.latest())))
  }, [paused])
  const shown = only === '' ? events : events.filter(({ type }) => type.startsWith(`${only}.`))
  const kinds = [...new Set(events.map(({ resource }) => resource.kind))].sort()
  return (
    <>
      <Heading badges={<Connection />}>Live events</Heading>
      <div class="turner" role="group" aria-label="What is shown">
        <button type="button" aria-pressed={paused} onClick={() => setPaused(!paused)}>
          {paused ? 'Go on' : 'Pause'}
        </button>
        <label>
          Only{' '}
          <select value={only} onChange={(event) => setOnly(event.currentTarget.value)}>
            <option value="">all kinds</option>
            {kinds.map((kind) => (
              <option key={kind}>{kind}</option>
            ))}
          </select>
        </label>
        <NewestEvent count={events.length === 0 ? 0 : (events[0]?.sequence ?? 0)} />
      </div>
      {shown.length === 0 && (
        <p class="quiet nothing">Nothing has happened since you came. It shows here when it does.</p>
      )}
      <ol class="history live">
        {shown.map((event) => (
          <Happened key={event.sequence} event={event} />
        ))}
      </ol>
    </>
  )
}

export function Connection(): VNode {
  const [state, setState] = useState(EventFeed.state())
  useEffect(() => {
    // It may have changed between the drawing of the page and now.
    setState(EventFeed.state())
    return EventFeed.listen(() => setState(EventFeed.state()))
  }, [])
  return (
    <Badge tone={state === 'live' ? 'good' : 'wait'}>
      {state === 'live' ? 'live' : state === 'away' ? 'connection lost' : 'connecting'}
    </Badge>
  )
}

export function Happened({ event }: { event: HappenedEvent }): VNode {
  const place = PLACES_OF_KINDS[event.resource.kind]
  const { offchainId } = event.resource
  return (
    <li>
      <Time>{event.at}</Time> <strong>{event.type.replace(/[._]/g, ' ')}</strong>{' '}
      <Id to={place === undefined ? undefined : href(place, offchainId)}>{offchainId}</Id>
      {isObject(event.data) && Object.keys(event.data).length > 0 && (
        <details class="branch">
          <summary>
            <Text>{Object.keys(event.data).join(', ')}</Text>
          </summary>
          <Details of={event.data} />
        </details>
      )}
    </li>
  )
}

/** Announces the number of the newest event to screen readers, at most once in an interval. */
function NewestEvent({ count }: { count: number }): VNode {
  const [shown, setShown] = useState(count)
  useEffect(() => {
    const timer = setTimeout(() => setShown(count), ANNOUNCE_EVERY_MS)
    return () => clearTimeout(timer)
  }, [count])
  return (
    <span role="status" class="quiet">
      {shown === 0 ? '' : `newest event: number ${shown}`}
    </span>
  )
}
