// The page "Events": all event types, described by the machines where possible, and how to receive events.
import { KINDS } from '../../../../machines/kinds.ts'
import { STATUS } from '../../../../machines/transactions/transaction-record.ts'
import { EVENT_TYPES } from '../../../contract/event-types.ts'
import { chartOf } from '../../../drawings/chart.ts'
import { escape } from './frame.ts'
import { markdown } from './markdown.ts'
import { documentOf } from './documents.ts'

const HAPPENED: Readonly<Record<string, string>> = {
  created: 'It exists: on chain, or as a record of what needs no creation.',
  updated: 'Something that its record shows has changed.',
  closed: 'It is gone from the chain, or was given up.',
  signature_requested:
    'A transaction of another tenant needs a signature of the organization, which accepts such requests.',
  network_activity: 'Network currency came in or went out by a transaction that is not of this service.',
}

export function eventsPage(): string {
  const rows = EVENT_TYPES.map(
    (type) => `<dt id="${escape(type)}"><code>${escape(type)}</code></dt><dd>${escape(aboutEvent(type))}</dd>`,
  )
  return `<p>Whatever changes in the records of a tenant is an event, with a sequence from 1 without gaps. Events are fetched page by page
(<code>GET /api/v1/events</code>), followed as they happen (<code>GET /api/v1/events/stream</code>), or delivered by a webhook. A
pattern like <code>account.*</code> names all that begin so.</p>
<h2 id="types">Types</h2><dl>${rows.join('')}</dl>
<h2 id="receiving">Receiving events</h2>
${markdown(documentOf('receiving-events'))}`
}

/** Description of an event type. */
export function aboutEvent(type: string): string {
  const [kind = '', what = ''] = type.split('.')
  if (kind !== 'transaction') return HAPPENED[what] ?? 'Something of it has changed.'
  const state = Object.entries(STATUS).find(([, status]) => status.toLowerCase() === what)?.[0]
  if (state === undefined) return HAPPENED[what] ?? ''
  return chartOf(KINDS.transaction.machine).root.inside.find(({ key }) => key === state)?.about ?? ''
}
