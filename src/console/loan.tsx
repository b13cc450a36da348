// How a loan stands: its health between where it becomes liquidatable and no debt at all, and the interest as the service itself estimates
// it for instants from now to the end of the term.
import type { VNode } from 'preact'
import { read, type Answer } from './api.ts'
import { Chart, type Point } from './chart.tsx'
import { shifted } from './cell.tsx'
import { Loading, useLoaded } from './loading.tsx'
import { Amount } from './text.tsx'
import { at, listAt, textAt } from './value.ts'

const POINTS = 9
/** Where no term ends: so far is looked ahead. */
const AHEAD_MS = 30 * 86_400_000
/** Hundred percent, in hundredths of a basis point. */
const WHOLE = 1_000_000

export function LoanFigures({ id, item }: { id: string; item: Answer }): VNode {
  return (
    <>
      <Health item={item} />
      {listAt(item, 'borrowedItems').length > 0 && item['status'] === 'OPEN' && <Interest id={id} item={item} />}
    </>
  )
}

function Health({ item }: { item: Answer }): VNode {
  const health = at(item, 'health')
  const ltv = at(item, 'currentLoanToValue')
  const borrowed = listAt(item, 'borrowedItems')[0]
  const marks = [
    ['may be borrowed up to', at(borrowed, 'loanToValueRatio')],
    ['becomes liquidatable at', at(borrowed, 'liquidationRatio')],
  ] as const
  return (
    <section aria-labelledby="health-title" class="card">
      <h2 id="health-title">Health</h2>
      {typeof health !== 'number' ? (
        <p class="quiet">No price is known for all of it, so nobody can say.</p>
      ) : (
        <>
          <p class="figure">
            {percent(health)} <span class="quiet">healthy</span>
          </p>
          <meter min={0} max={WHOLE} low={250_000} high={500_000} optimum={WHOLE} value={health} aria-labelledby="health-title">
            {percent(health)}
          </meter>
        </>
      )}
      <dl class="pairs">
        <div>
          <dt>Loan to value now</dt>
          <dd>{typeof ltv === 'number' ? percent(ltv) : '–'}</dd>
        </div>
        {marks.map(([label, value]) => (
          <div key={label}>
            <dt>It {label}</dt>
            <dd>{typeof value === 'number' ? percent(value) : '–'}</dd>
          </div>
        ))}
        {typeof at(borrowed, 'apy') === 'number' && (
          <div>
            <dt>Rate of interest a year</dt>
            <dd>{percent(at(borrowed, 'apy') as number)}</dd>
          </div>
        )}
      </dl>
    </section>
  )
}

function Interest({ id, item }: { id: string; item: Answer }): VNode {
  const points = useLoaded(
    `${id} ${textAt(item, 'borrowedItems.0.lastInterestUpdateTime') ?? ''}`,
    async (signal) => await estimates(id, item, signal),
  )
  return (
    <section aria-labelledby="interest-title" class="card">
      <h2 id="interest-title">Interest to come</h2>
      <Loading of={points}>
        {points.value !== null && (
          <>
            <Chart points={points.value} label="Estimated interest from now on" />
            <details class="branch">
              <summary>The same as a table</summary>
              <table class="rows" aria-label="Estimated interest">
                <thead>
                  <tr>
                    <th scope="col">At</th>
                    <th scope="col" class="number">
                      Interest
                    </th>
                  </tr>
                </thead>
                <tbody>
                  {points.value.map(({ at: instant, value }) => (
                    <tr key={instant}>
                      <th scope="row" data-label="At">
                        {instant.slice(0, 19).replace('T', ' ')}
                      </th>
                      <td data-label="Interest" class="number">
                        <Amount>{value}</Amount>
                      </td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </details>
          </>
        )}
      </Loading>
    </section>
  )
}

/** What the service says will be owed, of the first debt. */
async function estimates(id: string, item: Answer, signal: AbortSignal): Promise<Point[]> {
  const from = Date.now()
  const ends = Date.parse(textAt(listAt(item, 'borrowedItems')[0], 'endTime') ?? '')
  const until = ends > from ? ends : from + AHEAD_MS
  const instants = Array.from({ length: POINTS }, (_, index) =>
    new Date(from + Math.round(((until - from) * index) / (POINTS - 1))).toISOString(),
  )
  return await Promise.all(
    instants.map(async (instant) => {
      const loan = await read('/loans/single', { escrow: { offchainId: id }, computeEstimatedInterestUntil: instant }, signal)
      return { at: instant, value: textAt(listAt(loan, 'borrowedItems')[0], 'estimatedInterest') ?? '0' }
    }),
  )
}

/** Of hundredths of a basis point: 1000000 is 100 %. */
function percent(parts: number): string {
  return `${shifted(String(Math.trunc(parts)), 4)} %`
}
