// A node with several cells, as a real process on a real database: it serves a tenant in another cell than SYSTEM.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { holdfast } from '../../src/client/client.ts'
import { openClusterFixture, type ClusterFixture, type NodeProcess } from './cluster-fixture.ts'
import { until } from './nodes-fixture.ts'
import { moveTenant } from './second-cell.ts'

let fixture: ClusterFixture
let node: NodeProcess
beforeAll(async () => {
  fixture = await openClusterFixture({ LEASE_MS: '3000' })
  node = await fixture.start('a')
})
afterAll(async () => fixture[Symbol.asyncDispose]())

const metrics = async (): Promise<string> => await (await fetch(`${node.url}/metrics`)).text()

it('serves the tenants of each cell, with the rights and switches of SYSTEM', async () => {
  const system = () => holdfast({ url: node.url, apiKey: fixture.apiKey })
  await until('it serves', async () => (await metrics()).includes('holdfast_cell_owner{cell="main"} 1'))
  await system().post('/admin/organizations', { itemData: { externalId: 'ACME', name: 'Acme' } })
  const newKey = (await system().post('/admin/api-keys', {
    itemData: { organizationExternalId: 'ACME', name: 'acme', roles: ['ACCOUNTS_READ', 'ACCOUNTS_WRITE'] },
  })) as unknown as { readonly apiKey: string }
  const spare = (await system().post('/admin/api-keys', {
    itemData: { organizationExternalId: 'SYSTEM', name: 'spare', roles: ['ACCOUNTS_READ'] },
  })) as unknown as { readonly keyId: string }
  node = await moveTenant(fixture, node, 'ACME')
  await until('it serves both', async () => {
    const text = await metrics()
    return ['main', 'red'].every((cell) => text.includes(`holdfast_cell_owner{cell="${cell}"} 1`))
  })
  const acme = holdfast({ url: node.url, apiKey: newKey.apiKey })
  expect(await acme.get('/whoami')).toMatchObject({ organizationExternalId: 'ACME' })
  expect(await system().get('/whoami')).toMatchObject({ organizationExternalId: 'SYSTEM' })
  await system().patch('/admin/freeze', { itemData: {} })
  expect(await acme.get('/whoami')).toMatchObject({ switches: { everythingFrozen: true } })
  await system().patch('/admin/unfreeze', { itemData: {} })
  expect(await acme.get('/whoami')).toMatchObject({ switches: { everythingFrozen: false } })
  const disabled = system().patch('/admin/api-keys/disable', {
    tenancyConfig: { overrideOrganizationExternalId: 'ACME' },
    itemData: { keyId: spare.keyId },
  })
  await expect(disabled).rejects.toMatchObject({ status: 400, problems: [{ code: 'OTHER_CELL' }] })
  expect(await metrics()).toMatch(/holdfast_store_commits_total\{cell="red"\} \d+/)
  for (const each of ['repeated', 'found_applied'])
    expect(await metrics()).toMatch(new RegExp(`holdfast_store_commits_${each}_total\\{cell="red"\\} \\d+`))
})
