// What a stored request will move: the item of a batch, or the operation of a schedule.
import type { VNode } from 'preact'
import { Named, NETWORK_DECIMALS, NETWORK_SYMBOL, Party, shifted } from '../cell.tsx'
import { byId, useName } from '../names.ts'
import { Amount, Text } from '../text.tsx'
import { at, isObject, textAt } from '../value.ts'

/** The account that a lookup names; for a position, its owner. */
export function LookedUp({ of }: { of: unknown }): VNode {
  if (!isObject(of)) return <span class="quiet">–</span>
  const within = of['owner'] ?? of['position']
  if (within !== undefined) return <LookedUp of={within} />
  const references = of['offchainReferences']
  const name = textAt(references, 'code') ?? textAt(references, 'alId') ?? textAt(references, 'accountNumber')
  return <Named name={name} offchainId={textAt(of, 'offchainId')} address={textAt(of, 'onchainId')} />
}

/** The record of an instrument, also if only its address is given. */
function Token({ of }: { of: Readonly<Record<string, unknown>> }): VNode {
  const address = textAt(of, 'onchainId')
  const by = byId(textAt(of, 'offchainId')) ?? (address === null ? null : { onchainId: address })
  return <Party name={useName(textAt(of, 'offchainReferences.code'), by)} address={address ?? ''} />
}

/** The amount with its symbol. */
export function Moved({ of }: { of: unknown }): VNode {
  const sides = [at(of, 'source'), at(of, 'destination')].filter(isObject)
  const instrument = sides.map((side) => side['financialInstrument']).find(isObject)
  const isToken = sides.some((side) => side['financialInstrument'] !== undefined || side['position'] !== undefined)
  const [amount, lamports] = [textAt(of, 'amount'), textAt(of, 'lamports')]
  const isAll = at(of, 'transferEntireBalance') === true || at(of, 'burnEntireBalance') === true
  if (amount === null && lamports === null) return isAll ? <span>all of it</span> : <span class="quiet">–</span>
  const isRaw = amount === null && isToken
  return (
    <span>
      <Amount>{amount ?? (isRaw ? lamports : shifted(lamports ?? '', NETWORK_DECIMALS))}</Amount>{' '}
      <span class="unit">
        {isRaw && 'raw units '}
        {isToken ? instrument !== undefined && <Token of={instrument} /> : <Text>{NETWORK_SYMBOL}</Text>}
      </span>
    </span>
  )
}
