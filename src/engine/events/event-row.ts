// Stored form of events. The events of a unit of work share most of their content, so they are in one row, at the
// sequence of the last of them. Data of events of transactions, and of the balances that they change, is written as
// lists without member names. Decoding returns exactly the original: unusual data is written unchanged.
// Rows of earlier releases have one event each and begin with its type, or have layout 2, in which types are texts.
import { timeOfRow, timeRow, type TimeRow } from '../records/time-row.ts'
import type { DomainEvent } from './domain-events.ts'

const LAYOUT = 3
/** Layouts with the same decoder. */
const READABLE: ReadonlySet<unknown> = new Set([2, LAYOUT])
/** Rows store the index of a type, so new ones must be appended. */
const FREQUENT = [
  'transaction.signed',
  'transaction.submitted',
  'transaction.processed',
  'transaction.confirmed',
  'transaction.finalized',
  'account.updated',
  'position.updated',
  'account.created',
  'position.created',
]
const NUMBERS = new Map(FREQUENT.map((type, number) => [type, number]))
/** Prefix of most endpoints, and its short form in rows. */
const POST = 'POST /api/v1/'
const SHORT_POST = '+'
/** Maximum number of events in a row, because reading one event reads its whole row. */
export const MAX_IN_ROW = 16

/** One event. `seenBy` is present only if other organizations see the event. */
export type EventRow = readonly [
  type: string,
  /** Unix milliseconds. */
  atMs: number,
  cluster: string,
  organization: string,
  onchainId: string | null,
  offchainId: string,
  data: object,
  seenBy?: readonly string[] | 'shared',
]

/** One of several events, without the members that the row states once. */
type ShortRow = readonly [
  type: string | number,
  onchainId: string | null,
  offchainId: string,
  data: TransactionData | HoldingData | object,
  seenBy?: readonly string[] | 'shared',
]

/** An event with a different cluster or organization than the first one is an `EventRow`. */
type UnitRow = readonly [
  layout: typeof LAYOUT,
  atMs: number,
  cluster: string,
  organization: string,
  ...events: (ShortRow | EventRow)[],
]

/** Data of a successful transaction, whose status follows from the type. */
type TransactionData = readonly [
  endpoint: string,
  confirmationsCount: number,
  slot: number | null,
  txnTimestamp: TimeRow,
  externalReference?: string,
]

/** `SAME`: the value of the first event, which is that of the transaction. */
type HoldingData = readonly [
  lastTransaction: string | null | typeof SAME,
  lastTransactionAt: TimeRow | null,
  lastTransactionId: string | null | typeof SAME,
  lamportsBalance: unknown,
  tokenBalance?: unknown,
  tokenDecimals?: unknown,
]
const SAME = 0

export interface NumberedEvent {
  readonly sequence: number
  readonly row: EventRow
}

/** @param events 1 to `MAX_IN_ROW` events, in order */
export function rowOfEvents(events: readonly DomainEvent[], atMs: number): unknown {
  const [first] = events as readonly [DomainEvent]
  const { cluster, organization } = first
  const time = new Date(atMs).toISOString()
  const rows = events.map((each) => {
    if (each.cluster !== cluster || each.organization !== organization) return wholeRow(each, atMs)
    const { type, onchainId, offchainId, data, seenBy } = each
    const row = [NUMBERS.get(type) ?? type, onchainId, offchainId, dataRow(each, first, time) ?? data]
    return seenBy === undefined ? row : [...row, seenBy]
  })
  return [LAYOUT, atMs, cluster, organization, ...rows]
}

/** @param sequence the sequence of the row. Throws `TypeError` for a row of a later layout. */
export function eventsOfRow({ sequence, row }: { readonly sequence: number; readonly row: unknown }): NumberedEvent[] {
  const [layout] = row as UnitRow | EventRow
  if (typeof layout === 'string') return [{ sequence, row: row as EventRow }]
  if (!READABLE.has(layout)) throw new TypeError(`events of layout ${layout}; known: ${LAYOUT}`)
  const [, atMs, cluster, organization, ...events] = row as UnitRow
  const [first] = events as [ShortRow]
  const time = new Date(atMs).toISOString()
  return events.map((each, at) => ({
    sequence: sequence - events.length + 1 + at,
    row: isWhole(each)
      ? each
      : wholeRow(
          {
            type: typeOf(each),
            cluster,
            organization,
            onchainId: each[1],
            offchainId: each[2],
            data: dataOfRow(each, first, time),
            ...(each[4] === undefined ? {} : { seenBy: each[4] }),
          },
          atMs,
        ),
  }))
}

function isWhole(row: ShortRow | EventRow): row is EventRow {
  return typeof row[1] === 'number'
}

function wholeRow(
  { type, cluster, organization, onchainId, offchainId, data, seenBy }: Omit<DomainEvent, 'tenant'>,
  atMs: number,
): EventRow {
  const row = [type, atMs, cluster, organization, onchainId, offchainId, data] as const
  return seenBy === undefined ? row : [...row, seenBy]
}

function typeOf([type]: ShortRow): string {
  return typeof type === 'number' ? FREQUENT[type]! : type
}

const TRANSACTION = 'transaction.'

/** undefined: the data is unusual. */
function dataRow({ type, data }: DomainEvent, first: DomainEvent, time: string): unknown {
  if (Array.isArray(data)) return [data]
  return type.startsWith(TRANSACTION)
    ? transactionData(type, data as Members, time)
    : holdingData(data as Members, first, time)
}

function dataOfRow(event: ShortRow, first: ShortRow, time: string): object {
  const type = typeOf(event)
  const row = event[3]
  if (!Array.isArray(row)) return row
  if (row.length === 1) return row[0] as object
  return type.startsWith(TRANSACTION)
    ? dataOfTransaction(type, row as unknown as TransactionData, time)
    : dataOfHolding(row as unknown as HoldingData, first, time)
}

type Members = Readonly<Record<string, unknown>>

const statusIn = (type: string): string => type.slice(TRANSACTION.length).toUpperCase()

function transactionData(type: string, data: Members, time: string): TransactionData | undefined {
  const { success, status, endpoint, externalReference, confirmationsCount, slot, txnTimestamp } = data
  const names = TRANSACTION_NAMES[variant(externalReference, slot)]!
  if (!hasNames(data, names)) return undefined
  const isUsual = success === true && status === statusIn(type) && slot !== null && typeof txnTimestamp === 'string'
  if (!isUsual || typeof endpoint !== 'string' || endpoint.startsWith(SHORT_POST)) return undefined
  const shortEndpoint = endpoint.startsWith(POST) ? SHORT_POST + endpoint.slice(POST.length) : endpoint
  const row = [shortEndpoint, confirmationsCount, slot ?? null, microsRow(txnTimestamp, time)]
  return (externalReference === undefined ? row : [...row, externalReference]) as unknown as TransactionData
}

/** Index into the lists below, depending on which of two optional members are present. */
const variant = (one: unknown, other: unknown): number => (one === undefined ? 0 : 2) + (other === undefined ? 0 : 1)
/** Member names in the order of the interface: without and with `externalReference`, each without and with `slot`. */
const TRANSACTION_NAMES = [[], ['externalReference']].flatMap((reference) =>
  [[], ['slot']].map((slot) => [
    ...['success', 'status', 'endpoint', ...reference],
    ...['confirmationsCount', ...slot, 'txnTimestamp'],
  ]),
)
/** Member names without and with `lamportsBalance`, each without and with the balance of tokens. */
const OFFCHAIN_NAMES = [[], ['lamportsBalance']].flatMap((lamports) =>
  [[], ['tokenBalance', 'tokenDecimals']].map((tokens) => [...lamports, 'lastTransactionId', ...tokens]),
)
const HOLDING_NAMES = ['onchain', 'offchain']
const ONCHAIN_NAMES = ['lastTransactionId', 'lastTransactionAt']

/** True if the members have exactly these names in this order. */
function hasNames(members: unknown, names: readonly string[]): boolean {
  if (typeof members !== 'object' || members === null) return false
  let at = 0
  for (const name in members) {
    if (name !== names[at]) return false
    at += 1
  }
  return at === names.length
}

function dataOfTransaction(type: string, row: TransactionData, time: string): object {
  const [endpoint, confirmationsCount, slot, txnTimestamp, externalReference] = row
  return {
    success: true,
    status: statusIn(type),
    endpoint: endpoint.startsWith(SHORT_POST) ? POST + endpoint.slice(SHORT_POST.length) : endpoint,
    ...(externalReference === undefined ? {} : { externalReference }),
    confirmationsCount,
    ...(slot === null ? {} : { slot }),
    txnTimestamp: microsOfRow(txnTimestamp, time),
  }
}

/** Last characters of a time with microseconds, as the interface shows it. */
const MICROS = '000Z'

function microsRow(text: string, time: string): TimeRow {
  if (!text.endsWith(MICROS)) return text
  const row = timeRow(text.slice(0, -MICROS.length) + 'Z', time)
  return typeof row === 'number' ? row : text
}

function microsOfRow(row: TimeRow, time: string): string {
  return typeof row === 'string' ? row : timeOfRow(row, time).slice(0, -1) + MICROS
}

function holdingData(data: Members, first: DomainEvent, time: string): HoldingData | undefined {
  const { onchain, offchain } = data as { readonly onchain?: Members; readonly offchain?: Members }
  if (!hasNames(data, HOLDING_NAMES) || !hasNames(onchain, ONCHAIN_NAMES)) return undefined
  const { lamportsBalance, lastTransactionId, tokenBalance, tokenDecimals } = offchain ?? {}
  if (!hasNames(offchain, OFFCHAIN_NAMES[variant(lamportsBalance, tokenBalance)]!)) return undefined
  const { lastTransactionId: signature, lastTransactionAt: at } = onchain as Members
  if (lamportsBalance === null || tokenBalance === null || signature === SAME || lastTransactionId === SAME)
    return undefined
  const row = [
    signature === first.onchainId && signature !== null ? SAME : signature,
    typeof at === 'string' ? timeRow(at, time) : at,
    lastTransactionId === first.offchainId ? SAME : lastTransactionId,
    lamportsBalance ?? null,
  ]
  if (typeof at !== 'string' && at !== null) return undefined
  return (tokenBalance === undefined ? row : [...row, tokenBalance, tokenDecimals]) as unknown as HoldingData
}

function dataOfHolding(row: HoldingData, [, onchainId, offchainId]: ShortRow, time: string): object {
  const [lastTransaction, at, lastTransactionId, lamportsBalance, tokenBalance, tokenDecimals] = row
  return {
    onchain: {
      lastTransactionId: lastTransaction === SAME ? onchainId : lastTransaction,
      lastTransactionAt: at === null ? null : timeOfRow(at, time),
    },
    offchain: {
      ...(lamportsBalance === null ? {} : { lamportsBalance }),
      lastTransactionId: lastTransactionId === SAME ? offchainId : lastTransactionId,
      ...(tokenBalance === undefined ? {} : { tokenBalance, tokenDecimals }),
    },
  }
}
