// Cells with a row that cannot be read, and nodes as real processes: the nodes serve the other cells.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { holdfast } from '../../../src/client/client.ts'
import { openClusterFixture, readyz, type ClusterFixture, type NodeProcess } from '../cluster-fixture.ts'
import { until } from '../nodes-fixture.ts'
import { addressOf, sql } from '../postgres.ts'
import { moveTenant } from '../second-cell.ts'

let fixture: ClusterFixture
let first: NodeProcess
beforeAll(async () => {
  fixture = await openClusterFixture({ LEASE_MS: '3000' })
  first = await fixture.start('a')
})
afterAll(async () => await fixture[Symbol.asyncDispose]())

const ask = (text: string): Promise<(readonly (string | null)[])[]> => sql(addressOf(fixture.postgres), text)
const system = () => holdfast({ url: first.url, apiKey: fixture.apiKey })
const serves = async (...cells: string[]): Promise<boolean> => {
  const owned = await ask('SELECT cell FROM holdfast.cell WHERE node IS NOT NULL')
  return cells.every((cell) => owned.some(([each]) => each === cell))
}
const hasGivenUp = ({ lines }: NodeProcess): boolean =>
  lines.some((line) => line.includes('the rows of the cell cannot be read'))

/** Damages a record of the tenant. Returns how to repair it. */
async function damage(tenant: string): Promise<() => Promise<unknown>> {
  const where = `WHERE key = (SELECT min(key) FROM holdfast.row WHERE key LIKE 'r!${tenant}!%')`
  const [[key, value] = []] = await ask(`SELECT key, value FROM holdfast.row ${where}`)
  await ask(`UPDATE holdfast.row SET value = '{' WHERE key = '${key!}'`)
  return () => ask(`UPDATE holdfast.row SET value = '${value!.replaceAll("'", "''")}' WHERE key = '${key!}'`)
}

it('a cell with a damaged row ends no node, is named, and is served again when the row is repaired', async () => {
  await until('it serves', () => serves('main'))
  await system().post('/admin/organizations', { itemData: { externalId: 'ACME', name: 'Acme' } })
  const { apiKey } = (await system().post('/admin/api-keys', {
    itemData: { organizationExternalId: 'ACME', name: 'acme', roles: ['ACCOUNTS_READ'] },
  })) as unknown as { readonly apiKey: string }
  first = await moveTenant(fixture, first, 'ACME')
  const nodes = [first, await fixture.start('b')]
  await until('both cells are served', () => serves('main', 'red'))

  const repair = await damage('ACME')
  const [[owner] = []] = await ask("SELECT node FROM holdfast.cell WHERE cell = 'red'")
  await ask(`UPDATE holdfast.cell SET wanted = '${owner === 'a' ? 'b' : 'a'}' WHERE cell = 'red'`)
  await until('each node has tried', () => nodes.every((node) => hasGivenUp(node) || node.hasEnded))
  expect(nodes.map(({ hasEnded }) => hasEnded)).toEqual([false, false])
  for (const { url } of nodes) {
    await until('it is ready without the cell', async () => {
      const { status, checks } = await readyz(url)
      return status === 'ok' && checks['rows'] === 'the rows of red cannot be read: see the log'
    })
    expect(await holdfast({ url, apiKey: fixture.apiKey }).get('/whoami')).toMatchObject({
      organizationExternalId: 'SYSTEM',
    })
    const answer = await fetch(`${url}/api/v1/whoami`, { headers: { authorization: `Bearer ${apiKey}` } })
    expect(answer.status).toBe(503)
  }

  await repair()
  await until('the cell is served again', () => serves('main', 'red'))
  for (const { url } of nodes)
    expect(await holdfast({ url, apiKey }).get('/whoami')).toMatchObject({ organizationExternalId: 'ACME' })
  expect(nodes.map(({ hasEnded }) => hasEnded)).toEqual([false, false])
  await Promise.all(
    nodes.map(async (node) => {
      node.signal('SIGTERM')
      expect(await node.ended).toBe(0)
    }),
  )
})

it('a node ends with 65 if its only cell has a damaged row', async () => {
  await using alone = await openClusterFixture({ LEASE_MS: '3000' })
  const before = await alone.start('a')
  const asked = (text: string) => sql(addressOf(alone.postgres), text)
  await until('it serves', async () => (await fetch(`${before.url}/readyz`)).status === 200)
  before.signal('SIGTERM')
  expect(await before.ended).toBe(0)
  await asked(
    "UPDATE holdfast.row SET value = '{' WHERE key = (SELECT min(key) FROM holdfast.row WHERE key LIKE 'r!SYSTEM!%')",
  )
  const after = await alone.start('a')
  expect(await after.ended).toBe(65)
})
