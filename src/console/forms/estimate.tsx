// What is shown before a request is sent: the records that it names, and the result of its dry run, with the fee, the
// verdict of each limit, and the simulation.
import type { VNode } from 'preact'
import type { Answer } from '../api.ts'
import { Badge, type Tone } from '../badge.tsx'
import { NETWORK_DECIMALS, NETWORK_SYMBOL, shifted } from '../cell.tsx'
import type { ReferencedRecord } from './maker.ts'
import { labelOf } from '../records/details.tsx'
import { Amount, Text } from '../text.tsx'
import { at, isObject, listAt, textAt } from '../value.ts'

const LAMPORTS = /Lamports$/

interface Outlook {
  readonly words: string
  readonly tone: Tone
}

/** What the service would do: it refuses what exceeds a limit, unless each limit exceeded has approvers. */
export function outlookOf(dryRun: Answer): Outlook {
  if (textAt(dryRun, 'simulation.error') !== null) return { words: 'It would fail', tone: 'bad' }
  const exceeded = listAt(dryRun, 'limits').filter((limit) => textAt(limit, 'verdict') === 'EXCEEDED')
  if (exceeded.length === 0) return { words: 'It can be done', tone: 'good' }
  return exceeded.every((limit) => listAt(limit, 'maxAllowedDebit.approversForOverride').length > 0)
    ? { words: 'It would wait for approval: it exceeds a limit', tone: 'wait' }
    : { words: 'It would be refused: it exceeds a limit', tone: 'bad' }
}

export function Estimate({ of }: { of: Answer }): VNode {
  const limits = listAt(of, 'limits')
  const failure = textAt(of, 'simulation.error')
  const { words, tone } = outlookOf(of)
  const figures = Object.entries(of).filter(([, value]) => typeof value === 'string' || typeof value === 'number')
  return (
    <section class="card estimate" aria-labelledby="estimate-title">
      <h2 id="estimate-title">What it would do</h2>
      <p role="status">
        <Badge tone={tone}>{words}</Badge> {failure !== null && <Text>{failure}</Text>}
      </p>
      <dl class="pairs">
        {figures.map(([name, value]) => (
          <div key={name}>
            <dt>{labelOf(name.replace(LAMPORTS, ''))}</dt>
            <dd>
              <Figure name={name} value={String(value)} />
            </dd>
          </div>
        ))}
        {isObject(at(of, 'simulation')) && (
          <div>
            <dt>Simulation</dt>
            <dd>{failure === null ? 'succeeds' : 'fails'}</dd>
          </div>
        )}
      </dl>
      {limits.length > 0 && <Limits of={limits} />}
    </section>
  )
}

/** Code, name and address of each record: the person who typed a code or a name sees whom it means. */
export function MeantRecords({ of }: { of: readonly ReferencedRecord[] }): VNode {
  return (
    <section class="card" aria-labelledby="meant-title">
      <h2 id="meant-title">The records that it names</h2>
      <dl class="pairs">
        {of.map(({ label, shown }, index) => (
          <div key={index}>
            <dt>{label}</dt>
            <dd>
              <Text>{shown}</Text>
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )
}

function Figure({ name, value }: { name: string; value: string }): VNode {
  if (!LAMPORTS.test(name)) return <Amount>{value}</Amount>
  return (
    <>
      <Amount>{shifted(value, NETWORK_DECIMALS)}</Amount> <span class="unit">{NETWORK_SYMBOL}</span>
    </>
  )
}

function Limits({ of }: { of: readonly unknown[] }): VNode {
  return (
    <table class="rows" aria-label="Limits">
      <thead>
        <tr>
          <th scope="col">Limit</th>
          <th scope="col" class="number">
            Debit
          </th>
          <th scope="col" class="number">
            Allowed
          </th>
          <th scope="col">Verdict</th>
        </tr>
      </thead>
      <tbody>
        {of.map((entry, index) => (
          <tr key={index}>
            <th scope="row" data-label="Limit">
              <Text>{labelOf((textAt(entry, 'destination') ?? '').replaceAll('_', ' '))}</Text>
            </th>
            <td data-label="Debit" class="number">
              <Amount>{at(entry, 'debit')}</Amount>
            </td>
            <td data-label="Allowed" class="number">
              <Amount>{at(entry, 'maxAllowedDebit.limitAmount')}</Amount>
            </td>
            <td data-label="Verdict">
              <Badge>{textAt(entry, 'verdict') ?? ''}</Badge>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
