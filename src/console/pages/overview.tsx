// The first page: health, what waits for a person, transactions with an unknown outcome, the transactions that have
// been open longest, and record counts.
import type { ComponentChildren, VNode } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { beside, bulk, count, type Filter } from '../api.ts'
import { Badge } from '../badge.tsx'
import { stopsOf } from '../banner.tsx'
import { EventFeed } from '../event-feed.ts'
import { Connection, Happened } from './events-page.tsx'
import { Heading } from '../records/heading.tsx'
import { Lanes } from '../lanes.tsx'
import { Rows } from './list-page.tsx'
import { addressOf } from './list-query.ts'
import { Loading } from '../loading.tsx'
import { RESOURCES, resourceNamed } from '../resources.ts'
import { useRound, useRounds } from '../rounds.ts'
import { href } from '../route.ts'
import { current, may } from '../session.ts'
import { Switches, useSwitches } from '../switches.ts'
import { Tenants } from '../tenants.tsx'
import { grouped, Text } from '../text.tsx'
import { isObject } from '../value.ts'

const EVENTS_SHOWN = 6
const OLDEST_SHOWN = 5
const DAY_MS = 86_400_000

export function Overview(): VNode {
  const round = useRounds()
  return (
    <>
      <Heading>Overview</Heading>
      <Health round={round} />
      {may('TRANSACTIONS_READ') && <Work round={round} />}
      <Totals round={round} />
      {may('PLATFORM_ADMIN', 'TENANT_ADMIN') && <Tenants round={round} />}
      {may('PLATFORM_ADMIN') && <Lanes round={round} />}
      {may('EVENTS_READ') && <Latest />}
    </>
  )
}

function Health({ round }: { round: number }): VNode {
  const ready = useRound(
    'ready',
    round,
    async (signal) => (await (await beside('/readyz', signal)).json()) as { status: string; checks: unknown },
  )
  const checks = isObject(ready.value?.checks) ? Object.entries(ready.value.checks) : []
  return (
    <section aria-labelledby="ready-title">
      <h2 id="ready-title">Health</h2>
      <Loading of={ready}>
        <ul class="plain checks">
          <InForceNow />
          {checks.map(([name, said]) => (
            <li key={name}>
              <Badge tone={said === 'ok' ? 'good' : 'bad'}>{name}</Badge>
              {said !== 'ok' && (
                <>
                  {' '}
                  <Text>{String(said)}</Text>
                </>
              )}
            </li>
          ))}
        </ul>
      </Loading>
    </section>
  )
}

/** Freezes and suspensions are part of health: a service that signs nothing is not healthy. */
function InForceNow(): VNode | null {
  useSwitches()
  const inForce = Switches.now()
  if (inForce === null) return null
  const stops = stopsOf(inForce)
  return (
    <li>
      <Badge tone={stops.length === 0 ? 'good' : 'bad'}>{stops.length === 0 ? 'signing and sending' : 'stopped'}</Badge>
      {stops.map((line) => (
        <span key={line}>
          {' '}
          <Text>{line}</Text>
        </span>
      ))}
    </li>
  )
}

const inStates = (...states: readonly string[]): Filter => ({
  fieldName: 'status',
  filterValues: [{ filterType: 'IN', valuesString: states }],
})

function lastDay(): Filter {
  const since = new Date(Math.floor(Date.now() / 60_000) * 60_000 - DAY_MS).toISOString()
  return { fieldName: 'preparedAt', filterValues: [{ filterType: 'GREATER_THAN_OR_EQUAL', valueString: since }] }
}

interface Pile {
  readonly title: string
  readonly says: string
  readonly states: readonly string[]
  readonly recent?: boolean
}

const PILES: readonly Pile[] = [
  { title: 'Wait to be signed', says: 'prepared: for an approval, or for Sign', states: ['PREPARED'] },
  { title: 'Wait for signatures', says: 'signed in part', states: ['PARTIALLY_SIGNED'] },
  { title: 'Wait for Submit', says: 'signed, and not sent', states: ['SIGNED'] },
  { title: 'Outcome unknown', says: 'sent, and not confirmed', states: ['SUBMITTED', 'PROCESSED'] },
  {
    title: 'Ended badly',
    says: 'in the last day',
    states: ['BLOCKCHAIN_ERROR', 'NON_BLOCKCHAIN_ERROR', 'EXPIRED'],
    recent: true,
  },
]

function Work({ round }: { round: number }): VNode {
  const transactions = resourceNamed('transactions')!
  const oldest = useRound('oldest', round, async (signal) => {
    const filter = [inStates('PREPARED', 'PARTIALLY_SIGNED', 'SIGNED', 'SUBMITTED', 'PROCESSED')]
    return await bulk(
      transactions.path,
      { filter, sort: [{ fieldName: 'preparedAt', sortDirection: 'ASC' }], limit: OLDEST_SHOWN },
      signal,
    )
  })
  return (
    <section aria-labelledby="work-title">
      <h2 id="work-title">Transactions</h2>
      <ul class="plain figures">
        {PILES.map((pile) => (
          <Counted key={pile.title} pile={pile} round={round} />
        ))}
      </ul>
      <h3>Open the longest</h3>
      <Loading of={oldest}>
        {oldest.value !== null && (
          <Rows resource={transactions} page={oldest.value} query={{ conditions: [], sort: null, page: 1, size: 50 }} />
        )}
      </Loading>
    </section>
  )
}

function Counted({ pile: { title, says, states, recent = false }, round }: { pile: Pile; round: number }): VNode {
  const number = useRound(
    title,
    round,
    async (signal) =>
      await count('/transactions/bulk/identifiers', [inStates(...states), ...(recent ? [lastDay()] : [])], signal),
  )
  const conditions = [{ field: 'status', filterType: 'IN', value: states.join(', '), to: '' }]
  const to = addressOf(
    { parts: ['transactions'], query: new URLSearchParams() },
    { conditions, sort: null, page: 1, size: 50 },
  )
  return (
    <Figure
      to={to}
      title={title}
      says={says}
      tone={number.value === null || number.value === 0 ? 'none' : recent ? 'bad' : 'wait'}
    >
      {number.value === null ? '…' : grouped(String(number.value))}
    </Figure>
  )
}

function Figure({
  to,
  title,
  says,
  tone,
  children,
}: {
  to: string
  title: string
  says?: string
  tone: string
  children: ComponentChildren
}): VNode {
  return (
    <li class={`figure-card ${tone}`}>
      <a href={to}>
        <span class="title">{title}</span>
        <span class="number">{children}</span>
        {says !== undefined && <span class="quiet small">{says}</span>}
      </a>
    </li>
  )
}

function Totals({ round }: { round: number }): VNode | null {
  const shown = RESOURCES.filter(({ roles, name }) => may(...roles) && name !== 'audit')
  const acting = current()?.scope.organization ?? current()?.identity.organizationExternalId ?? ''
  if (shown.length === 0) return <p class="quiet">This key may list nothing.</p>
  return (
    <section aria-labelledby="totals-title">
      <h2 id="totals-title">
        Records of <Text>{acting}</Text>
      </h2>
      <ul class="plain figures small-figures">
        {shown.map(({ name, title, path }) => (
          <Total key={name} name={name} title={title} path={path} round={round} />
        ))}
      </ul>
    </section>
  )
}

function Total({ name, title, path, round }: { name: string; title: string; path: string; round: number }): VNode {
  const number = useRound(name, round, async (signal) => await count(path, [], signal))
  return (
    <Figure to={href(name)} title={title} tone="none">
      {number.error !== null ? '–' : number.value === null ? '…' : grouped(String(number.value))}
    </Figure>
  )
}

function Latest(): VNode {
  const [events, setEvents] = useState(EventFeed.latest())
  useEffect(() => EventFeed.listen(() => setEvents([...EventFeed.latest()])), [])
  return (
    <section aria-labelledby="latest-title">
      <h2 id="latest-title">
        Live events <Connection />
      </h2>
      {events.length === 0 && <p class="quiet">Nothing has happened since you came.</p>}
      <ol class="history live">
        {events.slice(0, EVENTS_SHOWN).map((event) => (
          <Happened key={event.sequence} event={event} />
        ))}
      </ol>
      <p>
        <a href={href('events')}>All live events</a>
      </p>
    </section>
  )
}
