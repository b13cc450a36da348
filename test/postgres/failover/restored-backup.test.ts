// A backup of the database is restored while nodes run that have changed it since, and were started since.
import { expect, it } from 'vitest'
import { addressOf, sql } from '../postgres.ts'
import { openClusterFixture, ownerOf, type NodeProcess } from '../cluster-fixture.ts'
import { showNodesOnFailure } from './show-nodes.ts'

let nodes: NodeProcess[] = []
showNodesOnFailure(() => nodes)

const TABLES = `SELECT table_name FROM information_schema.tables WHERE table_schema = 'holdfast' ORDER BY 1`

it('a backup restored under running nodes ends the owner as damaged, and no node claims a cell', async () => {
  await using fixture = await openClusterFixture()
  const address = addressOf(fixture.postgres)
  const start = async () => (nodes = await Promise.all(['a', 'b'].map((id) => fixture.start(id))))
  await ownerOf(await start())
  const tables = (await sql(address, TABLES)).map(([name]) => name!)
  await sql(address, 'CREATE SCHEMA backup')
  await sql(address, tables.map((table) => `CREATE TABLE backup.${table} AS TABLE holdfast.${table}`).join(';'))
  for (const node of nodes) node.signal('SIGTERM')
  expect(await Promise.all(nodes.map(({ ended }) => ended))).toEqual([0, 0])

  const owner = await ownerOf(await start())
  const headers = { authorization: `Bearer ${fixture.apiKey}`, 'content-type': 'application/json' }
  const created = await fetch(`${owner.url}/api/v1/accounts`, { method: 'POST', headers, body: '{"itemData":{}}' })
  expect(created.status).toBe(201)
  const copies = tables.map((table) => `INSERT INTO holdfast.${table} SELECT * FROM backup.${table}`)
  await sql(address, `TRUNCATE ${tables.map((table) => `holdfast.${table}`).join(', ')}; ${copies.join(';')}`)

  expect(await owner.ended).toBe(65)
  expect(owner.lines.join('\n')).toContain('has lost commits')
  // The other node owned nothing that could be lost, but another process has its id.
  expect(await nodes.find((node) => node !== owner)!.ended).toBe(76)
  expect(await sql(address, 'SELECT count(*)::text FROM holdfast.cell WHERE lost_history IS NULL')).toEqual([['0']])
})
