// The baseline: a Koa service that answers the queries of the bench from PostgreSQL, with the same items. Count and
// page are queried at the same time, over as many connections as that needs, with prepared statements.
import { serveKoa } from '../http/koa-server.ts'
import { answerParent } from '../measure/child.ts'
import { identifiersOf, IDENTIFIER_COLUMNS, itemOf, ITEM_COLUMNS } from './item.ts'
import { PostgresConnection } from '../postgres/connection.ts'
import type { PostgresService } from '../postgres/server.ts'
import type { QueryBody } from './traffic.ts'

const CONNECTIONS = 8

answerParent(async ({ host, socket, user }: PostgresService): Promise<number> => {
  const pool = await Promise.all(Array.from({ length: CONNECTIONS }, () => PostgresConnection.open(socket, user)))
  const ask = (sql: string, parameters: readonly string[]) =>
    pool.reduce((best, each) => (each.busy < best.busy ? each : best)).query(sql, parameters)
  return await serveKoa(host, async (body, path) => {
    const { where, order, parameters, limit } = sqlOf(body as QueryBody)
    const [columns, itemFrom] = path.endsWith('/identifiers')
      ? [IDENTIFIER_COLUMNS, identifiersOf]
      : [ITEM_COLUMNS, itemOf]
    const [[count], items] = await Promise.all([
      ask(`SELECT count(*) FROM wallets WHERE ${where}`, parameters),
      ask(`SELECT ${columns} FROM wallets WHERE ${where} ORDER BY ${order}, id LIMIT ${limit}`, parameters),
    ])
    return { status: 200, text: JSON.stringify({ count: Number(count![0]), items: items.map(itemFrom) }) }
  })
})

const COLUMNS: Readonly<Record<string, string>> = {
  type: 'type',
  managed: 'managed',
  lamportsBalance: 'balance',
  offchainReferenceName: 'name',
}

function sqlOf({ itemQuery: { filter, sort, limit } }: QueryBody) {
  const parameters: string[] = []
  const held = (value: string): string => `$${parameters.push(value)}`
  const where = filter.map(({ fieldName, filterValues: [value] }) => {
    const column = COLUMNS[fieldName]!
    switch (value.filterType) {
      case 'EQUALS':
        return `${column} = ${held(String(value.valueString ?? value.valueBoolean))}`
      case 'CONTAINS':
        return `${column} ILIKE ${held(`%${value.valueString!}%`)}`
      default:
        return `${column} BETWEEN ${held(String(value.valueFromNumber))} AND ${held(String(value.valueToNumber))}`
    }
  })
  const order = sort.map(({ fieldName, sortDirection }) => `${COLUMNS[fieldName]!} ${sortDirection}`)
  return { where: where.join(' AND '), order: order.join(', '), parameters, limit }
}
