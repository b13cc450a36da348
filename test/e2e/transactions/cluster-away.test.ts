// A service on two clusters, one of which is unreachable when the service starts.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { loadSettings } from '../../../src/config/settings.ts'
import { generateApiKey } from '../../../src/keys/api-key.ts'
import { startService, type Service } from '../../../src/service/service.ts'
import { serveChain, type ServedChain } from '../../localnet/rpc-chain.ts'
import { Client } from '../client.ts'
import { eventually } from '../harness.ts'
import { LyingNode } from './lying-node.ts'
import type { Ids, NewAccount } from '../models.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'holdfast-cluster-away-'))
const { apiKey } = generateApiKey()
let chains: ServedChain[]
let here: LyingNode
let away: LyingNode
let service: Service
let api: Client

async function start(): Promise<void> {
  service = await startService(
    loadSettings({
      HOLDFAST_DATA_DIR: dataDir,
      HOLDFAST_PORT: '0',
      HOLDFAST_BOOTSTRAP_KEY: apiKey,
      HOLDFAST_MASTER_KEY: Buffer.alloc(32, 7).toString('base64'),
      HOLDFAST_CLUSTERS: JSON.stringify({
        CHAIN_DEVNET: { endpoints: here.url, minSlotMs: 20 },
        CHAIN_DEVNET_1: { endpoints: away.url, minSlotMs: 20 },
      }),
      HOLDFAST_RATE_LIMIT: '1000000/1000000',
      HOLDFAST_LOG_LEVEL: 'silent',
    }),
  )
  api = new Client(service.url, apiKey)
}

beforeAll(async () => {
  chains = [await serveChain(), await serveChain()]
  here = await LyingNode.before(chains[0]!.url)
  away = await LyingNode.before(chains[1]!.url)
  await start()
})
afterAll(async () => {
  await service.stop()
  await Promise.all([here.stop(), away.stop(), ...chains.map((chain) => chain.close())])
  rmSync(dataDir, { recursive: true, force: true })
})

const TICK_MS = 100
const ON_AWAY = '?chainClusterId=CHAIN_DEVNET_1'

async function balanceStatus(ids: Ids, query = ''): Promise<readonly [number, string | undefined]> {
  const answer = await api.send<{ errors?: { code: string }[] }>('POST', `/accounts/single/balance${query}`, {
    offchainId: ids.offchainId,
  })
  return [answer.status, answer.body.errors?.[0]?.code]
}

async function chainChecks(): Promise<Record<string, string>> {
  const response = await fetch(`${service.url}/readyz`)
  return ((await response.json()) as { checks: Record<string, string> }).checks
}

it('starts while a cluster is unreachable, serves the other, and uses both once it is back', async () => {
  const make = async (query = ''): Promise<Ids> =>
    (await api.ok<NewAccount>(201, 'POST', `/accounts${query}`, {})).newAccount
  const [near, far] = [await make(), await make(ON_AWAY)]
  await service.stop()
  away.isDown = true
  await start()
  await eventually(async () => expect(await balanceStatus(near)).toEqual([200, undefined]))
  expect(await balanceStatus(far, ON_AWAY)).toEqual([503, 'CLUSTER_UNAVAILABLE'])
  const record = await api.send('POST', `/accounts/single${ON_AWAY}`, { offchainId: far.offchainId })
  expect(record.status).toBe(200)
  // Requests that need no chain work on both clusters.
  for (const query of ['', ON_AWAY]) {
    const operatorFreeze = async (isFrozen: boolean): Promise<void> => {
      const account = { offchainId: query === '' ? near.offchainId : far.offchainId }
      await api.ok(200, 'PATCH', `/admin/${isFrozen ? 'freeze' : 'unfreeze'}${query}`, { account })
      const storedRecord = await api.ok<{ frozenByOperator: boolean }>(200, 'POST', `/accounts/single${query}`, account)
      expect(storedRecord.frozenByOperator).toBe(isFrozen)
    }
    await operatorFreeze(true)
    await operatorFreeze(false)
    const { count } = (await api.bulk(`/audit/bulk${query}`, {})) as { count: number }
    expect(count).toBeGreaterThan(3)
  }
  await eventually(async () =>
    expect((await chainChecks())['chain CHAIN_DEVNET_1']).toBe('the cluster does not answer'),
  )
  await eventually(async () => expect((await chainChecks())['chain CHAIN_DEVNET']).toBe('ok'))
  away.isDown = false
  await eventually(async () => expect(await balanceStatus(far, ON_AWAY)).toEqual([200, undefined]))
  await eventually(async () => expect((await chainChecks())['chain CHAIN_DEVNET_1']).toBe('ok'))
})

it('reports within seconds that a cluster is unreachable', async () => {
  // Time as the timers of this process count it, which are those of the service: a machine that pauses counts none.
  let countedMs = 0
  const timer = setInterval(() => {
    countedMs += TICK_MS
  }, TICK_MS)
  away.isDown = true
  try {
    await eventually(async () =>
      expect((await chainChecks())['chain CHAIN_DEVNET_1']).toBe('the cluster does not answer'),
    )
  } finally {
    clearInterval(timer)
    away.isDown = false
  }
  expect(countedMs).toBeLessThan(15_000)
})
