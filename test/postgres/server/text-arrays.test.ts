// Lists of texts as parameters: the server must see the same elements.
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Postgres } from '../../../bench/postgres/server.ts'
import { connect, type Connection } from '../../../snapshots/postgres/connection.ts'
import { addressOf, ownPostgres } from '../postgres.ts'

const BOUND_MS = 30_000
/** The server accepts every text without the character NUL. Half of a surrogate pair is not a text. */
const element = fc.option(fc.string({ unit: 'binary', maxLength: 300 }).map((text) => text.replaceAll('\0', '')))

let postgres: Postgres
let connection: Connection
beforeAll(async () => {
  postgres = await ownPostgres()
  connection = await connect(addressOf(postgres), { boundMs: BOUND_MS })
})
afterAll(async () => {
  connection.destroy()
  await postgres[Symbol.asyncDispose]()
})

it('the server sees the elements of a list', async () => {
  const statement = { name: 'elements', text: 'SELECT e, octet_length(e) FROM unnest($1::text[]) AS e' }
  await fc.assert(
    fc.asyncProperty(fc.array(element, { maxLength: 50 }), async (elements) => {
      const rows = await connection.query(statement, [elements], BOUND_MS)
      expect(rows).toEqual(elements.map((text) => [text, text === null ? null : String(Buffer.byteLength(text))]))
    }),
    { numRuns: 300 },
  )
})

it.each([['int'], ['bigint'], ['uuid'], ['boolean']])('a list of texts becomes one of type %s', async (type) => {
  const texts = { int: '-7', bigint: '9007199254740993', uuid: '6f1c3f0e-7f59-4b67-9d3e-0a4f6f0a1b2c', boolean: 'true' }
  const text = texts[type as keyof typeof texts]
  const query = { text: `SELECT e::text FROM unnest($1::text[]::${type}[]) AS e` }
  expect(await connection.query(query, [[text, null]], BOUND_MS)).toEqual([[text], [null]])
})
