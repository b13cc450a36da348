// A machine whose clock was ahead at a start: dates of that time keep the clock of the service wrong after the machine
// is correct again, until the operator resets it. This opens no window of a debit limit.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { resetClock } from '../../../src/cli/clock-reset.ts'
import { loadSettings, type Settings } from '../../../src/config/settings.ts'
import { generateApiKey } from '../../../src/keys/api-key.ts'
import { startService, type Service } from '../../../src/service/service.ts'
import { systemClock, type Clock } from '../../../src/time/clock.ts'
import { serveChain, type ServedChain } from '../../localnet/rpc-chain.ts'
import { Client } from '../client.ts'
import { eventually, passKnownSlots } from '../harness.ts'
import { LimitFixture, PAY, stranger, to, within } from '../limits/limit-fixture.ts'
import { LyingNode } from './lying-node.ts'
import type { Ids } from '../models.ts'
import { Onchain } from '../onchain.ts'
import { Records, SOL } from '../records.ts'

const HOUR = 3_600_000
const dataDir = mkdtempSync(join(tmpdir(), 'holdfast-clock-'))
const { apiKey } = generateApiKey()
let chain: ServedChain
let node: LyingNode
let settings: Settings
let service: Service | null = null
let fixture: LimitFixture
let limitedWallet: Ids
let free: Ids
let hasFeePayer = false

const ahead = (ms: number): Clock => ({ ...systemClock, now: () => systemClock.now() + ms })

async function start(clock: Clock): Promise<void> {
  service = await startService(settings, { clock })
  const [api, onchain] = [new Client(service.url, apiKey), new Onchain(chain.url)]
  fixture = new LimitFixture({
    api,
    chain: onchain,
    records: new Records(api, onchain),
    url: service.url,
    rpcUrl: chain.url,
    passSlots: (slots) => passKnownSlots(onchain, [], slots),
    stop: () => Promise.resolve(),
  })
}

async function stop(): Promise<void> {
  await service?.stop()
  service = null
}

async function readiness(): Promise<{ status: number; clock: string }> {
  const answer = await fetch(`${service!.url}/readyz`)
  return { status: answer.status, clock: ((await answer.json()) as { checks: { clock: string } }).checks.clock }
}

beforeAll(async () => {
  chain = await serveChain()
  node = await LyingNode.before(chain.url)
  settings = loadSettings({
    HOLDFAST_DATA_DIR: dataDir,
    HOLDFAST_PORT: '0',
    HOLDFAST_BOOTSTRAP_KEY: apiKey,
    HOLDFAST_MASTER_KEY: Buffer.alloc(32, 7).toString('base64'),
    HOLDFAST_CLUSTERS: JSON.stringify({ CHAIN_DEVNET: { endpoints: node.url, minSlotMs: 25 } }),
    HOLDFAST_RATE_LIMIT: '1000000/1000000',
    HOLDFAST_LOG_LEVEL: 'silent',
    // Some debits are evicted from memory.
    HOLDFAST_RESIDENT_TRANSACTIONS: '2',
  })
})
afterAll(async () => {
  await stop()
  await node.stop()
  await chain.close()
  rmSync(dataDir, { recursive: true, force: true })
})

describe.each([
  ['6 hours', 6 * HOUR],
  ['400 days', 400 * 24 * HOUR],
])('a clock that was %s ahead', (_, aheadMs) => {
  it('keeps debits refused after the clock is correct again, and readyz names the remedy', async () => {
    node.refused.add('getBlockTime')
    await start(ahead(aheadMs))
    if (!hasFeePayer) await fixture.world.records.feePayer()
    hasFeePayer = true
    limitedWallet = await fixture.wallet([to('ANY', within(5, 'HOURS'))])
    free = await fixture.wallet([to('ANY', within(1_000, 'HOURS'))])
    for (let count = 0; count < 4; count += 1) await fixture.pays(limitedWallet, stranger(), SOL)
    await fixture.pays(free, stranger(), SOL)
    await stop()

    await start(systemClock)
    await fixture.world.api.refuses(503, 'CLOCK_OFF', 'POST', PAY, {
      source: free,
      destination: stranger(),
      lamports: 1,
    })
    const { status, clock } = await readiness()
    expect(status).toBe(503)
    expect(clock).toContain('holdfast clock reset')
  })

  it('is not reset while the service runs, nor by a clock that contradicts every cluster', async () => {
    await expect(resetClock(settings)).rejects.toMatchObject({
      exitCode: 75,
      message: expect.stringContaining('stop it first') as string,
    })
    await stop()
    await expect(resetClock(settings)).rejects.toMatchObject({
      message: expect.stringContaining('CHAIN_DEVNET does not answer') as string,
    })
    node.refused.clear()
    await expect(resetClock(settings, ahead(HOUR))).rejects.toMatchObject({
      message: expect.stringContaining('ahead of the time of CHAIN_DEVNET') as string,
    })
    await expect(resetClock(settings, ahead(-HOUR))).rejects.toMatchObject({
      message: expect.stringContaining('behind the time of CHAIN_DEVNET') as string,
    })
    await start(systemClock)
    expect((await readiness()).status).toBe(503)
    await stop()
  })

  it('is reset with an audit row, and earlier debits still count', async () => {
    const before = systemClock.now()
    const { from, to: now } = await resetClock(settings)
    expect(Date.parse(from)).toBeGreaterThan(before + aheadMs - HOUR)
    expect(Date.parse(now)).toBeGreaterThanOrEqual(before)
    await expect(resetClock(settings)).rejects.toMatchObject({
      message: expect.stringContaining('nothing to reset') as string,
    })

    await start(systemClock)
    await eventually(async () => expect(await readiness()).toEqual({ status: 200, clock: 'ok' }))
    await fixture.pays(free, stranger(), SOL)
    await fixture.doesNotPay(limitedWallet, stranger(), 2n * SOL)
    await fixture.pays(limitedWallet, stranger(), SOL)
    const { items } = (await fixture.world.api.bulk('/audit/bulk', { limit: 1000 })) as {
      items: { action: string; keyId: string; at: string }[]
    }
    const row = items.find(({ action, at }) => action === 'holdfast clock reset' && Date.parse(at) >= before)
    expect(row?.keyId).toBe('owner')
    await stop()

    // A later start uses the time of the machine.
    await start(systemClock)
    await eventually(async () => expect(await readiness()).toEqual({ status: 200, clock: 'ok' }))
    await stop()
  })
})
