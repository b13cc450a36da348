// The lists of all organizations and API keys, first in one cell and then in two on two nodes: the same answers at each
// node, to SYSTEM; and to a tenant, what it administers.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Client } from '../../e2e/client.ts'
import { openClusterFixture, type ClusterFixture, type NodeProcess } from '../cluster-fixture.ts'
import { divideCells, firstNode, newTenant, untilServed, type Tenant } from '../two-nodes.ts'

const ORGANIZATIONS = '/admin/organizations/bulk'
const KEYS = '/admin/api-keys/bulk'

let fixture: ClusterFixture
let node: NodeProcess
let nodes: NodeProcess[]
let acme: Tenant
let beta: Tenant
/** The answers in one cell. */
let before: Record<string, Shown>

type Shown = readonly [count: number, items: readonly object[]]

beforeAll(async () => {
  fixture = await openClusterFixture({ LEASE_MS: '10000' })
  node = await firstNode(fixture)
  acme = await newTenant(fixture, node, 'ACME')
  beta = await newTenant(fixture, node, 'BETA')
  for (const { api, externalId } of [acme, beta]) {
    const sub = { externalId: `${externalId}-SUB`, parentExternalId: externalId, name: `sub of ${externalId}` }
    await api.ok(201, 'POST', '/admin/organizations', sub)
    for (const name of ['one', 'two', 'three']) {
      const key = { organizationExternalId: sub.externalId, name, roles: ['ACCOUNTS_READ'] }
      const { keyId } = await api.ok<{ keyId: string }>(201, 'POST', '/admin/api-keys', key)
      if (name === 'two') await api.ok(200, 'PATCH', '/admin/api-keys/disable', { keyId })
    }
  }
  await acme.api.ok(200, 'PATCH', '/admin/freeze', { organizationExternalId: 'ACME-SUB' })
  await acme.api.ok(200, 'PATCH', '/admin/lanes/suspend', { organizationExternalId: 'ACME-SUB' })
  await acme.api.ok(200, 'PATCH', '/admin/lanes/suspend', { organizationExternalId: 'ACME' })
  await acme.api.ok(200, 'PATCH', '/admin/lanes/resume', { organizationExternalId: 'ACME' })
  before = await answers(systemAt(node))
  nodes = await divideCells(fixture, node, acme)
  await untilServed([acme, beta].map(({ key }) => ({ api: new Client(nodes[0]!.url, key) }) as Tenant))
})
afterAll(async () => fixture[Symbol.asyncDispose]())

const systemAt = ({ url }: NodeProcess): Client => new Client(url, fixture.apiKey)

const equals = (fieldName: string, valueString: string) => ({
  ...{ fieldName, filterValues: [{ filterType: 'EQUALS', valueString }] },
})
const sort = (fieldName: string, sortDirection = 'ASC') => ({ sort: [{ fieldName, sortDirection }] })

async function shown(api: Client, path: string, query: object, tenancy: object = {}): Promise<Shown> {
  const { count, items } = (await api.bulk(path, query, tenancy)) as { count: number; items: object[] }
  // Each request updates the last use of a key.
  return [count, items.map((item) => ({ ...item, lastUsedAt: null }))]
}

const QUERIES: readonly (readonly [path: string, query: object])[] = [
  [ORGANIZATIONS, { ...sort('externalId') }],
  [ORGANIZATIONS, { ...sort('name', 'DESC'), skip: 1, limit: 2 }],
  [ORGANIZATIONS, { ...sort('externalId'), skip: 3, limit: 10 }],
  [ORGANIZATIONS, { ...sort('externalId'), limit: 0 }],
  [ORGANIZATIONS, { filter: [equals('externalId', 'ACME-SUB')] }],
  [ORGANIZATIONS, { filter: [equals('parentExternalId', 'BETA')] }],
  [ORGANIZATIONS, { filter: [equals('name', 'sub of ACME')] }],
  [KEYS, { ...sort('keyId') }],
  ...[0, 3, 6].map((skip) => [KEYS, { ...sort('keyId', 'DESC'), skip, limit: 3 }] as const),
  [KEYS, { filter: [equals('organizationExternalId', 'ACME-SUB')], ...sort('name') }],
  [
    KEYS,
    {
      filter: [{ fieldName: 'disabled', filterValues: [{ filterType: 'EQUALS', valueBoolean: true }] }],
      ...sort('keyId'),
    },
  ],
]

async function answers(api: Client, tenancy: object = {}): Promise<Record<string, Shown>> {
  const all: Record<string, Shown> = {}
  for (const [path, query] of QUERIES) all[`${path} ${JSON.stringify(query)}`] = await shown(api, path, query, tenancy)
  return all
}

describe('the lists of SYSTEM', () => {
  it('contain organizations and keys of every cell, in the same pages and orders, at each node', async () => {
    expect(Object.values(before)[0]?.[0]).toBe(5)
    expect(JSON.stringify(before)).toContain('"suspendedOnClusters":["CHAIN_DEVNET"]')
    for (const each of nodes) expect(await answers(systemAt(each))).toEqual(before)
  })

  it('are the same when SYSTEM acts for a tenant of another cell, which serves it', async () => {
    const tenancyConfig = { overrideOrganizationExternalId: 'ACME' }
    for (const each of nodes) expect(await answers(systemAt(each), { tenancyConfig })).toEqual(before)
  })

  it('contain a change of another cell at once', async () => {
    const acmeAt = new Client(nodes[0]!.url, acme.key)
    await acmeAt.ok(200, 'PATCH', '/admin/organizations', { externalId: 'ACME', name: 'Renamed' })
    const [count, items] = await shown(systemAt(nodes[0]!), ORGANIZATIONS, { filter: [equals('name', 'Renamed')] })
    expect([count, items]).toEqual([1, [expect.objectContaining({ externalId: 'ACME' })]])
  })
})

describe('the lists of a tenant', () => {
  it.each(['ACME', 'BETA'])('contain the records that %s administers, and nothing of other cells', async (tenant) => {
    const { key } = tenant === 'ACME' ? acme : beta
    for (const each of nodes) {
      const api = new Client(each.url, key)
      const [count, organizations] = await shown(api, ORGANIZATIONS, sort('externalId'))
      expect([count, organizations]).toEqual([
        2,
        [tenant, `${tenant}-SUB`].map((externalId) => expect.objectContaining({ externalId }) as unknown),
      ])
      expect((await shown(api, KEYS, {}))[0]).toBe(4)
    }
  })
})
