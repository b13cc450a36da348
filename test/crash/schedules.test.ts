// Schedules whose service is killed around their occurrences: each occurrence takes effect exactly once.
import { PublicKey } from '@solana/web3.js'
import { expect, it } from 'vitest'
import type { Ref } from './api.ts'
import { setFaults } from '../chain-faults.ts'
import { fundWallet } from './fund-wallet.ts'
import { newDataDir, startService, type Service } from './service.ts'
import { until } from './until.ts'

const SOL = 1_000_000_000
const SCHEDULES = 30
const APART_MS = 400
/**
 * The time from its creation to its first occurrence, at least: a schedule whose start has passed begins a week later.
 */
const AHEAD_MS = 10_000
const KILLS = 5

interface Occurrence {
  readonly scheduleOffchainId: string
  readonly number: number
  readonly status: string
  readonly chainTransaction: { readonly onchainId: string } | null
}

async function occurrences({ api }: Service): Promise<readonly Occurrence[]> {
  return (
    (await api.query('/schedules/occurrences/bulk', { itemQuery: { limit: 1_000 } })) as unknown as {
      items: readonly Occurrence[]
    }
  ).items
}

it('executes each occurrence once, wherever the service is killed', async () => {
  const dataDir = newDataDir()
  const options = { dataDir, settings: { EMBEDDED_FAULTS: 'on' } }
  let service = await startService(options)
  await fundWallet(service, { canPayFees: true }, SOL)
  const source = await fundWallet(service, {}, 10 * SOL)
  const target = await fundWallet(service, {}, SOL)
  const startMs = Date.now() + AHEAD_MS
  const ids: string[] = []
  for (let index = 0; index < SCHEDULES; index += 1) {
    const startAt = new Date(Math.max(startMs + index * APART_MS, Date.now() + AHEAD_MS)).toISOString()
    // Every schedule has its own amount: a missing or repeated payment shows in the sum.
    const body = await service.api.send('POST', '/schedules', {
      operation: 'TRANSFER_NETWORK_CURRENCY',
      itemData: { source, destination: target, lamports: 2 ** index },
      startAt,
      every: { code: 'WEEKS', unit: 1 },
      maxRuns: 1,
    })
    expect(body.status, JSON.stringify(body.body)).toBe(201)
    ids.push((body.body['newSchedule'] as Ref).offchainId)
  }
  for (let kills = 0, known = 0; kills < KILLS; kills += 1) {
    // In half of the rounds the chain drops sent transactions, so that a kill finds some under way.
    await setFaults(service.rpcUrl, kills % 2 === 0 ? { dropRequests: { sendTransaction: 3 } } : {})
    const list = await until(async () => {
      const now = await occurrences(service)
      return now.length > known || now.length === SCHEDULES ? now : undefined
    }, 'an occurrence is on record')
    known = list.length
    await service.kill()
    service = await startService(options)
  }
  const all = await until(async () => {
    const now = await occurrences(service)
    return now.length === SCHEDULES && now.every(({ status }) => status !== 'UNDER_WAY') ? now : undefined
  }, 'every occurrence has ended')
  expect(all.map(({ number, status }) => [number, status])).toEqual(ids.map(() => [1, 'DONE']))
  expect(new Set(all.map(({ scheduleOffchainId }) => scheduleOffchainId))).toEqual(new Set(ids))
  expect(await service.connection.getBalance(new PublicKey(target.onchainId))).toBe(SOL + 2 ** SCHEDULES - 1)
  // Every transaction that touched the source, except its funding, belongs to an occurrence.
  const own = new Set(all.map(({ chainTransaction }) => chainTransaction!.onchainId))
  const signatures = await service.connection.getSignaturesForAddress(new PublicKey(source.onchainId), {}, 'confirmed')
  expect([own.size, signatures.length, signatures.filter(({ signature }) => own.has(signature)).length]).toEqual([
    SCHEDULES,
    SCHEDULES + 1,
    SCHEDULES,
  ])
  expect(await service.stop()).toBe(0)
})
