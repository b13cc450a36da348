// `doctor` for a database beside a service that runs on the same machine, on this database or with another store.
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Postgres } from '../../../bench/postgres/server.ts'
import { addressText } from '../../../snapshots/postgres/address.ts'
import { UNFINISHED_RESTORE } from '../../../snapshots/postgres/lost-history.ts'
import { examine } from '../../../src/cli/doctor.ts'
import { dataLayout } from '../../../src/config/data-layout.ts'
import { MASTER_KEY_CHECK } from '../../../src/config/secrets.ts'
import { loadSettings } from '../../../src/config/settings.ts'
import type { ServiceStatus } from '../../../src/http/owner-questions.ts'
import { addressOf, claimedStore, emptySchema, ownPostgres, sql } from '../postgres.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'holdfast-doctor-'))
let postgres: Postgres
let store = ''
const server = createServer((_, response) => void response.end(JSON.stringify(status())))
const status = (): ServiceStatus => ({
  ...{ release: '0.1.0', pid: 1, store, masterKeyId: 'of the service', genesisHashes: {} },
  ...{ chainRpcUrl: null, feePayers: [], archive: null },
})

beforeAll(async () => {
  postgres = await ownPostgres()
  await new Promise<void>((resolve) => server.listen(dataLayout(dataDir).socket, resolve))
})
afterAll(async () => {
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
  await postgres[Symbol.asyncDispose]()
  rmSync(dataDir, { recursive: true, force: true })
})

/** Verdicts by check. */
async function verdicts(): Promise<Readonly<Record<string, string>>> {
  const settings = loadSettings({ HOLDFAST_DATA_DIR: dataDir })
  const checks = await examine({ ...settings, clusters: [], store: addressOf(postgres) }, { leastBalance: 0n })
  return Object.fromEntries(checks.map(({ check, verdict }) => [check, verdict]))
}

/** A database of which no key has sealed anything. */
async function filledDatabase(): Promise<void> {
  await emptySchema(addressOf(postgres))
  const filled = await claimedStore(addressOf(postgres))
  const ops = [{ type: 'meta', name: 'something', value: 1 }] as const
  await filled.commit([{ tenant: 'SYSTEM', epoch: filled.epoch, ops }])
  expect(filled.meta(MASTER_KEY_CHECK)).toBeUndefined()
  await filled.close()
}

it.each([
  ['the database', () => addressText(addressOf(postgres))],
  ['another store', () => 'level'],
])('a database without a store is found beside a service with %s', async (_what, ofService) => {
  store = ofService()
  await emptySchema(addressOf(postgres))
  expect(await verdicts()).toMatchObject({ database: 'failed' })
})

it('a restore that has not finished is found', async () => {
  store = addressText(addressOf(postgres))
  await filledDatabase()
  await sql(addressOf(postgres), `UPDATE holdfast.cell SET lost_history = '${UNFINISHED_RESTORE}: 1'`)
  expect(await verdicts()).toMatchObject({ database: 'failed' })
})

it('the values of a service are compared only if it has the database', async () => {
  await filledDatabase()
  store = addressText(addressOf(postgres))
  // This machine has no master key, and the service has one.
  const same = await verdicts()
  expect(same).toMatchObject({ service: 'ok', database: 'ok', 'master key': 'failed' })
  expect(same).not.toHaveProperty('service store')
  store = 'level'
  expect(await verdicts()).toMatchObject({ 'service store': 'warning', database: 'ok', 'master key': 'ok' })
})
