// One process with several threads, each a node: cells are distributed over them, each serves every tenant, and an
// error that ends a thread ends the process.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createCell } from '../../src/cli/cells/create-cell.ts'
import { moveToCell } from '../../src/cli/cells/move-tenant.ts'
import { NodeRows } from '../../src/nodes/node-rows.ts'
import { prepareDatabase } from '../../snapshots/postgres/postgres-store.ts'
import { apiOf, refOf, type Api } from '../crash/api.ts'
import { openClusterFixture, type ClusterFixture, type NodeProcess } from './cluster-fixture.ts'
import { until } from './nodes-fixture.ts'
import { placeCells } from './place-cells.ts'
import { addressOf, sql } from './postgres.ts'

let fixture: ClusterFixture
let node: NodeProcess
let acmeKey: string

const rows = (text: string) => sql(addressOf(fixture.postgres), text)
const liveNodes = () => rows('SELECT id, url FROM holdfast.node WHERE expires_at > now() ORDER BY id')

beforeAll(async () => {
  fixture = await openClusterFixture({ LEASE_MS: '2000' })
  node = await fixture.start('a', { settings: { WORKERS: '2' } })
})
afterAll(async () => fixture[Symbol.asyncDispose]())

const ready = (url: string): Promise<void> =>
  until('it is ready', async () => (await fetch(`${url}/readyz`).catch(() => null))?.status === 200, 60_000)

describe('two threads', () => {
  it('are two nodes, with a cell each, and each accepts every request', async () => {
    await until('both have joined', async () => (await liveNodes()).length === 2)
    const [[one, first], [other, second]] = (await liveNodes()) as [[string, string], [string, string]]
    expect([one, other, first]).toEqual(['a', 'a.2', node.url])
    const system = apiOf(first, fixture.apiKey)
    await ready(first)
    await system.make('/admin/organizations', { externalId: 'ACME', name: 'Acme' })
    const roles = ['ACCOUNTS_READ', 'ACCOUNTS_WRITE']
    acmeKey = (await system.make('/admin/api-keys', { organizationExternalId: 'ACME', name: 'acme', roles }))[
      'apiKey'
    ] as string
    const { database } = await prepareDatabase({ address: addressOf(fixture.postgres), waitMs: 30_000 })
    const lane = database.lane()
    try {
      const service = { database, rows: new NodeRows(lane, 30_000) }
      await createCell(service, 'red')
      await moveToCell(service, 'ACME', 'red')
    } finally {
      lane.destroy()
      database.close()
    }
    await placeCells(addressOf(fixture.postgres), { main: 'a', red: 'a.2' })
    for (const url of [first, second]) {
      await ready(url)
      const acme: Api = apiOf(url, acmeKey)
      const account = refOf(await acme.make('/accounts', { managed: true }), 'newAccount')
      expect(await acme.get('/accounts/single', { offchainId: account.offchainId })).toMatchObject({
        onchain: { id: account.onchainId },
      })
      expect(await apiOf(url, fixture.apiKey).get('/accounts/single/balance', account).catch(String)).toContain(
        'ACCOUNT_NOT_FOUND',
      )
    }
  })

  it('end together when one of them is replaced', async () => {
    // Another process has the id of the second thread: it is no longer a member.
    await rows(`UPDATE holdfast.node SET incarnation = gen_random_uuid() WHERE id = 'a.2'`)
    expect(await node.ended).toBe(76)
    node = await fixture.start('a', { settings: { WORKERS: '2' } })
    await ready(node.url)
  })

  it('leave together when the process is stopped', async () => {
    node.signal('SIGTERM')
    expect(await node.ended).toBe(0)
    expect(await liveNodes()).toEqual([])
  })
})
