// The list that is turned over: accounts with a filter and an order, as the console's address names it and as it asks
// for it.

export const PATH = '/api/v1/accounts/bulk/detailed'
/** As the console shows, unless it is told otherwise. */
export const ROWS = 50
/** The place itself, without filter and order. */
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
