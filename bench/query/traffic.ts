// Bulk queries of one kind, with different values each time, but the same on both sides.
import { countedUuid, postHead, type Target, type Traffic } from '../load/traffic.ts'
import { MAX_LAMPORTS, TYPES } from './records.ts'

export const PAGE = 100
/** The last kind is the same query as the first, but for the identifiers of the records only. */
export const KINDS = ['filter and sort', 'text search', 'range', 'identifiers'] as const
export type QueryKind = (typeof KINDS)[number]

export const pathOf = (kind: QueryKind): string =>
  `/api/v1/accounts/bulk/${kind === 'identifiers' ? kind : 'detailed'}?chainClusterId=CHAIN_DEVNET`

interface Value {
  readonly filterType: 'EQUALS' | 'CONTAINS' | 'IN_RANGE'
  readonly valueString?: string
  readonly valueBoolean?: boolean
  readonly valueFromNumber?: number
  readonly valueToNumber?: number
}

export interface QueryBody {
  readonly itemQuery: {
    readonly limit: number
    readonly filter: readonly { readonly fieldName: string; readonly filterValues: readonly [Value] }[]
    readonly sort: readonly { readonly fieldName: string; readonly sortDirection: 'ASC' | 'DESC' }[]
  }
}

export interface QuerySettings {
  readonly apiKey: string
  readonly kind: QueryKind
}

/** Widths of ranges, as shares of all balances. */
const WIDTHS = [0.000_1, 0.001, 0.01, 0.1]

/** The query with this number. Values are spread over the existing ones and hardly repeat. */
export function queryOf(kind: QueryKind, number: number): QueryBody {
  const chance = ((Math.imul(number + 1, 0x9e3779b1) >>> 0) % 1_000_003) / 1_000_003
  const balance = { fieldName: 'lamportsBalance' }
  switch (kind) {
    case 'filter and sort':
    case 'identifiers':
      return bodyOf(
        [
          ['type', { filterType: 'EQUALS', valueString: TYPES[number % TYPES.length]![0] }],
          ['managed', { filterType: 'EQUALS', valueBoolean: number % 3 !== 0 }],
        ],
        { ...balance, sortDirection: 'DESC' },
      )
    case 'text search':
      return bodyOf(
        [
          [
            'offchainReferenceName',
            { filterType: 'CONTAINS', valueString: String(Math.floor(chance * 9_000) + 1_000) },
          ],
        ],
        { ...balance, sortDirection: 'DESC' },
      )
    case 'range': {
      const width = Math.floor(WIDTHS[number % WIDTHS.length]! * MAX_LAMPORTS)
      const from = Math.floor(chance * (MAX_LAMPORTS - width))
      return bodyOf(
        [['lamportsBalance', { filterType: 'IN_RANGE', valueFromNumber: from, valueToNumber: from + width }]],
        { ...balance, sortDirection: 'ASC' },
      )
    }
  }
}

function bodyOf(
  filter: readonly (readonly [string, Value])[],
  sort: QueryBody['itemQuery']['sort'][number],
): QueryBody {
  return {
    itemQuery: {
      limit: PAGE,
      filter: filter.map(([fieldName, value]) => ({ fieldName, filterValues: [value] })),
      sort: [sort],
    },
  }
}

export function traffic(target: Target, { apiKey, kind }: QuerySettings): Traffic {
  let sent = 0
  let answers = 0
  return {
    next() {
      const token = sent
      sent += 1
      const body = JSON.stringify(queryOf(kind, token))
      const headers = { Authorization: `Bearer ${apiKey}`, 'x-request-id': countedUuid('000000d4', token) }
      return { text: postHead(target, pathOf(kind), body.length, headers) + body, token }
    },
    accept(_token, reply) {
      answers += 1
      return reply.status === 200 && reply.body.startsWith('{"count":')
        ? null
        : `${reply.status} ${reply.body.slice(0, 300)}`
    },
    tally: () => answers,
  }
}
