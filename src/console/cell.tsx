// One member of a record, rendered by its type.
import type { VNode } from 'preact'
import { Badge, wordsFor } from './badge.tsx'
import type { Shape } from './resource.ts'
import { byId, useName } from './names.ts'
import { Amount, ShortId, Text, Time } from './text.tsx'
import { at, textAt } from './value.ts'

/** Digits of the network currency after the point. */
export const NETWORK_DECIMALS = 9
export const NETWORK_SYMBOL = 'SOL'

export function Cell({ value, shape }: { value: unknown; shape: Shape }): VNode {
  if (shape === 'asset' && (value === null || value === undefined)) return <span>{NETWORK_SYMBOL}</span>
  if (value === null || value === undefined || value === '') return <span class="quiet">–</span>
  if (shape === 'list') return <span>{Array.isArray(value) ? value.length : '–'}</span>
  if (shape === 'words') return <span>{Array.isArray(value) ? value.map(String).map(wordsFor).join(', ') : '–'}</span>
  if (shape === 'party' || shape === 'instrument' || shape === 'asset') {
    const symbol = shape === 'party' ? null : textAt(value, 'symbol')
    return (
      <Named
        name={symbol ?? textAt(value, 'offchain.code') ?? textAt(value, 'offchain.name')}
        offchainId={textAt(value, 'offchain.id') ?? textAt(value, 'offchainId')}
        address={textAt(value, 'onchain.id') ?? textAt(value, 'onchainId')}
      />
    )
  }
  if (shape === 'flag') return <span>{value === true ? 'yes' : 'no'}</span>
  const text =
    typeof value === 'string'
      ? value
      : typeof value === 'number' || typeof value === 'boolean'
        ? String(value)
        : JSON.stringify(value)
  switch (shape) {
    case 'id':
      return <ShortId>{text}</ShortId>
    case 'endpoint':
      return <Text>{text.replace(' /api/v1/', ' ')}</Text>
    case 'state':
      return <Badge>{text}</Badge>
    case 'time':
      return <Time>{text}</Time>
    case 'lamports':
      return (
        <span>
          <Amount>{shifted(text, NETWORK_DECIMALS)}</Amount> <span class="unit">{NETWORK_SYMBOL}</span>
        </span>
      )
    case 'currency':
      return (
        <span>
          <Amount>{text}</Amount> <span class="unit">{NETWORK_SYMBOL}</span>
        </span>
      )
    case 'word':
      return <span>{wordsFor(text)}</span>
    case 'percent':
      return <span>{percent(text)}</span>
    case 'amount':
    case 'tokens':
      return <Amount>{text}</Amount>
    default:
      return <Text>{text}</Text>
  }
}

const NUMERIC = new Set<Shape>([
  'amount',
  'lamports',
  'currency',
  'tokens',
  'count',
  'list',
  'percent',
  'sums',
  'moved',
])
export const isNumeric = (shape: Shape): boolean => NUMERIC.has(shape)

/** The name of a party, otherwise both ends of its address. The whole address on request. */
export function Party({ name, address }: { name: string | null; address: string }): VNode {
  if (name === null || name === '') return <ShortId>{address}</ShortId>
  return (
    <span title={address}>
      <Text>{name}</Text>
    </span>
  )
}

interface NamedProps {
  readonly name: string | null
  readonly offchainId: string | null
  readonly address: string | null
}

/** As `Party`, for an answer that has ids only. */
export function Named({ name, offchainId, address }: NamedProps): VNode {
  return <Party name={useName(name, byId(offchainId))} address={address ?? offchainId ?? ''} />
}

/** Amounts with their symbols, one for each item. */
export function Sums({ of, member }: { of: readonly unknown[]; member: string }): VNode {
  if (of.length === 0) return <span class="quiet">–</span>
  return (
    <>
      {of.map((item, index) => (
        <span key={index} class="sum">
          <Amount>{at(item, member)}</Amount>{' '}
          <span class="unit">
            <Text>{textAt(item, 'accountDetails.symbol') ?? ''}</Text>
          </span>
        </span>
      ))}
    </>
  )
}

/** In hundredths of a basis point: 1000000 is 100 %. */
export function percent(parts: string): string {
  return `${shifted(parts.replace(/\..*$/, ''), 4)} %`
}

/** Raw units in display units, digit by digit. */
export function shifted(raw: string, decimals: number): string {
  const [, sign = '', digits = ''] = /^(-?)(\d+)$/.exec(raw) ?? []
  if (digits === '' || decimals === 0) return raw
  const padded = digits.padStart(decimals + 1, '0')
  const fraction = padded.slice(-decimals).replace(/0+$/, '')
  return `${sign}${padded.slice(0, -decimals)}${fraction === '' ? '' : `.${fraction}`}`
}
