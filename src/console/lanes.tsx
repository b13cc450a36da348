// Transactions that are being sent, over all tenants, from the metrics of the service.
import type { VNode } from 'preact'
import { beside } from './api.ts'
import { Loading } from './loading.tsx'
import { useRound } from './rounds.ts'
import { grouped } from './text.tsx'

const GAUGES: readonly (readonly [name: string, title: string])[] = [
  ['holdfast_transactions_under_way', 'watched, not final'],
  ['holdfast_lanes_queued_transactions', 'wait for their turn'],
  ['holdfast_lanes_in_flight_transactions', 'handed to an endpoint'],
  ['holdfast_lanes_held_transactions', 'held by a suspension'],
  ['holdfast_lane_suspensions', 'suspensions in force'],
]

export function Lanes({ round }: { round: number }): VNode {
  const metrics = useRound('metrics', round, async (signal) =>
    gaugesOf(await (await beside('/metrics', signal)).text()),
  )
  return (
    <section aria-labelledby="lanes-title">
      <h2 id="lanes-title">Lanes</h2>
      <Loading of={metrics}>
        <ul class="plain lanes">
          {GAUGES.map(([name, title]) => (
            <li key={name}>
              <strong>{grouped(metrics.value?.get(name) ?? '–')}</strong> {title}
            </li>
          ))}
        </ul>
      </Loading>
    </section>
  )
}

/** Values of the series without labels (Prometheus text format). */
function gaugesOf(text: string): Map<string, string> {
  const rows = text.split('\n').map((line) => /^(\w+) (\S+)$/.exec(line))
  return new Map(rows.flatMap((row) => (row === null ? [] : [[row[1]!, row[2]!] as const])))
}
