// One member of a record, shown as what it is.
import type { VNode } from 'preact'
import { Badge } from './badge.tsx'
import type { Shape } from './resource.ts'
import { Amount, ShortId, Text, Time } from './text.tsx'

/** Digits of the network currency after the point. */
const NETWORK_DECIMALS = 9

export function Cell({ value, shape }: { value: unknown; shape: Shape }): VNode {
  if (value === null || value === undefined || value === '') return <span class="quiet">–</span>
  if (shape === 'list') return <span>{Array.isArray(value) ? value.length : '–'}</span>
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
      return <Amount>{shifted(text, NETWORK_DECIMALS)}</Amount>
    case 'amount':
    case 'tokens':
      return <Amount>{text}</Amount>
    default:
      return <Text>{text}</Text>
  }
}

export const isNumeric = (shape: Shape): boolean =>
  shape === 'amount' || shape === 'lamports' || shape === 'tokens' || shape === 'count' || shape === 'list'

/** Raw units in display units, digit by digit. */
export function shifted(raw: string, decimals: number): string {
  const [, sign = '', digits = ''] = /^(-?)(\d+)$/.exec(raw) ?? []
  if (digits === '' || decimals === 0) return raw
  const padded = digits.padStart(decimals + 1, '0')
  const fraction = padded.slice(-decimals).replace(/0+$/, '')
  return `${sign}${padded.slice(0, -decimals)}${fraction === '' ? '' : `.${fraction}`}`
}
