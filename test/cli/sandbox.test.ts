// `sandbox reset` empties a sandbox, and nothing else.
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { resetSandbox, travelSandbox } from '../../src/cli/sandbox-reset.ts'
import { loadSettings } from '../../src/config/settings.ts'
import { startService } from '../../src/service/service.ts'
import { startCommand } from '../config/command-line.ts'
import { Client } from '../e2e/client.ts'
import { eventually } from '../e2e/harness.ts'
import { freePair } from '../free-ports.ts'
import { Onchain } from '../e2e/onchain.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'holdfast-sandbox-'))
afterAll(() => rmSync(dataDir, { recursive: true, force: true }))

it("deletes the records and the chain of a stopped sandbox, and keeps the operator's keys", async () => {
  const environment = { HOLDFAST_DATA_DIR: dataDir, HOLDFAST_PORT: '0', HOLDFAST_LOG_LEVEL: 'silent' }
  const start = async () =>
    await startService(loadSettings({ ...environment, HOLDFAST_EMBEDDED_RPC_PORT: String(await freePair()) }))
  const settings = loadSettings(environment)
  let service = await start()
  const apiKey = readFileSync(join(dataDir, 'bootstrap.key'), 'utf8').trim()
  const { newAccount } = await new Client(service.url, apiKey).ok<{ newAccount: { offchainId: string } }>(
    201,
    'POST',
    '/accounts',
    { managed: true },
  )
  await expect(resetSandbox(settings)).rejects.toMatchObject({ exitCode: 75 })
  await service.stop()

  const remote = { HOLDFAST_CLUSTERS: '{"CHAIN_DEVNET":"http://127.0.0.1:1"}' }
  await expect(resetSandbox(loadSettings({ ...environment, ...remote }))).rejects.toThrow(
    'a cluster that is not embedded',
  )
  const other = { HOLDFAST_CLUSTERS: '{"CHAIN_DEVNET_1":"embedded"}' }
  await expect(resetSandbox(loadSettings({ ...environment, ...other }))).rejects.toThrow(
    'the records know CHAIN_DEVNET',
  )
  const { code, stderr } = await startCommand(['sandbox', 'reset'], { HOLDFAST_DATA_DIR: dataDir }).ended
  expect([code, stderr]).toEqual([64, expect.stringContaining('--yes')])
  expect(existsSync(join(dataDir, 'store'))).toBe(true)

  const secretsDir = mkdtempSync(join(dataDir, 'secrets-of-a-setting-'))
  for (const name of ['0b8e5a1e-9d4f-4c57-8d2a-6d1f3f0a9b11.json', 'notes.txt', 'other_tool.json'])
    writeFileSync(join(secretsDir, name), '{}')
  const { deleted } = await resetSandbox({ ...settings, secretsDir })
  expect(readdirSync(secretsDir).toSorted()).toEqual(['notes.txt', 'other_tool.json'])
  expect(deleted).toEqual(expect.arrayContaining([join(dataDir, 'store'), join(dataDir, 'chain')]))
  service = await start()
  const first = new Client(service.url, apiKey)
  await first.refuses(404, 'ACCOUNT_NOT_FOUND', 'POST', '/accounts/single', { offchainId: newAccount.offchainId })
  await service.stop()
})

it('advances the time of service and chain repeatedly, and a reset restores it', async () => {
  const environment = {
    HOLDFAST_DATA_DIR: dataDir,
    HOLDFAST_PORT: '0',
    HOLDFAST_LOG_LEVEL: 'silent',
    HOLDFAST_EMBEDDED_SLOT_MS: '50',
  }
  const settings = loadSettings(environment)
  const day = 86_400_000
  /** How far the chain and an event of the service are ahead. */
  const aheadDays = async (): Promise<readonly number[]> => {
    const port = await freePair()
    const service = await startService(loadSettings({ ...environment, HOLDFAST_EMBEDDED_RPC_PORT: String(port) }))
    const { connection } = new Onchain(`http://127.0.0.1:${port}`)
    const api = new Client(service.url, readFileSync(join(dataDir, 'bootstrap.key'), 'utf8').trim())
    await api.ok(201, 'POST', '/accounts', { managed: true })
    const { items } = (await api.bulk('/audit/bulk', {
      limit: 1,
      sort: [{ fieldName: 'sequence', sortDirection: 'DESC' }],
    })) as { items: { at: string }[] }
    const chainMs =
      (await eventually(async () => {
        const time = await connection.getBlockTime(await connection.getSlot('confirmed'))
        expect(time).not.toBeNull()
        return time!
      })) * 1_000
    await eventually(async () => expect((await fetch(`${service.url}/readyz`)).status).toBe(200))
    await service.stop()
    return [chainMs, Date.parse(items[0]!.at)].map((at) => Math.floor((at - Date.now()) / day + 0.5) + 0)
  }
  expect(await aheadDays()).toEqual([0, 0])
  await travelSandbox(settings, 30 * day)
  expect(await aheadDays()).toEqual([30, 30])
  await travelSandbox(settings, 335 * day)
  expect(await aheadDays()).toEqual([365, 365])
  await expect(
    travelSandbox(loadSettings({ ...environment, HOLDFAST_CLUSTERS: '{"CHAIN_DEVNET":"http://127.0.0.1:1"}' }), day),
  ).rejects.toThrow('not embedded')
  await resetSandbox(settings)
  expect(await aheadDays()).toEqual([0, 0])
})
