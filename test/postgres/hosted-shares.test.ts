// The limit of a process for any number of hosted cells: the open requests to outside hosts.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { AssembledService } from '../../src/service/assemble.ts'
import { SERVER_CAPS } from '../../src/config/server-caps.ts'
import { loadSettings } from '../../src/config/settings.ts'
import { startService, type Service } from '../../src/service/service.ts'
import { openClusterFixture, type ClusterFixture } from './cluster-fixture.ts'
import { emptyCells } from './empty-cells.ts'
import { until } from './nodes-fixture.ts'
import { addressOf } from './postgres.ts'

const folder = mkdtempSync(join(tmpdir(), 'holdfast-shares-'))
const cells: AssembledService[] = []
let fixture: ClusterFixture
let service: Service

beforeAll(async () => {
  fixture = await openClusterFixture()
  await emptyCells(addressOf(fixture.postgres), ['red'])
  const settings = loadSettings({
    HOLDFAST_DATA_DIR: folder,
    HOLDFAST_PORT: '0',
    HOLDFAST_LOG_LEVEL: 'silent',
    HOLDFAST_STORE: fixture.store,
    HOLDFAST_NODE_ID: 'a',
    HOLDFAST_NODE_SECRET: 'a secret of the nodes'.replaceAll(' ', '-').padEnd(32, '-'),
    HOLDFAST_MASTER_KEY: Buffer.alloc(32, 7).toString('base64'),
    HOLDFAST_BOOTSTRAP_KEY: fixture.apiKey,
    HOLDFAST_PLAYERS: '',
    HOLDFAST_SECRETS_DIR: join(folder, 'secrets'),
    HOLDFAST_CLUSTERS: fixture.clusters,
  })
  service = await startService(settings, { opened: (cell) => void cells.push(cell) })
  await until('both cells are open', () => cells.length === 2)
})
afterAll(async () => {
  await service.stop()
  await fixture[Symbol.asyncDispose]()
  rmSync(folder, { recursive: true, force: true })
})

it('limits the requests of two cells together to the outside hosts as those of one', async () => {
  const [main, red] = cells.map(({ platform }) => platform.outboundShares!)
  const { permits, deliveries } = main!
  const never = (): void => undefined
  let heldCount = 0
  for (let tenant = 0; heldCount < SERVER_CAPS.outboundRequests; tenant += 1)
    while (heldCount < SERVER_CAPS.outboundRequests && permits.take(`T${tenant}`, never)) heldCount += 1
  expect(red!.permits.take('OTHER', never)).toBe(false)
  expect(red!.deliveries.take({ tenant: 'OTHER', organization: 'OTHER' }, never)).toBe(false)
  const order: string[] = []
  const run = red!.run('OTHER', 1, () => Promise.resolve(order.push('runs')))
  order.push('waits')
  permits.give('T0')
  await run
  expect(order).toEqual(['waits', 'runs'])
  expect(deliveries).toBe(red!.deliveries)
})
