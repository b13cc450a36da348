// The commands on a database: a data directory moves into it and back, each row unchanged.
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Postgres } from '../../bench/postgres/server.ts'
import { openDatabase } from '../../snapshots/backup/database.ts'
import { isChangeKey, SCHEMA_KEY } from '../../snapshots/keys.ts'
import { openStore } from '../../snapshots/level-store.ts'
import { connect } from '../../snapshots/postgres/connection.ts'
import { prepareDatabase } from '../../snapshots/postgres/postgres-store.ts'
import { unpackRow } from '../../snapshots/packed-row.ts'
import { TEXTS_VERSION } from '../../snapshots/schema.ts'
import type { AuditVerification } from '../../src/cli/audit-report.ts'
import type { DoctorCheck } from '../../src/cli/doctor.ts'
import type { RestoreReport } from '../../src/cli/restore.ts'
import type { VerifyReport } from '../../src/cli/verify.ts'
import { Engine } from '../../src/engine/engine.ts'
import { EVICTED } from '../../src/operations/views/bulk/evicted.ts'
import { startCommand } from '../config/command-line.ts'
import { TENANT } from '../engine/engine-fixture.ts'
import { PLAIN } from '../engine/plain-states.ts'
import { ASSET_KINDS, recordsOfEveryState, rowsOf } from '../engine/stored-kinds.ts'
import { addressOf, claimedStore, emptySchema, ownPostgres, sql } from './postgres.ts'

const scratch = mkdtempSync(join(tmpdir(), 'holdfast-tools-'))
const place = (name: string): string => join(scratch, name)

const onFatal = (error: unknown): void => {
  throw error instanceof Error ? error : new Error(String(error))
}

let postgres: Postgres
let url: string
beforeAll(async () => {
  postgres = await ownPostgres()
  url = `postgres://${postgres.user}@${encodeURIComponent(postgres.dir)}/postgres`
  const store = await openStore({ path: join(place('first'), 'store'), onFatal })
  await store.commit([{ tenant: TENANT, epoch: 1, ops: rowsOf(recordsOfEveryState()) }])
  const engine = await Engine.open({ store, onFatal, eviction: { keep: 5, keepRetryable: 1_000, ...EVICTED } })
  await engine.stop()
  await store.close()
})
afterAll(async () => {
  await postgres[Symbol.asyncDispose]()
  rmSync(scratch, { recursive: true, force: true })
})

async function reportOf<Report>(words: readonly string[], code: number): Promise<Report> {
  const result = await startCommand([...words, '--json'], {}).ended
  expect(result.code, `${result.stdout}${result.stderr}`).toBe(code)
  return JSON.parse(result.stdout) as Report
}

async function rowsAt(dataDir: string): Promise<Map<string, string>> {
  const database = await openDatabase(join(dataDir, 'store'), { make: false })
  const rows = new Map<string, string>()
  for await (const [key, value] of database.rows()) rows.set(key.toString(), unpackRow(value.toString()))
  await database.close()
  return rows
}

it('a database without a store is refused by the commands that read, and stays as it is', async () => {
  const address = addressOf(postgres)
  await emptySchema(address)
  const read = [
    ['backup', place('nothing.hfb')],
    ['verify'],
    ['export', '--records'],
    ['audit', 'verify'],
    ['nodes', 'list'],
  ]
  const expectRefusals = async (): Promise<void> => {
    for (const words of read) {
      const { code, stdout, stderr } = await startCommand([...words, '--store', url], {}).ended
      expect([words[0], code, stdout], stderr).toEqual([words[0], 69, ''])
      expect(stderr).toMatch(/\/postgres contains no store/)
    }
    expect(existsSync(place('nothing.hfb'))).toBe(false)
  }
  await expectRefusals()
  expect(await sql(address, "SELECT 1 FROM pg_namespace WHERE nspname = 'holdfast'")).toEqual([])
  // Tables alone, as before the first start has ended: only the nodes can be listed.
  read.pop()
  const { database } = await prepareDatabase({ address, waitMs: 30_000 })
  database.close()
  await expectRefusals()
})

it('a data directory is copied into a database and back, with every row unchanged', async () => {
  const address = addressOf(postgres)
  await emptySchema(address)
  const before = await rowsAt(place('first'))
  await reportOf(['backup', place('move.hfb'), '--data-dir', place('first')], 0)
  const report = await reportOf<RestoreReport>(['restore', place('move.hfb'), '--store', url], 0)
  expect(report.verified).toMatchObject({ whole: true, problems: [] })
  expect(report.dataDir).toContain('/postgres')
  const rows = await sql(address, 'SELECT key, value FROM holdfast.row')
  const version = new Map(before).set(SCHEMA_KEY, String(TEXTS_VERSION))
  expect(new Map(rows as [string, string][])).toEqual(version)

  await reportOf(['backup', place('back.hfb'), '--store', url], 0)
  await reportOf(['restore', place('back.hfb'), '--data-dir', place('second')], 0)
  expect(await rowsAt(place('second'))).toEqual(before)

  const result = await startCommand(['restore', place('move.hfb'), '--store', url], {}).ended
  expect([result.code, result.stderr]).toEqual([73, expect.stringContaining('has records already')])
})

it('keys of a secrets folder are restored before the records, and a restore that failed can be repeated', async () => {
  const address = addressOf(postgres)
  const secretsDir = place('shared-secrets')
  const names = ['first-key', 'second-key'].map((name) => `${name}.json`)
  const own = join(place('first'), 'secrets')
  mkdirSync(own)
  for (const name of names) writeFileSync(join(own, name), `{"v":1,"of":"${name}"}\n`)
  await reportOf(['backup', place('keys.hfb'), '--data-dir', place('first')], 0)
  rmSync(own, { recursive: true })
  const restored = async () =>
    await startCommand(['restore', place('keys.hfb'), '--store', url], { HOLDFAST_SECRETS_DIR: secretsDir }).ended
  // The database has records: nothing is restored, and neither are the keys.
  expect((await restored()).code).toBe(73)
  expect(existsSync(secretsDir)).toBe(false)

  await emptySchema(address)
  mkdirSync(secretsDir)
  writeFileSync(join(secretsDir, names[1]!), 'another key')
  const differing = await restored()
  expect([differing.code, differing.stderr]).toEqual([73, expect.stringContaining(join(secretsDir, names[1]!))])
  expect(readdirSync(secretsDir)).toEqual([names[1]])

  rmSync(secretsDir, { recursive: true })
  expect((await restored()).code).toBe(0)
  // As after the loss of the database alone.
  await emptySchema(address)
  expect((await restored()).code).toBe(0)
  expect(names.map((name) => readFileSync(join(secretsDir, name), 'utf8'))).toEqual(
    names.map((name) => `{"v":1,"of":"${name}"}\n`),
  )
})

it('an engine reads from the database what it read from the directory', async () => {
  const store = await claimedStore(addressOf(postgres))
  const engine = await Engine.open({ store })
  const kinds = new Set([...engine.directory.entries()].map(({ head }) => head.kind))
  expect(ASSET_KINDS.filter((kind) => !kinds.has(kind))).toEqual([])
  await engine.stop()
  await store.close()
})

it('the database can be verified, exported, audited and diagnosed', async () => {
  const report = await reportOf<VerifyReport>(['verify', '--store', url], 0)
  expect(report.whole).toBe(true)
  for (const kind of ASSET_KINDS) expect(report.records[kind], kind).toBeGreaterThan(0)
  expect((await reportOf<AuditVerification>(['audit', 'verify', '--store', url], 0)).ok).toBe(true)
  const lines = async (...where: string[]): Promise<string> => {
    const { code, stdout, stderr } = await startCommand(['export', '--records', ...where], {}).ended
    expect(code, stderr).toBe(0)
    return stdout
  }
  expect(await lines('--store', url)).toBe(await lines('--data-dir', place('first')))
  const { stdout } = await startCommand(['doctor', '--store', url, '--data-dir', place('first'), '--json'], {}).ended
  const { checks } = JSON.parse(stdout) as { checks: DoctorCheck[] }
  expect(checks.find(({ check }) => check === 'database')).toMatchObject({ verdict: 'ok' })
  // On a machine without a data directory.
  const away = await startCommand(['doctor', '--store', url, '--data-dir', place('nowhere'), '--json'], {}).ended
  const names = (JSON.parse(away.stdout) as { checks: DoctorCheck[] }).checks.map(({ check }) => check)
  expect(names).toEqual(expect.arrayContaining(['database', 'master key']))
  expect(names).not.toContain('service')
  expect(existsSync(place('nowhere'))).toBe(false)
})

it('a standby can be verified, exported and backed up, and is diagnosed as no database for a service', async () => {
  const address = addressOf(postgres)
  await sql(address, 'ALTER DATABASE postgres SET default_transaction_read_only = on')
  try {
    expect((await reportOf<VerifyReport>(['verify', '--store', url], 0)).whole).toBe(true)
    expect((await startCommand(['export', '--records', '--store', url], {}).ended).code).toBe(0)
    await reportOf(['backup', place('standby.hfb'), '--store', url], 0)
    const { code, stdout } = await startCommand(['doctor', '--store', url, '--data-dir', place('first'), '--json'], {})
      .ended
    const { checks } = JSON.parse(stdout) as { checks: DoctorCheck[] }
    expect([code, checks.find(({ check }) => check === 'database')]).toMatchObject([1, { verdict: 'failed' }])
    expect((await startCommand(['restore', place('standby.hfb'), '--store', url], {}).ended).code).toBe(78)
  } finally {
    const connection = await connect(address, { boundMs: 30_000 })
    const reset = 'ALTER DATABASE postgres RESET default_transaction_read_only'
    await connection.script(`BEGIN READ WRITE; ${reset}; COMMIT`, 30_000)
    connection.destroy()
  }
})

it('tables of an earlier release are not migrated by a command that reads', async () => {
  const address = addressOf(postgres)
  const version = async () => (await sql(address, 'SELECT version::text FROM holdfast.schema_version'))[0]![0]
  const present = await version()
  await sql(address, 'UPDATE holdfast.schema_version SET version = version - 1')
  const { code, stderr } = await startCommand(['verify', '--store', url], {}).ended
  expect([code, stderr]).toEqual([78, expect.stringContaining(`tables of version ${String(Number(present) - 1)}`)])
  expect(await version()).toBe(String(Number(present) - 1))
  await sql(address, `UPDATE holdfast.schema_version SET version = ${String(present)}`)
})

it('the documented statement marks a restored database, also if an earlier mark was removed', async () => {
  const address = addressOf(postgres)
  const page = readFileSync(join(import.meta.dirname, '../../src/docs/postgres.md'), 'utf8')
  const statement = /`(INSERT INTO holdfast\.row [^`]+)`/.exec(page)![1]!.replace('CLUSTER_ID', 'CHAIN_DEVNET')
  const marks = "SELECT value FROM holdfast.row WHERE key = 'm!restored%3ACHAIN_DEVNET'"
  for (let round = 0; round < 2; round += 1) {
    await sql(address, statement)
    expect(await sql(address, marks)).toEqual([['true']])
    await sql(address, "UPDATE holdfast.row SET value = NULL WHERE key = 'm!restored%3ACHAIN_DEVNET'")
  }
})

it('a record and what changed of it since its row move into a database as one row, and back', async () => {
  const { tenant, cluster, id, revision } = PLAIN
  const store = await openStore({ path: join(place('changed'), 'store'), onFatal })
  const change = [revision + 1, revision, null, 4, '12345678'] as const
  const ops = [...rowsOf([PLAIN]), { type: 'change', tenant, cluster, id, change } as const]
  await store.commit([{ tenant, epoch: 1, ops }])
  await store.close()
  expect([...(await rowsAt(place('changed'))).keys()].filter(isChangeKey)).toHaveLength(1)

  await emptySchema(addressOf(postgres))
  await reportOf(['backup', place('changed.hfb'), '--data-dir', place('changed')], 0)
  await reportOf(['restore', place('changed.hfb'), '--store', url], 0)
  await reportOf(['backup', place('again.hfb'), '--store', url], 0)
  await reportOf(['restore', place('again.hfb'), '--data-dir', place('returned')], 0)
  const exported = async (...where: string[]): Promise<unknown> => {
    const { stdout } = await startCommand(['export', '--records', ...where], {}).ended
    const { revision: now, context } = JSON.parse(stdout) as { revision: number; context: { lamports: object } }
    return { now, lamports: context.lamports }
  }
  const expected = { now: revision + 1, lamports: expect.objectContaining({ balance: '12345678' }) as unknown }
  for (const where of [
    ['--data-dir', place('changed')],
    ['--store', url],
    ['--data-dir', place('returned')],
  ])
    expect(await exported(...where), where.join(' ')).toEqual(expected)
})

it('an invalid address is reported with the error', async () => {
  const { code, stderr } = await startCommand(['verify', '--store', 'mysql://a@b/c'], {}).ended
  expect([code, stderr]).toEqual([78, expect.stringContaining('--store must be')])
})
