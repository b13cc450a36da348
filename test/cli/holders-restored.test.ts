// Holders at a past instant are the same after any event of the service: movements were evicted, it was restarted, it
// was restored from a backup elsewhere, and pays a distribution of that instant there. History begins with the upgrade
// of a store of a release without history.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openDatabase } from '../../snapshots/backup/database.ts'
import type { AssembledService } from '../../src/service/assemble.ts'
import { dataLayout } from '../../src/config/data-layout.ts'
import { loadSettings } from '../../src/config/settings.ts'
import { generateApiKey } from '../../src/keys/api-key.ts'
import { startService, type Service } from '../../src/service/service.ts'
import { startCommand } from '../config/command-line.ts'
import { Client } from '../e2e/client.ts'
import { eventually } from '../e2e/harness.ts'
import { freePair } from '../free-ports.ts'
import type { Ids, Result } from '../e2e/models.ts'
import { Onchain } from '../e2e/onchain.ts'
import { Records, SOL } from '../e2e/records.ts'

const HOLDERS = '/financial-instruments/holders/bulk'
const OPEN = { networkCurrencyDebitLimits: [], tokenDebitLimits: [] }
const TOTAL = 1_000_003n

interface Holding {
  readonly asOf: string
  readonly items: readonly { readonly owner: Ids; readonly balance: { readonly lamports: number } }[]
}

const scratch = mkdtempSync(join(tmpdir(), 'holdfast-holders-'))
const [first, second, file] = ['first', 'second', 'all.hfb'].map((name) => join(scratch, name)) as [
  string,
  string,
  string,
]
const { apiKey } = generateApiKey()
/** Balances on chain at instants of the service, by owner. */
const snapshots: { readonly asOf: string; readonly held: Readonly<Record<string, number>> }[] = []
const transferIds: string[] = []
let rpcPort: number
let service: Service
let assembled: AssembledService
let api: Client
let chain: Onchain
let records: Records
let share: Ids
let treasury: Ids
let owners: Ids[]
let positions: Ids[]

async function start(dataDir: string): Promise<void> {
  const settings = loadSettings({
    HOLDFAST_DATA_DIR: dataDir,
    HOLDFAST_PORT: '0',
    HOLDFAST_EMBEDDED_RPC_PORT: String(rpcPort),
    HOLDFAST_EMBEDDED_SLOT_MS: '200',
    HOLDFAST_BOOTSTRAP_KEY: apiKey,
    HOLDFAST_MASTER_KEY: Buffer.alloc(32, 7).toString('base64'),
    HOLDFAST_LOG_LEVEL: 'silent',
    HOLDFAST_RESIDENT_TRANSACTIONS: '2',
  })
  service = await startService(settings, { opened: (parts) => (assembled = parts) })
  api = new Client(service.url, apiKey)
  chain = new Onchain(`http://127.0.0.1:${rpcPort}`)
  records = new Records(api, chain)
}

async function holdfast(...words: readonly string[]): Promise<void> {
  const { code, stdout, stderr } = await startCommand([...words, '--json'], {}).ended
  expect(code, `${stdout}${stderr}`).toBe(0)
}

async function heldBy(asOf?: string): Promise<Record<string, number>> {
  const { items } = await api.read<Holding>(HOLDERS, { financialInstrument: share, ...(asOf ? { asOf } : {}) })
  return Object.fromEntries(items.map(({ owner, balance }) => [owner.onchainId, balance.lamports]))
}

async function onChain(): Promise<Record<string, number>> {
  const amounts = await Promise.all(
    positions.map(async ({ onchainId }) => ((await chain.exists(onchainId)) ? await chain.tokens(onchainId) : 0n)),
  )
  return Object.fromEntries(
    amounts.flatMap((amount, index) => (amount === 0n ? [] : [[owners[index]!.onchainId, Number(amount)]])),
  )
}

async function note(): Promise<void> {
  const { asOf } = await api.read<Holding>(HOLDERS, { financialInstrument: share })
  snapshots.push({ asOf, held: await onChain() })
}

async function move(from: number, to: number, lamports: number): Promise<void> {
  const result = await api.ok<Result>(201, 'POST', '/positions/transfer', {
    source: { position: positions[from] },
    destination: { position: positions[to] },
    lamports,
  })
  transferIds.push(result.offchainId)
}

async function sameAsNoted(): Promise<void> {
  for (const { asOf, held } of snapshots) expect(await heldBy(asOf), asOf).toEqual(held)
  expect(await heldBy()).toEqual(await onChain())
}

beforeAll(async () => {
  rpcPort = await freePair()
  await start(first)
  await records.feePayer()
  share = await records.instrument('TOKEN_2022', await records.account())
  treasury = await records.funded(OPEN, 5n * SOL)
  owners = await Promise.all(Array.from({ length: 4 }, () => records.funded(OPEN, SOL)))
  positions = []
  for (const [index, owner] of owners.entries())
    positions.push(await records.position(owner, share, [1_000n, 500n, 250n, 0n][index]))
  await note()
  await move(0, 3, 301)
  await note()
  // The whole balance of the second owner: it has no tokens, and its position is closed.
  await move(1, 2, 500)
  await api.ok(200, 'PATCH', '/positions/close', { position: { position: positions[1] } })
  await note()
  await api.ok(201, 'POST', '/positions/burn', { source: { position: positions[3] }, lamports: 1 })
  await note()
  for (let round = 0; round < 6; round += 1) await move(round % 2 === 0 ? 2 : 0, round % 2 === 0 ? 0 : 2, 10 + round)
})
afterAll(async () => {
  await service.stop()
  rmSync(scratch, { recursive: true, force: true })
})

it('are unchanged after the transactions have been evicted from memory', async () => {
  const { directory } = assembled.platform.engine
  await eventually(() => {
    expect(transferIds.slice(0, 4).map((id) => directory.byId(id)?.place)).toEqual(Array(4).fill('store'))
    return Promise.resolve()
  })
  expect(new Set(snapshots.map(({ held }) => JSON.stringify(held))).size).toBe(4)
  await sameAsNoted()
})

it('are unchanged after a restart', async () => {
  await service.stop()
  await start(first)
  await sameAsNoted()
})

it('are unchanged in a restored service, which pays a distribution for that record instant', async () => {
  await holdfast('backup', file, '--data-dir', first)
  // The backup does not contain this.
  await move(0, 3, 77)
  await service.stop()
  await holdfast('restore', file, '--data-dir', second)
  await start(second)
  await sameAsNoted()

  const { asOf, held } = snapshots[1]!
  const before = await Promise.all(owners.map(({ onchainId }) => chain.lamports(onchainId)))
  const { newDistribution } = await api.ok<{ newDistribution: Ids }>(201, 'POST', '/distributions', {
    financialInstrument: share,
    recordAt: asOf,
    source: { owner: treasury },
    payout: { total: '0.001000003' },
  })
  const { offchainId } = newDistribution
  await eventually(async () =>
    expect(await api.read('/distributions/single', { offchainId })).toMatchObject({ status: 'DONE', partsCount: 4 }),
  )
  const all = Object.values(held).reduce((sum, each) => sum + BigInt(each), 0n)
  const parts = owners.map(({ onchainId }) => (TOTAL * BigInt(held[onchainId]!)) / all)
  const after = await Promise.all(owners.map(({ onchainId }) => chain.lamports(onchainId)))
  expect(after.map((each, index) => each - before[index]!)).toEqual(parts)
  await sameAsNoted()
})

it('are known since the upgrade for a store without history, also after the next start', async () => {
  const upgraded = Date.now()
  await service.stop()
  const database = await openDatabase(dataLayout(second).store, { make: false })
  const rows: Buffer[] = []
  for await (const [key] of database.rows()) if (/^(?:[uv]!|m!movements$)/.test(key.toString())) rows.push(key)
  expect(rows.length).toBeGreaterThan(20)
  await database.put(
    rows.map((key) => [key, null] as const),
    { sync: true },
  )
  await database.close()
  await start(second)
  const old = snapshots.splice(0)
  await note()
  await move(2, 3, 5)
  await note()
  for (let round = 0; round < 2; round += 1) {
    await sameAsNoted()
    for (const { asOf } of old) {
      const { message } = await api.refuses(400, 'BEFORE_HISTORY', 'POST', HOLDERS, {
        financialInstrument: share,
        asOf,
      })
      const [, since] = /begins at (\S+)$/.exec(message)!
      expect(Date.parse(since!)).toBeGreaterThanOrEqual(upgraded)
    }
    await service.stop()
    await start(second)
  }
})
