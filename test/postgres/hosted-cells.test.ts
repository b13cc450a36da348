// A node with several cells, as a real process on a real database: it serves a tenant in another cell than SYSTEM.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { holdfast } from '../../src/client/client.ts'
import { startCommand } from '../config/command-line.ts'
import { openClusterFixture, type ClusterFixture, type NodeProcess } from './cluster-fixture.ts'
import { until } from './nodes-fixture.ts'
import { addressOf, sql } from './postgres.ts'
import { moveTenant } from './second-cell.ts'

const scratch = mkdtempSync(join(tmpdir(), 'holdfast-hosted-'))
let fixture: ClusterFixture
let node: NodeProcess
beforeAll(async () => {
  fixture = await openClusterFixture({ LEASE_MS: '3000' })
  node = await fixture.start('a')
})
afterAll(async () => {
  await fixture[Symbol.asyncDispose]()
  rmSync(scratch, { recursive: true, force: true })
})

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
  // Each cell opens the database; the operator reads its warnings once.
  expect(node.lines.filter((line) => line.includes('no synchronous standby'))).toHaveLength(1)
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

it('is backed up, verified, and restored into one cell', async () => {
  const heard = "SELECT 1 FROM holdfast.row WHERE key = 's!heard!red'"
  await until('red has followed SYSTEM', async () => (await sql(addressOf(fixture.postgres), heard)).length === 1)
  const run = async (...words: string[]): Promise<void> => {
    const { code, stdout, stderr } = await startCommand(words, {}).ended
    expect(code, `${words[0]}: ${stdout}${stderr}`).toBe(0)
  }
  const file = join(scratch, 'cells.hfb')
  await run('backup', file, '--store', fixture.store)
  await run('verify', '--store', fixture.store)
  await run('verify', file)
  await run('restore', file, '--data-dir', join(scratch, 'restored'))
  const { stdout } = await startCommand(
    ['export', '--records', '--tenant', 'ACME', '--data-dir', join(scratch, 'restored')],
    {},
  ).ended
  expect(stdout).toContain('"tenant":"ACME"')
})
