// The effects of a transaction, instruction by instruction, as the service derives them from the compiled message:
// amounts in display units where the decimals are known, and accounts with links to their pages.
import type { VNode } from 'preact'
import { NETWORK_DECIMALS, NETWORK_SYMBOL, shifted } from '../cell.tsx'
import { labelOf } from './details.tsx'
import { href } from '../route.ts'
import { Amount, Id, Text } from '../text.tsx'
import { isObject, listAt, textAt } from '../value.ts'

/** Shown by the heading of the instruction, or by its amount. */
const TOLD = new Set(['kind', 'signers', 'program', 'decimals', 'amount', 'lamports', 'further'])
const ADDRESS = /^[1-9A-HJ-NP-Za-km-z]{32,44}$/

interface EffectsProps {
  readonly explanation: unknown
  /** Accounts of the transaction: address -> record. */
  readonly records: ReadonlyMap<string, string>
  /** Address -> name, of those that have one. */
  readonly names: ReadonlyMap<string, string>
}

type Known = Pick<EffectsProps, 'records' | 'names'>

export function Effects({ explanation, records, names }: EffectsProps): VNode | null {
  const table = listAt(explanation, 'checks').find((check) => textAt(check, 'rule') === 'INSTRUCTION_TABLE')
  const instructions = listAt(table, 'judgedOn.instructions')
  if (instructions.length === 0) return null
  return (
    <section aria-labelledby="effects-title">
      <h2 id="effects-title">What it does</h2>
      <ol class="plain effects">
        {instructions.map((instruction, index) => (
          <li key={index} class="card">
            <strong>
              <Text>{(textAt(instruction, 'type') ?? '').replaceAll('_', ' ').toLowerCase()}</Text>
            </strong>{' '}
            <Effect of={isObject(instruction) ? instruction['effect'] : null} known={{ records, names }} />
          </li>
        ))}
      </ol>
    </section>
  )
}

function Effect({ of, known }: { of: unknown; known: Known }): VNode | null {
  if (!isObject(of)) return null
  const members = Object.entries(of).filter(([name, value]) => !TOLD.has(name) && value !== null && value !== '')
  return (
    <>
      <Moved of={of} />
      <dl class="pairs">
        {members.map(([name, value]) => (
          <div key={name}>
            <dt>{labelOf(name)}</dt>
            <dd>
              <Member value={value} known={known} />
            </dd>
          </div>
        ))}
      </dl>
    </>
  )
}

function Moved({ of }: { of: Readonly<Record<string, unknown>> }): VNode | null {
  const [lamports, amount, decimals] = [textAt(of, 'lamports'), textAt(of, 'amount'), textAt(of, 'decimals')]
  if (lamports !== null)
    return (
      <>
        <Amount>{shifted(lamports, NETWORK_DECIMALS)}</Amount> <span class="unit">{NETWORK_SYMBOL}</span>
      </>
    )
  if (amount === null) return null
  return decimals === null ? (
    <>
      <Amount>{amount}</Amount> <span class="quiet">raw units</span>
    </>
  ) : (
    <Amount>{shifted(amount, Number(decimals))}</Amount>
  )
}

function Member({ value, known: { records, names } }: { value: unknown; known: Known }): VNode {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  if (!ADDRESS.test(text)) return <Text>{text}</Text>
  const record = records.get(text)
  const name = names.get(text)
  return (
    <>
      {name !== undefined && (
        <>
          <Text>{name}</Text>{' '}
        </>
      )}
      <Id to={record === undefined ? undefined : href('accounts', record)}>{text}</Id>
    </>
  )
}
