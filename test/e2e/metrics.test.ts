// The metrics for operators: they report the work of the service, and the dashboard queries only existing metrics.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import dashboard from '../../src/telemetry/grafana-dashboard.json' with { type: 'json' }
import { eventually, startWorld, type World } from './harness.ts'
import type { Ids, Result } from './models.ts'
import { SOL } from './records.ts'

let world: World
let feePayer: Ids

beforeAll(async () => {
  world = await startWorld()
  feePayer = await world.records.feePayer()
})
afterAll(() => world.stop())

/** `name{labels}` -> value, as Prometheus would read it. */
async function scrape(): Promise<Map<string, number>> {
  const text = await (await fetch(`${world.url}/metrics`)).text()
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  return new Map(
    lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ') + 1))]),
  )
}

describe('GET /metrics', () => {
  it('reports records by state, open transactions, sends, writes, and balances of fee payers', async () => {
    const before = await scrape()
    const [from, to] = [await world.records.funded({}, SOL), await world.records.account()]
    const { success, offchainId } = await world.api.ok<Result>(201, 'POST', '/positions/transfer-network-currency', {
      source: from,
      destination: to,
      lamports: 1_000_000,
    })
    expect(success).toBe(true)
    await eventually(async () => {
      const now = await scrape()
      const growthOf = (name: string): number => (now.get(name) ?? 0) - (before.get(name) ?? 0)
      expect(growthOf('holdfast_records{kind="transaction",state="finalized"}')).toBe(1)
      expect(now.get('holdfast_transactions_open')).toBe(0)
      expect(now.get('holdfast_oldest_open_transaction_seconds')).toBe(0)
      expect(now.get('holdfast_records_with_reservations')).toBe(0)
      // A service that is slow to look may send twice.
      const explained = await world.api.read<{ attempts: readonly object[] }>('/transactions/explain', { offchainId })
      expect(explained.attempts.length).toBeGreaterThan(0)
      expect(growthOf('holdfast_transactions_sent_total')).toBe(explained.attempts.length)
      expect(growthOf('holdfast_store_commits_total')).toBeGreaterThanOrEqual(5)
      expect(growthOf('holdfast_store_write_seconds_count')).toBe(growthOf('holdfast_store_batches_total'))
      expect(growthOf('holdfast_store_batch_rows_count')).toBe(growthOf('holdfast_store_batches_total'))
      expect(growthOf('holdfast_store_batch_rows_sum')).toBe(growthOf('holdfast_store_rows_total'))
      const all = [...now].reduce((sum, [name, count]) => sum + (name.startsWith('holdfast_records{') ? count : 0), 0)
      expect(now.get('holdfast_actors_awake')! + now.get('holdfast_actors_asleep')!).toBe(all)
      const metric = now.get(`holdfast_fee_payer_lamports{cluster="CHAIN_DEVNET",account="${feePayer.onchainId}"}`)
      expect(BigInt(metric ?? -1)).toBe(await world.chain.lamports(feePayer.onchainId))
      expect([...now].filter(([name]) => name.startsWith('holdfast_rpc_endpoint_up')).map(([, up]) => up)).toEqual([1])
      expect([...now.values()].every(Number.isFinite)).toBe(true)
    })
  })

  it('attack: does not name the fee payers of other tenants to a key that is not of SYSTEM', async () => {
    await world.api.ok(201, 'POST', '/admin/organizations', { externalId: 'WATCHER', name: 'Watcher' })
    const key = { organizationExternalId: 'WATCHER', name: 'watcher', bundle: 'ADMIN' }
    const { apiKey } = await world.api.ok<{ apiKey: string }>(201, 'POST', '/admin/api-keys', key)
    const readBy = async (authorization: string): Promise<string> => {
      const headers = { authorization, 'x-forwarded-for': '203.0.113.9' }
      return await (await fetch(`${world.url}/metrics`, { headers })).text()
    }
    const series = `holdfast_fee_payer_lamports{cluster="CHAIN_DEVNET",account="${feePayer.onchainId}"}`
    expect(await readBy(world.api.bearer)).toContain(series)
    const seen = await readBy(`Bearer ${apiKey}`)
    expect(seen).toContain('holdfast_records{kind="account"')
    expect(seen).not.toContain(feePayer.onchainId)
    expect(seen).not.toMatch(/[{,](?:account|signer)="/)
  })

  it('reports free and leased nonces of the pool', async () => {
    const authority = await world.records.funded({}, SOL)
    await world.api.ok(201, 'POST', '/durable-nonce-accounts', { nonceAuthority: authority, count: 2 })
    const config = { messageLifetimeStrategy: 'DURABLE_NONCE' }
    const request = { source: { ...authority, autoSign: false }, destination: feePayer, lamports: '1000' }
    const { offchainId } = await world.api.ok<Result>(201, 'POST', '/positions/transfer-network-currency', request, {
      config,
    })
    await world.api.ok(200, 'POST', '/transactions/sign', { transaction: { offchainId } })
    await eventually(async () => {
      const now = await scrape()
      expect(['active', 'leased'].map((state) => now.get(`holdfast_records{kind="nonce",state="${state}"}`))).toEqual([
        1, 1,
      ])
    })
  })

  it('contains the metrics of the operations manual', async () => {
    const names = new Set(
      [...(await scrape()).keys()].map((series) => series.split('{')[0]!.replace(/_(?:bucket|sum|count)$/, '')),
    )
    const watchedNames = [
      ...[
        'records',
        'oldest_open_transaction_seconds',
        'lanes_queued_transactions',
        'records_with_reservations',
        'webhook_lag_events',
      ],
      ...[
        'actors_awake',
        'actors_asleep',
        'store_batch_rows',
        'store_write_seconds',
        'event_loop_delay_seconds',
        'fee_payer_lamports',
      ],
    ]
    expect(watchedNames.filter((name) => !names.has(`holdfast_${name}`))).toEqual([])
  })

  it('contains every metric of the dashboard', async () => {
    const names = new Set([...(await scrape()).keys()].map((series) => series.split('{')[0]))
    const queriedNames = dashboard.panels.flatMap(({ targets }) =>
      targets.flatMap(({ expr }) => expr.match(/\b(?:holdfast|process)_\w+/g) ?? []),
    )
    expect(queriedNames.length).toBeGreaterThan(20)
    expect(queriedNames.filter((name) => !names.has(name))).toEqual([])
  })
})

it('GET /readyz names every check', async () => {
  const checks = { clock: 'ok', store: 'ok', disk: 'ok', 'chain CHAIN_DEVNET': 'ok', 'lanes CHAIN_DEVNET': 'ok' }
  // A machine that pauses for seconds is not ready for a moment.
  await eventually(async () => {
    const answer = await fetch(`${world.url}/readyz`)
    expect([answer.status, await answer.json()]).toEqual([200, { status: 'ok', checks }])
  })
})
