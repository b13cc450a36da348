// GET /events: the event log of the caller's tenant from a sequence on, limited to events that the caller may see.
import type { Call } from '../../contract/call.ts'
import type { EventPage, EventRecord } from '../../contract/schemas/event.ts'
import { EngineEventLog, type StoredEvent } from './log.ts'
import { isSeenBy } from './seen-by.ts'
import type { Platform, Read } from '../context/platform.ts'

export interface EventsInput {
  /** Returns events with a higher sequence. */
  readonly after: number
  readonly limit: number
}

/** Maximum number of events read for one answer. A page that is not full by then is returned incomplete. */
const MAX_READ = 20_000
const READ_AT_ONCE = 1_000

/**
 * `lastSequence` is where the caller continues: that of the last item if the page is full, else that of the last event
 * read. With a limit of 0 it is the newest sequence.
 */
async function pageOfEvents(
  platform: Pick<Platform, 'engine'>,
  call: Call,
  { after, limit }: EventsInput,
): Promise<EventPage> {
  const log = new EngineEventLog(platform.engine)
  const items: EventRecord[] = []
  if (limit === 0) return { items, lastSequence: log.lastSequence(call.tenant) }
  let reached = after
  for (let read = 0; read < MAX_READ; read += READ_AT_ONCE) {
    const events = await log.after(call.tenant, reached, READ_AT_ONCE)
    for (const event of events) {
      reached = event.sequence
      if (!isSeenBy(call, event)) continue
      items.push(recordOf(event))
      if (items.length === limit) return { items, lastSequence: reached }
    }
    if (events.length < READ_AT_ONCE) break
  }
  // A caller that asks beyond the end gets the sequence of the end.
  return { items, lastSequence: Math.min(reached, log.lastSequence(call.tenant)) }
}

export const fetchEvents: Read<EventsInput, EventPage> = async ({ platform, call }, input) => {
  const { items, lastSequence } = await pageOfEvents(platform, call, input)
  return { items, lastSequence }
}

function recordOf({ seenBy: _seenBy, ...event }: StoredEvent): EventRecord {
  return event
}
