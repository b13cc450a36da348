// Two cells on two nodes: tenants are created in one cell, and then one of them gets its own cell.
import { expect } from 'vitest'
import { Client } from '../e2e/client.ts'
import { eventually } from '../e2e/harness.ts'
import { Onchain } from '../e2e/onchain.ts'
import { Records } from '../e2e/records.ts'
import { metricOf, type ClusterFixture, type NodeProcess, type NodeStart } from './cluster-fixture.ts'
import { until } from './nodes-fixture.ts'
import { placeCells } from './place-cells.ts'
import { addressOf, sql } from './postgres.ts'
import { SECOND } from './second-cell.ts'

export interface Tenant {
  readonly externalId: string
  readonly key: string
  api: Client
  records: Records
}

const SERVED_MS = 60_000

export async function firstNode(fixture: ClusterFixture): Promise<NodeProcess> {
  const node = await fixture.start('a')
  await until('it serves', async () => (await metricOf(node.url, 'holdfast_cell_owner')) === 1)
  return node
}

export async function newTenant(fixture: ClusterFixture, { url }: NodeProcess, externalId: string): Promise<Tenant> {
  const system = new Client(url, fixture.apiKey)
  await system.ok(201, 'POST', '/admin/organizations', { externalId, name: externalId })
  const body = { organizationExternalId: externalId, name: 'test', bundle: 'ADMIN' }
  const { apiKey } = await system.ok<{ apiKey: string }>(201, 'POST', '/admin/api-keys', body)
  const tenant = { externalId, key: apiKey } as Tenant
  askAt(fixture, tenant, url)
  return tenant
}

/** The tenant uses this node from now on. */
export function askAt({ rpcUrl }: ClusterFixture, tenant: Tenant, url: string): void {
  tenant.api = new Client(url, tenant.key)
  tenant.records = new Records(tenant.api, new Onchain(rpcUrl))
}

/** Gives the tenant its own cell, on node `b`; `a` keeps the others. Returns both. */
export async function divideCells(fixture: ClusterFixture, node: NodeProcess, tenant: Tenant): Promise<NodeProcess[]> {
  const ask = (text: string) => sql(addressOf(fixture.postgres), text)
  node.signal('SIGTERM')
  await node.ended
  await ask(`INSERT INTO holdfast.cell (cell, epoch) VALUES ('${SECOND}', 0)`)
  await ask(`INSERT INTO holdfast.step VALUES ('${SECOND}', 0, '00000000-0000-0000-0000-000000000000')`)
  await ask(`UPDATE holdfast.tenant SET cell = '${SECOND}' WHERE tenant = '${tenant.externalId}'`)
  const nodes = await Promise.all(['a', 'b'].map((id) => fixture.start(id)))
  await placeCells(addressOf(fixture.postgres), { main: 'a', [SECOND]: 'b' })
  return nodes
}

export async function untilServed(tenants: readonly Tenant[]): Promise<void> {
  for (const { api } of tenants)
    await eventually(async () => expect((await api.get('/whoami')).status).toBe(200), SERVED_MS)
}

/** Kills the node, and starts it again. */
export async function killAndRestart(
  fixture: ClusterFixture,
  nodes: NodeProcess[],
  name: string,
  options: NodeStart = {},
): Promise<void> {
  const at = nodes.findIndex((node) => node.name === name)
  nodes[at]!.signal('SIGKILL')
  await nodes[at]!.ended
  nodes[at] = await fixture.start(name, options)
}
