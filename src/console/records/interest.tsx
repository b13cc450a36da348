// The interest of each debt of a loan, as the service estimates it for instants from now to the end of the term.
import type { VNode } from 'preact'
import { read, type Answer } from '../api.ts'
import { Chart, type Point } from '../chart.tsx'
import { Loading, useLoaded } from '../loading.tsx'
import { Amount, Text } from '../text.tsx'
import { listAt, textAt } from '../value.ts'

const POINTS = 9
/** The interval shown for a debt without a term. */
const AHEAD_MS = 30 * 86_400_000

/** The label of a debt among the others of its loan: what was borrowed, otherwise the position that holds it. */
export function debtName(debt: unknown): string {
  const members = ['symbol', 'offchain.name', 'offchain.code', 'onchain.id']
  return (
    members.map((member) => textAt(debt, `accountDetails.${member}`)).find((each) => each !== null && each !== '') ?? ''
  )
}

export function Interest({ id, item }: { id: string; item: Answer }): VNode {
  const debts = listAt(item, 'borrowedItems')
  const lines = useLoaded(
    `${id} ${debts.map((debt) => textAt(debt, 'lastInterestUpdateTime') ?? '').join(' ')}`,
    async (signal) => await estimates(id, debts, signal),
  )
  return (
    <section aria-labelledby="interest-title" class="card">
      <h2 id="interest-title">Interest to come</h2>
      <Loading of={lines}>
        {lines.value?.map((points, index) => (
          <Line key={index} points={points} of={debts.length > 1 ? debtName(debts[index]) : null} />
        ))}
      </Loading>
    </section>
  )
}

/** @param of name of the debt where there are several */
function Line({ points, of }: { points: readonly Point[]; of: string | null }): VNode {
  const label = `Estimated interest${of === null ? '' : ` of ${of}`}`
  return (
    <>
      {of !== null && (
        <h3>
          <Text>{of}</Text>
        </h3>
      )}
      <Chart points={points} label={`${label} from now on`} />
      <details class="branch">
        <summary>The same as a table</summary>
        <table class="rows" aria-label={label}>
          <thead>
            <tr>
              <th scope="col">At</th>
              <th scope="col" class="number">
                Interest
              </th>
            </tr>
          </thead>
          <tbody>
            {points.map(({ at: instant, value }) => (
              <tr key={instant}>
                <th scope="row" data-label="At">
                  {instant.slice(0, 19).replace('T', ' ')} UTC
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
  )
}

/**
 * What the service says will be owed, a line for each debt: each to the end of its own term, and asked for all in one
 * go.
 */
async function estimates(id: string, debts: readonly unknown[], signal: AbortSignal): Promise<Point[][]> {
  const from = Date.now()
  const terms = debts.map((debt) => {
    const ends = Date.parse(textAt(debt, 'endTime') ?? '')
    return instantsUntil(from, ends > from ? ends : from + AHEAD_MS)
  })
  const loans = new Map(
    await Promise.all(
      [...new Set(terms.flat())].map(async (instant) => {
        const loan = await read(
          '/loans/single',
          { escrow: { offchainId: id }, computeEstimatedInterestUntil: instant },
          signal,
        )
        return [instant, loan] as const
      }),
    ),
  )
  return terms.map((instants, index) =>
    instants.map((at) => ({
      at,
      value: textAt(listAt(loans.get(at), 'borrowedItems')[index], 'estimatedInterest') ?? '0',
    })),
  )
}

function instantsUntil(from: number, until: number): string[] {
  return Array.from({ length: POINTS }, (_, index) =>
    new Date(from + Math.round(((until - from) * index) / (POINTS - 1))).toISOString(),
  )
}
