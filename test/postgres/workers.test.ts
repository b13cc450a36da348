// One process with several threads, each a node: cells are distributed over them, each serves every tenant, and an
// error that ends a thread ends the process.
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { createCell } from '../../src/cli/cells/create-cell.ts'
import { moveToCell } from '../../src/cli/cells/move-tenant.ts'
import { NodeRows } from '../../src/nodes/node-rows.ts'
import { connect } from '../../snapshots/postgres/connection.ts'
import { prepareDatabase } from '../../snapshots/postgres/postgres-store.ts'
import { apiOf, refOf, type Api } from '../crash/api.ts'
import { openClusterFixture, type ClusterFixture, type ClusterProcess, type NodeProcess } from './cluster-fixture.ts'
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

describe('two threads, the second of which fails', () => {
  const WORKERS = { settings: { WORKERS: '2' } }
  /** Another process with the id of the second thread. */
  const hold = () =>
    rows(`
      INSERT INTO holdfast.node (id, incarnation, url, release, reads, draining, expires_at)
      VALUES ('a.2', gen_random_uuid(), 'http://127.0.0.1:1', 'none', 1000, false, now() + interval '1 hour')
      ON CONFLICT (id) DO UPDATE SET incarnation = excluded.incarnation, expires_at = excluded.expires_at`)
  /** Renews that lease until the end of the scope, as a process that runs does. */
  const renewing = (): Disposable => {
    const timer = setInterval(() => {
      rows(`UPDATE holdfast.node SET expires_at = expires_at + interval '1 second' WHERE id = 'a.2'`).catch(() => {
        // The test ends if the lease is not renewed.
      })
    }, 300)
    return { [Symbol.dispose]: () => clearInterval(timer) }
  }
  const free = () => rows(`UPDATE holdfast.node SET expires_at = now() WHERE id = 'a.2'`)
  afterEach(free)
  const beginsToWait = (process: ClusterProcess) =>
    process.find((line) => (line.includes('"node":"a.2"') && line.includes('waiting for its end') ? true : undefined))

  it('end with its exit code if its start fails', async () => {
    await hold()
    using _lease = renewing()
    const process = fixture.begin('a', WORKERS)
    expect(await process.ended).toBe(75)
    expect(process.lines.join('\n')).toContain('another node with the id a.2 is alive')
  })

  it('stop in order if a signal comes while it starts, whatever other signals follow', async () => {
    await hold()
    // The thread waits for the end of that lease, longer than the first needs to hand over.
    const process = fixture.begin('a', WORKERS)
    await beginsToWait(process)
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGTERM'] as const) process.signal(signal)
    await process.find((line) => line.includes('handed the cell over') || undefined)
    await free()
    expect(await process.ended).toBe(0)
    expect(await liveNodes()).toEqual([])
    expect(process.lines.filter((line) => line.startsWith('holdfast'))).toEqual([])
  })

  it('end with its exit code if its start fails after the signal', async () => {
    await hold()
    const process = fixture.begin('a', WORKERS)
    await beginsToWait(process)
    process.signal('SIGTERM')
    using _lease = renewing()
    expect(await process.ended).toBe(75)
    expect(process.lines).toContain('holdfast: thread 2 has ended with code 75')
    expect((await liveNodes()).map(([id]) => id)).toEqual(['a.2'])
  })

  it('end with its exit code if it is replaced while it hands its cells over', async () => {
    node = await fixture.start('a', WORKERS)
    await placeCells(addressOf(fixture.postgres), { main: 'a.2', red: 'a.2' })
    await until('the second thread serves both', async () => {
      const [[url] = []] = await rows(`SELECT url FROM holdfast.node WHERE id = 'a.2'`)
      return (
        (await (await fetch(`${String(url)}/metrics`)).text()).match(/^holdfast_cell_owner\{.*\} 1$/gm)?.length === 2
      )
    })
    const lock = await connect(addressOf(fixture.postgres), { boundMs: 30_000 })
    try {
      await lock.query({ text: 'BEGIN' }, [], 30_000)
      await lock.query({ text: 'LOCK TABLE holdfast.cell IN EXCLUSIVE MODE' }, [], 30_000)
      node.signal('SIGTERM')
      await node.find((line) => line.includes('the cell was not handed over yet') || undefined)
      await rows(`UPDATE holdfast.node SET incarnation = gen_random_uuid() WHERE id = 'a.2'`)
      expect(await node.ended).toBe(76)
    } finally {
      lock.destroy()
    }
  })
})
