// Databases on which a service does not start: each is refused by name, with the exit code of settings, or waited for.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Postgres } from '../../../bench/postgres/server.ts'
import { openSharedDatabase } from '../../../src/config/shared-database.ts'
import { loadSettings } from '../../../src/config/settings.ts'
import { MASTER_KEY_CHECK } from '../../../src/config/secrets.ts'
import { generateApiKey } from '../../../src/keys/api-key.ts'
import { addressOf, claimedStore, emptySchema, ownPostgres, SETTINGS, sql } from '../postgres.ts'

let postgres: Postgres
beforeAll(async () => {
  postgres = await ownPostgres()
})
afterAll(() => postgres[Symbol.asyncDispose]())

const logLines: string[] = []
const log = { warn: (_: object, message: string) => void logLines.push(message) }

function open(environment: Record<string, string> = {}, waitMs = 2_000): Promise<Disposable> {
  const { user, dir } = postgres
  const settings = loadSettings({
    HOLDFAST_STORE: `postgres://${user}@${encodeURIComponent(dir)}/postgres`,
    HOLDFAST_MASTER_KEY: Buffer.alloc(32, 7).toString('base64'),
    HOLDFAST_BOOTSTRAP_KEY: generateApiKey().apiKey,
    HOLDFAST_CLUSTERS: '{"CHAIN_DEVNET":"http://127.0.0.1:8899"}',
    HOLDFAST_PLAYERS: '',
    HOLDFAST_SECRETS_DIR: '/srv/shared',
    ...environment,
  })
  return openSharedDatabase(settings, log, { waitMs }).then((database) => ({
    [Symbol.dispose]: () => database.close(),
  }))
}

const refusalWith = (problem: string): object =>
  expect.objectContaining({ exitCode: 78, message: expect.stringContaining(problem) as unknown }) as object

it.each(['fsync', 'full_page_writes', 'synchronous_commit'])('%s off is refused', async (name) => {
  await postgres.restart([...SETTINGS, `${name}=off`])
  await expect(open()).rejects.toEqual(refusalWith(name))
})

it('a read-only database is refused, and so is a standby', async () => {
  await postgres.restart([...SETTINGS, 'default_transaction_read_only=on'])
  await expect(open()).rejects.toEqual(refusalWith('default_transaction_read_only'))
  await postgres.restart(SETTINGS)
  const signal = join(postgres.dir, 'data', 'standby.signal')
  writeFileSync(signal, '', { mode: 0o644 })
  try {
    await postgres.restart()
    await expect(open()).rejects.toEqual(refusalWith('standby'))
  } finally {
    rmSync(signal)
    await postgres.restart()
  }
})

it('another encoding is refused', async () => {
  await sql(addressOf(postgres), "CREATE DATABASE plain ENCODING 'SQL_ASCII' TEMPLATE template0")
  const { user, dir } = postgres
  await expect(open({ HOLDFAST_STORE: `postgres://${user}@${encodeURIComponent(dir)}/plain` })).rejects.toEqual(
    refusalWith('SQL_ASCII'),
  )
})

it('tables of a newer release, or of another program, are refused and not changed', async () => {
  const address = addressOf(postgres)
  await emptySchema(address)
  ;(await open())[Symbol.dispose]()
  expect(logLines.at(-1)).toContain('no synchronous standby')
  await sql(address, 'UPDATE holdfast.schema_version SET version = 99')
  await expect(open()).rejects.toEqual(refusalWith('tables of version 99'))
  await sql(address, 'UPDATE holdfast.schema_version SET version = 1')
  await sql(address, "UPDATE holdfast.row SET value = '99' WHERE key = 's!schema'")
  await expect(open()).rejects.toEqual(refusalWith('rows of version 99'))
  await emptySchema(address)
  await sql(address, 'CREATE SCHEMA holdfast')
  await sql(address, 'CREATE TABLE holdfast.theirs (a int)')
  await expect(open()).rejects.toEqual(refusalWith('no schema version'))
  await emptySchema(address)
})

it.each([
  [5, 2],
  [6, 3],
])(
  'rows of an earlier release are read, but not while a node of that release runs (tables %i, rows %i)',
  async (tables, rows) => {
    const address = addressOf(postgres)
    await emptySchema(address)
    ;(await open())[Symbol.dispose]()
    await sql(address, `UPDATE holdfast.schema_version SET version = ${String(tables)}`)
    await sql(address, `UPDATE holdfast.row SET value = '${String(rows)}' WHERE key = 's!schema'`)
    await sql(
      address,
      `INSERT INTO holdfast.node (id, incarnation, release, reads, expires_at)
     VALUES ('old', '00000000-0000-0000-0000-000000000001', '0.0.9', ${String(tables)}, now() + interval '1 hour')`,
    )
    await expect(open()).rejects.toThrow('a node of an earlier release runs')
    const version = "SELECT value FROM holdfast.row WHERE key = 's!schema'"
    expect(await sql(address, version)).toEqual([[String(rows)]])
    await sql(address, 'DELETE FROM holdfast.node')
    ;(await open())[Symbol.dispose]()
    expect(await sql(address, version)).toEqual([['4']])
    await emptySchema(address)
  },
)

it('a user without the rights to create, use or change the tables is refused by name', async () => {
  const address = addressOf(postgres)
  await emptySchema(address)
  const dir = encodeURIComponent(postgres.dir)
  const as = (user: string) => open({ HOLDFAST_STORE: `postgres://${user}@${dir}/postgres` })
  await sql(address, 'CREATE ROLE guest LOGIN')
  await expect(as('guest')).rejects.toEqual(refusalWith('permission denied for database postgres'))
  ;(await as(postgres.user))[Symbol.dispose]()
  await expect(as('guest')).rejects.toEqual(refusalWith('permission denied for schema holdfast'))
  await sql(address, 'GRANT USAGE ON SCHEMA holdfast TO guest; GRANT ALL ON ALL TABLES IN SCHEMA holdfast TO guest')
  ;(await as('guest'))[Symbol.dispose]()
  await sql(address, 'REVOKE UPDATE ON holdfast.cell FROM guest; REVOKE DELETE ON holdfast.step FROM guest')
  await expect(as('guest')).rejects.toEqual(refusalWith('its user may not change the tables cell, step'))
  await emptySchema(address)
  await sql(address, 'DROP ROLE guest')
})

it('a master key other than that of the installation is refused', async () => {
  const address = addressOf(postgres)
  await emptySchema(address)
  const store = await claimedStore(address)
  await store.commit([
    { tenant: 'SYSTEM', epoch: store.epoch, ops: [{ type: 'meta', name: MASTER_KEY_CHECK, value: 'another' }] },
  ])
  await store.close()
  await expect(open()).rejects.toEqual(refusalWith('HOLDFAST_MASTER_KEY'))
  await emptySchema(address)
})

it('a missing database or user and a wrong password are refused at once, without printing the password', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'holdfast-hba-'))
  try {
    const { user, dir: socket } = postgres
    const at = (name: string): string => `postgres://${user}@${encodeURIComponent(socket)}/${name}`
    await expect(open({ HOLDFAST_STORE: at('nothing') }, 60_000)).rejects.toEqual(refusalWith('nothing'))
    await sql(addressOf(postgres), "CREATE ROLE keeper LOGIN PASSWORD 'correct-horse' SUPERUSER")
    const rules = join(postgres.dir, 'rules')
    writeFileSync(rules, 'local all bench trust\nlocal all all scram-sha-256\n', { mode: 0o644 })
    await postgres.restart([...SETTINGS, `hba_file=${rules}`])
    const guarded = { HOLDFAST_STORE: at('postgres').replace(user, 'keeper') }
    await expect(open(guarded, 60_000)).rejects.toEqual(refusalWith('asks for a password'))
    const wrong = open({ ...guarded, HOLDFAST_STORE_PASSWORD: 'wrong-horse' }, 60_000)
    await expect(wrong).rejects.toEqual(refusalWith('password authentication failed'))
    await expect(wrong).rejects.not.toThrow('wrong-horse')
    const file = join(dir, 'password')
    writeFileSync(file, 'correct-horse\n', { mode: 0o600 })
    ;(await open({ ...guarded, HOLDFAST_STORE_PASSWORD_FILE: file }))[Symbol.dispose]()
  } finally {
    await postgres.restart(SETTINGS)
    rmSync(dir, { recursive: true })
  }
})

it('a database that is down is awaited, up to a bound', async () => {
  await postgres.kill()
  await expect(open({}, 300)).rejects.toMatchObject({ exitCode: 69 })
  const opening = open({}, 60_000)
  await postgres.restart()
  ;(await opening)[Symbol.dispose]()
})
