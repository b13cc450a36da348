// The progress of a batch: the number of its items in each state, and each item with its transaction.
import type { VNode } from 'preact'
import { useEffect } from 'preact/hooks'
import { bulk, type Answer } from '../api.ts'
import { Rows } from '../pages/list-page.tsx'
import { addressOf, type Condition } from '../pages/list-query.ts'
import { Loading, useLoaded } from '../loading.tsx'
import { resourceNamed } from '../resources.ts'
import { grouped } from '../text.tsx'
import { textAt } from '../value.ts'

const SHOWN = 50
const POLL_MS = 2_000
const RUNS = new Set(['WAITING', 'UNDER_WAY'])
const COUNTS = [
  ['doneCount', 'done', 'DONE'],
  ['underWayCount', 'under way', 'UNDER_WAY'],
  ['waitingCount', 'waiting', 'WAITING'],
  ['failedCount', 'failed', 'FAILED'],
  ['cancelledCount', 'cancelled', 'CANCELLED'],
] as const

export function BatchProgress({ id, item, round, again }: ProgressProps): VNode {
  const items = resourceNamed('items')!
  const isRunning = RUNS.has(textAt(item, 'status') ?? '')
  useEffect(() => {
    if (!isRunning) return
    const timer = setTimeout(again, POLL_MS)
    return () => clearTimeout(timer)
  }, [isRunning, round])
  const page = useLoaded(`${id} ${round}`, async (signal) => {
    const filter = [{ fieldName: 'batchOffchainId', filterValues: [{ filterType: 'EQUALS', valueString: id }] }]
    return await bulk(items.path, { filter, limit: SHOWN }, signal)
  })
  const total = Number(textAt(item, 'itemsCount') ?? 0)
  const ended = total - Number(textAt(item, 'waitingCount') ?? 0) - Number(textAt(item, 'underWayCount') ?? 0)
  const listOf = (status: string | null): string => {
    const equal = (field: string, value: string): Condition => ({ field, filterType: 'EQUALS', value, to: '' })
    const conditions = [equal('batchOffchainId', id), ...(status === null ? [] : [equal('status', status)])]
    return addressOf({ parts: ['items'], query: new URLSearchParams() }, { conditions, sort: null, page: 1, size: 50 })
  }
  return (
    <section aria-labelledby="progress-title">
      <h2 id="progress-title">Items</h2>
      <p role="status">
        {grouped(String(ended))} of {grouped(String(total))} have ended.
      </p>
      <progress max={total} value={ended} aria-labelledby="progress-title" />
      <ul class="plain lanes">
        {COUNTS.map(([member, title, status]) => (
          <li key={member}>
            <a href={listOf(status)}>
              <strong>{grouped(textAt(item, member) ?? '–')}</strong> {title}
            </a>
          </li>
        ))}
      </ul>
      <Loading of={page}>
        {page.value !== null && (
          <Rows resource={items} page={page.value} query={{ conditions: [], sort: null, page: 1, size: SHOWN }} />
        )}
      </Loading>
      {total > SHOWN && (
        <p>
          <a href={listOf(null)}>All {grouped(String(total))} of them</a>
        </p>
      )}
    </section>
  )
}

interface ProgressProps {
  readonly id: string
  readonly item: Answer
  readonly round: number
  readonly again: () => void
}
