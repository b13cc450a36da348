// A record as the service returns it: every member. An account that it refers to is one line, which can be expanded.
// Amounts keep their digits.
import type { VNode } from 'preact'
import { AMOUNTS } from '../../client/facts.ts'
import { Badge, wordsFor } from '../badge.tsx'
import { NETWORK_DECIMALS, NETWORK_SYMBOL, percent, shifted } from '../cell.tsx'
import { byId, useName } from '../names.ts'
import { PAGES_OF_TYPES } from '../resources.ts'
import { href } from '../route.ts'
import { Amount, Copy, Id, Text, Time } from '../text.tsx'
import { at, isObject, listAt, textAt } from '../value.ts'

type Members = Readonly<Record<string, unknown>>

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/
const ADDRESS = /^[1-9A-HJ-NP-Za-km-z]{32,88}$/
const PAYER_PAGE = /^\/pay\/[0-9a-f-]{36}$/
const IDS = new Set(['onchainId', 'offchainId', 'alId'])
const ACCOUNT_ADDRESS = /^[1-9A-HJ-NP-Za-km-z]{32,44}$/
const INSTANT = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/
const STATES = new Set(['status', 'state', 'lifecycleState', 'verdict', 'outcome'])
/** Constants of the interface that plain words can replace. */
const WORDS = new Set(['operation', 'operations', 'onMissed', 'messageLifetimeStrategy', 'destinationPolicy'])
/** In hundredths of a basis point. */
const PERCENTS = new Set(['health', 'currentLoanToValue', 'loanToValueRatio', 'liquidationRatio', 'apy'])
/** Names the lists of debit limits that are not set. In an answer they are empty, as those that mean no limits are. */
const DEFAULTS = 'defaultDebitLimits'
const LIMITS = new Set(['networkCurrencyDebitLimits', 'tokenDebitLimits'])
const DECIMAL = /^-?\d+(?:\.\d+)?$/
const LONG = 1_500
const LONG_TEXT = 200

export function Details({ of, leaveOut = [] }: { of: Members; leaveOut?: readonly string[] }): VNode {
  const members = Object.entries(of)
    .filter(([name, value]) => value !== undefined && name !== DEFAULTS && !leaveOut.includes(name))
    .map(([name, value]): [string, unknown] => [name, emptyLimits(of, name, value) ?? value])
  const empty = members.filter(([, value]) => isEmpty(value))
  const isLine = (value: unknown): boolean => isReference(value) || isQuantity(value) || !isBranch(value)
  const lines = members.filter(([, value]) => !isEmpty(value) && isLine(value))
  const branches = members.filter(([, value]) => !isLine(value))
  return (
    <>
      <dl class="pairs">
        {lines.map(([name, value]) => (
          <div key={name}>
            <dt>{labelOf(name)}</dt>
            <dd>{isReference(value) ? <Reference of={value} /> : <Leaf name={name} value={value} beside={of} />}</dd>
          </div>
        ))}
        {empty.length > 0 && (
          <div>
            <dt>Not set</dt>
            <dd class="quiet">{empty.map(([name]) => labelOf(name).toLowerCase()).join(', ')}</dd>
          </div>
        )}
      </dl>
      {branches.map(([name, value]) => (
        <details key={name} class="branch" open={JSON.stringify(value).length < LONG}>
          <summary>{labelOf(name)}</summary>
          <Branch value={value} />
        </details>
      ))}
    </>
  )
}

function Branch({ value }: { value: unknown }): VNode {
  if (isReference(value)) return <Reference of={value} />
  if (isObject(value)) return <Details of={value} />
  const items = value as readonly unknown[]
  return (
    <ol class="plain items">
      {items.map((item, index) => (
        <li key={index}>{isBranch(item) ? <Branch value={item} /> : <Leaf name="" value={item} />}</li>
      ))}
    </ol>
  )
}

/** A reference to an account: its name, a link to its page, and its members on demand. */
function Reference({ of }: { of: Members }): VNode {
  const offchainId = textAt(of, 'offchain.id') ?? textAt(of, 'offchainId')
  const address = textAt(of, 'onchain.id') ?? textAt(of, 'onchainId') ?? ''
  const place = PAGES_OF_TYPES[textAt(of, 'offchain.type') ?? ''] ?? 'accounts'
  const isInstrument = place === 'instruments'
  const symbol = isInstrument ? textAt(of, 'symbol') : null
  const name = useName(symbol ?? textAt(of, 'offchain.name') ?? textAt(of, 'offchain.code'), byId(offchainId))
  return (
    <>
      {name !== null && (
        <>
          <Text>{name}</Text>{' '}
        </>
      )}
      <Id to={offchainId === null ? undefined : href(place, offchainId)}>{address}</Id>{' '}
      <Copy text={address} what="the address" />
      {at(of, 'managed') !== undefined && (
        <details class="branch">
          <summary>More of it</summary>
          <Details of={of} />
        </details>
      )}
    </>
  )
}

interface LeafProps {
  readonly name: string
  readonly value: unknown
  /** The object that contains the member. */
  readonly beside?: Members
}

function Leaf({ name, value, beside = {} }: LeafProps): VNode {
  if (isEmpty(value)) return <span class="quiet">–</span>
  if (isQuantity(value)) return <Quantity amount={textAt(value, 'amount')} symbol={textAt(beside, 'symbol')} />
  if (Array.isArray(value)) {
    const texts = value.map(String)
    return <Text>{(WORDS.has(name) ? texts.map(wordsFor) : texts).join(', ')}</Text>
  }
  if (typeof value === 'boolean') return <span>{value ? 'yes' : 'no'}</span>
  const text = String(value)
  if (STATES.has(name)) return <Badge>{text}</Badge>
  if (WORDS.has(name)) return <Text>{wordsFor(text)}</Text>
  if (name === 'qrCode') return <QrCode svg={text} />
  if (name === 'payerPage' && PAYER_PAGE.test(text)) return <a href={text}>{text}</a>
  if (PERCENTS.has(name) && DECIMAL.test(text)) return <span>{percent(text)}</span>
  if (name === 'lamportsBalance' && DECIMAL.test(text))
    return <Quantity amount={shifted(text, NETWORK_DECIMALS)} symbol={NETWORK_SYMBOL} />
  const decimals = Number(textAt(beside, 'tokenDecimals') ?? NaN)
  if (name === 'tokenBalance' && DECIMAL.test(text) && Number.isInteger(decimals))
    return <Quantity amount={shifted(text, decimals)} symbol={textAt(beside, 'symbol')} />
  if (name === 'fee' && DECIMAL.test(text)) return <Quantity amount={text} symbol={NETWORK_SYMBOL} />
  // An account number consists of digits too, and is not formatted.
  if (AMOUNTS.has(name) && DECIMAL.test(text)) return <Amount>{text}</Amount>
  if (INSTANT.test(text)) return <Time>{text}</Time>
  if (UUID.test(text) || ADDRESS.test(text)) {
    return (
      <>
        <Id>{text}</Id> <Copy text={text} what={labelOf(name)} />
      </>
    )
  }
  if (text.length > LONG_TEXT && !text.includes(' ')) {
    return (
      <details class="branch">
        <summary>{text.length} characters</summary>
        <Text>{text}</Text>
      </details>
    )
  }
  return <Text>{text}</Text>
}

/** As an image, in which nothing is executed. */
function QrCode({ svg }: { svg: string }): VNode {
  return <img class="qr" src={`data:image/svg+xml,${encodeURIComponent(svg)}`} alt="QR code of the URL" />
}

function Quantity({ amount, symbol }: { amount: string | null; symbol: string | null }): VNode {
  return (
    <>
      <Amount>{amount}</Amount>
      {symbol !== null && (
        <span class="unit">
          {' '}
          <Text>{symbol}</Text>
        </span>
      )}
    </>
  )
}

/** One amount, in display units and in raw units. */
function isQuantity(value: unknown): value is Members {
  return isObject(value) && Object.keys(value).length === 2 && 'amount' in value && 'lamports' in value
}

/** The words for an empty list of debit limits; null for any other member, and in a record of another tenant. */
function emptyLimits(of: Members, name: string, value: unknown): string | null {
  if (!LIMITS.has(name) || !isEmpty(value) || of[DEFAULTS] === undefined) return null
  return listAt(of, DEFAULTS).includes(name) ? 'defaults' : 'none'
}

function isEmpty(value: unknown): boolean {
  if (value === null || value === '') return true
  return Array.isArray(value) ? value.length === 0 : isObject(value) && Object.keys(value).length === 0
}

/** True of objects and lists that need rows of their own. */
function isBranch(value: unknown): boolean {
  if (isEmpty(value)) return false
  return Array.isArray(value) ? value.some((item) => typeof item === 'object' && item !== null) : isObject(value)
}

function isReference(value: unknown): value is Members {
  return isObject(value) && (typeof at(value, 'onchain.id') === 'string' || isIds(value))
}

/** The ids of an account, and nothing else. The signature of a transaction is longer than an address. */
function isIds(value: Members): boolean {
  return Object.keys(value).every((name) => IDS.has(name)) && ACCOUNT_ADDRESS.test(textAt(value, 'onchainId') ?? '')
}

/** `lastTransactionAt` -> `Last transaction at`. */
export function labelOf(name: string): string {
  const words = name
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
  return words.charAt(0).toUpperCase() + words.slice(1)
}
