// A backup contains every kind of record of asset management in every state, in memory and cold, with the movements of
// balances; a restore has the same rows, and `verify` finds a damaged row of each.
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openDatabase } from '../../snapshots/backup/database.ts'
import { openStore } from '../../snapshots/level-store.ts'
import { unpackRow } from '../../snapshots/packed-row.ts'
import type { RestoreReport } from '../../src/cli/restore.ts'
import type { VerifyReport } from '../../src/cli/verify.ts'
import { Engine } from '../../src/engine/engine.ts'
import { EVICTED } from '../../src/operations/views/bulk/evicted.ts'
import { startCommand } from '../config/command-line.ts'
import { ASSET_KINDS, recordsOfEveryState, rowsOf } from '../engine/stored-kinds.ts'
import { TENANT } from '../engine/engine-fixture.ts'

const scratch = mkdtempSync(join(tmpdir(), 'holdfast-kinds-'))
const place = (name: string): string => join(scratch, name)
const MOVEMENTS = 20
/** Bytes of the value before a damage, and after it. */
const CUT = 5

async function rowsAt(dataDir: string): Promise<Map<string, string>> {
  const database = await openDatabase(join(dataDir, 'store'), { make: false })
  const rows = new Map<string, string>()
  for await (const [key, value] of database.rows()) rows.set(key.toString(), value.toString())
  await database.close()
  return rows
}

async function reportOf<Report>(words: readonly string[], code: number): Promise<Report> {
  const result = await startCommand([...words, '--json'], {}).ended
  expect(result.code, `${result.stdout}${result.stderr}`).toBe(code)
  return JSON.parse(result.stdout) as Report
}

/** Row letter and kind, for rows that are records. */
const kindOf = ([key, value]: readonly [string, string]): string =>
  /^[rt]!/.test(key) ? `${key[0]!} ${/"(\w+)"/.exec(value.slice(value.indexOf('kind') + 5))?.[1] ?? ''}` : key[0]!

beforeAll(async () => {
  const onFatal = (error: unknown): void => {
    throw error instanceof Error ? error : new Error(String(error))
  }
  const records = recordsOfEveryState()
  const store = await openStore({ path: join(place('first'), 'store'), onFatal })
  const movements = Array.from({ length: MOVEMENTS }, (_, index) => {
    const row = ['5', String(5 * (index + 1)), 's', `tx-${index}`]
    return { type: 'movement' as const, tenant: TENANT, record: 'position-1', asset: 't', stamp: 1_000 + index, row }
  })
  const reversal = { ...movements[3]!, type: 'reversal' as const }
  await store.commit([{ tenant: TENANT, epoch: 1, ops: [...rowsOf(records), ...movements, reversal] }])
  // Some of the ended records are evicted.
  const engine = await Engine.open({ store, onFatal, eviction: { keep: 5, keepRetryable: 1_000, ...EVICTED } })
  await engine.stop()
  await store.close()
})

afterAll(() => rmSync(scratch, { recursive: true, force: true }))

it('a restored backup contains every row unchanged', async () => {
  const before = await rowsAt(place('first'))
  const kinds = new Set([...before].map(kindOf))
  expect([...kinds].filter((kind) => kind === 'u' || kind === 'v').sort()).toEqual(['u', 'v'])
  expect([...kinds].some((kind) => kind.startsWith('t '))).toBe(true)
  await reportOf(['backup', place('all.hfb'), '--data-dir', place('first')], 0)
  const restoreReport = await reportOf<RestoreReport>(['restore', place('all.hfb'), '--data-dir', place('second')], 0)
  expect(restoreReport.verified).toMatchObject({ whole: true, problems: [] })
  for (const kind of ASSET_KINDS) expect(restoreReport.verified.records[kind], kind).toBeGreaterThan(0)
  expect(texts(await rowsAt(place('second')))).toEqual(texts(before))
})

const texts = (rows: ReadonlyMap<string, string>): unknown => [...rows].map(([key, value]) => [key, unpackRow(value)])

it('a backup fills a new file system, which has a folder for what its repair finds', async () => {
  const mount = place('mount')
  mkdirSync(join(mount, 'lost+found'), { recursive: true })
  await reportOf<RestoreReport>(['restore', place('all.hfb'), '--data-dir', mount], 0)
  expect(readdirSync(mount).sort()).toEqual(['lost+found', 'store'])
  await reportOf<VerifyReport>(['verify', mount], 0)
})

it('verify names a damaged row of each kind', async () => {
  const rows = await rowsAt(place('first'))
  const first = new Map<string, string>()
  for (const row of rows) if (!first.has(kindOf(row))) first.set(kindOf(row), row[0])
  const damaged = [...first].filter(([kind]) => /^[rtuvl]/.test(kind)).map(([, key]) => key)
  expect(damaged.length).toBeGreaterThan(ASSET_KINDS.length)
  const database = await openDatabase(join(place('first'), 'store'), { make: false })
  const truncatedRows = damaged.map((key) => [Buffer.from(key), Buffer.from(rows.get(key)!.slice(0, -CUT))] as const)
  await database.put(truncatedRows, { sync: true })
  await database.close()
  const { whole, problems, problemCount } = await reportOf<VerifyReport>(['verify', place('first')], 65)
  expect(whole).toBe(false)
  expect(problemCount).toBe(damaged.length)
  for (const key of damaged)
    expect(
      problems.filter((problem) => problem.includes(key)),
      key,
    ).toHaveLength(1)
})
