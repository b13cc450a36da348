// Cells that a node opens while the server is away or takes no writes, as during a failover, or was upgraded meanwhile.
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import type { Postgres } from '../../../bench/postgres/server.ts'
import { openSharedDatabase } from '../../../src/config/shared-database.ts'
import { loadSettings } from '../../../src/config/settings.ts'
import { generateApiKey } from '../../../src/keys/api-key.ts'
import { postgresInstallation } from '../../../src/service/postgres-installation.ts'
import { until } from '../nodes-fixture.ts'
import { addressOf, emptySchema, ownPostgres, SETTINGS, sql } from '../postgres.ts'

/** How long a start waits for the database. */
const WAIT_MS = 300
const NO_ANSWER = 'the database did not answer; it is asked again'

let postgres: Postgres
const warnings: string[] = []
beforeAll(async () => {
  postgres = await ownPostgres()
})
afterAll(() => postgres[Symbol.asyncDispose]())
beforeEach(() => void (warnings.length = 0))

const ask = (text: string): Promise<unknown> => sql(addressOf(postgres), text)

/** A node that has started on an empty database. */
async function startedNode() {
  await emptySchema(addressOf(postgres))
  const settings = loadSettings({
    HOLDFAST_STORE: `postgres://${postgres.user}@${encodeURIComponent(postgres.dir)}/postgres`,
    HOLDFAST_MASTER_KEY: Buffer.alloc(32, 7).toString('base64'),
    HOLDFAST_BOOTSTRAP_KEY: generateApiKey().apiKey,
    HOLDFAST_CLUSTERS: '{"CHAIN_DEVNET":"http://127.0.0.1:8899"}',
    HOLDFAST_PLAYERS: '',
    HOLDFAST_SECRETS_DIR: '/srv/shared',
  })
  const log = { warn: (_: object, message: string) => void warnings.push(message) }
  const installation = postgresInstallation(await openSharedDatabase(settings, log, { waitMs: WAIT_MS }), 3_000)
  const onFatal = (error: Error): never => {
    throw error
  }
  const claimed = { cell: 'main', epoch: 0, hasNeighbours: () => false, cells: () => null, onFatal }
  return {
    open: async (stopping?: AbortSignal) => {
      const { store } = await installation.openCell({ ...claimed, ...(stopping === undefined ? {} : { stopping }) })
      const tenants = await store.tenants()
      await store.close()
      return tenants
    },
    [Symbol.asyncDispose]: async () => await installation.close(),
  }
}

it.each([
  ['takes no writes', () => postgres.restart([...SETTINGS, 'default_transaction_read_only=on'])],
  ['is away for longer than a start waits', () => postgres.kill()],
])('a cell is opened when the server answers again, which %s', async (_what, disturb) => {
  await using node = await startedNode()
  await disturb()
  const opening = node.open()
  let failure: unknown
  opening.catch((error: unknown) => (failure = error))
  try {
    await until('it has tried', () => warnings.includes(NO_ANSWER) || failure !== undefined)
    await sleep(2 * WAIT_MS)
    expect(failure).toBeUndefined()
  } finally {
    await postgres.restart(SETTINGS)
  }
  expect(await opening).toEqual([])
})

it('a node that stops does not wait for a server that is away', async () => {
  await using node = await startedNode()
  await postgres.kill()
  const stopping = new AbortController()
  const opening = node.open(stopping.signal)
  opening.catch(() => undefined)
  try {
    await until('it has tried', () => warnings.includes(NO_ANSWER))
    stopping.abort()
    await expect(opening).rejects.toMatchObject({ name: 'NoAnswer' })
  } finally {
    await postgres.restart(SETTINGS)
  }
})

it('a cell is opened from tables of a newer release, but not from rows of one', async () => {
  await using node = await startedNode()
  await ask('UPDATE holdfast.schema_version SET version = 99')
  expect(await node.open()).toEqual([])
  await ask("UPDATE holdfast.row SET value = '99' WHERE key = 's!schema'")
  await expect(node.open()).rejects.toMatchObject({
    name: 'UnknownSchema',
    message: expect.stringContaining('rows of version 99') as unknown,
  })
  expect(warnings.filter((message) => message.includes('no synchronous standby'))).toHaveLength(1)
})
