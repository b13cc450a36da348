// The list of the page turns: accounts with a filter and an order, as in the address of the console and in its query.

export const PATH = '/api/v1/accounts/bulk/detailed'
/** The default of the console. */
export const ROWS = 50
/** The route, without filter and order. */
export const LIST = '#/accounts'

const WHERE = [
  ['type', 'EQUALS', 'WALLET', ''],
  ['managed', 'EQUALS', 'true', ''],
]
const FILTER = [
  { fieldName: 'type', filterValues: [{ filterType: 'EQUALS', valueString: 'WALLET' }] },
  { fieldName: 'managed', filterValues: [{ filterType: 'EQUALS', valueBoolean: true }] },
]
const SORT = [{ fieldName: 'lamportsBalance', sortDirection: 'DESC' }]

/** @param page from 1 */
export function hashOf(page: number): string {
  return `${LIST}?${new URLSearchParams({ where: JSON.stringify(WHERE), sort: 'lamportsBalance.desc', page: String(page) }).toString()}`
}

export const skipOf = (page: number): number => (page - 1) * ROWS

/**
 * Byte by byte what the console sends.
 *
 * @param page from 1
 */
export function bodyOf(page: number): string {
  return JSON.stringify({ itemQuery: { filter: FILTER, sort: SORT, skip: skipOf(page), limit: ROWS } })
}
