// The harness of the end-to-end tests, with a node on PostgreSQL instead of a single process: three cells, and a chain.
// A tenant that a test creates is moved to one of the two other cells before the test continues.
import { randomBytes, randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, inject } from 'vitest'
import { createCell } from '../../src/cli/cells/create-cell.ts'
import { moveToCell } from '../../src/cli/cells/move-tenant.ts'
import { withShared } from '../../src/cli/cells/shared-service.ts'
import { childEnvironment } from '../../src/config/environment.ts'
import { loadSettings, type Settings } from '../../src/config/settings.ts'
import { startEmbeddedChain } from '../../src/embedded/embedded.ts'
import { generateApiKey } from '../../src/keys/api-key.ts'
import { startService } from '../../src/service/service.ts'
import { Client, type Answer, type Method, type Options } from '../e2e/client.ts'
import { eventually, settingsOfWorld, type startWorld as startOne, type World } from '../../test/e2e/harness.ts'
import type { Ids } from '../e2e/models.ts'
import { Onchain } from '../e2e/onchain.ts'
import { Records } from '../e2e/records.ts'
import { freePair } from '../free-ports.ts'
import { addressOf, sql } from '../postgres/postgres.ts'

export * from '../../test/e2e/harness.ts'

const MESSAGE_MS = 10_000
const CELLS = ['red', 'blue'] as const
/** Settings of the chain, which is as near as an embedded one. */
const RATE = 10_000
const QUIET = { info: () => undefined, warn: () => undefined, error: () => undefined }

/** Like its namesake, for the tests that run on both. */
export async function startWorld(...[changes = {}, tune, bench = {}]: Parameters<typeof startOne>): Promise<World> {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-cells-'))
  const { dir, user } = inject('postgres')
  const name = `w${randomUUID().replaceAll('-', '')}`
  await sql(addressOf({ dir, user }), `CREATE DATABASE ${name}`)
  const { apiKey } = generateApiKey()
  const common = { ...settingsOfWorld(apiKey), HOLDFAST_DATA_DIR: join(folder, 'node'), ...changes }
  const chain = await chainFor(loadSettings({ ...common, HOLDFAST_DATA_DIR: join(folder, 'chain') }), folder)
  const settings = loadSettings({
    ...common,
    HOLDFAST_STORE: `postgres://${user}@${encodeURIComponent(dir)}/${name}`,
    HOLDFAST_CLUSTERS: JSON.stringify({
      CHAIN_DEVNET: { endpoints: chain.rpcUrl, ratePerSecond: RATE, minSlotMs: 1 },
    }),
    HOLDFAST_NODE_ID: 'a',
    HOLDFAST_NODE_SECRET: randomBytes(32).toString('hex'),
    HOLDFAST_PLAYERS: '',
    HOLDFAST_SECRETS_DIR: join(folder, 'secrets'),
  })
  const service = await startService(settings, { ...bench, ...(tune === undefined ? {} : { tune }) })
  for (const cell of CELLS) await withShared(settings, (shared) => createCell(shared, cell))
  const api = new ClientOfCells(service.url, apiKey, placeIn(settings))
  const onchain = new Onchain(chain.rpcUrl)
  return {
    ...{ api, chain: onchain, records: new RecordsOfCells(api, onchain), url: service.url, rpcUrl: chain.rpcUrl },
    passSlots: (slots) => waitForSlots(onchain, slots),
    async stop() {
      await service.stop()
      await chain.stop()
      rmSync(folder, { recursive: true, force: true })
      await sql(addressOf({ dir, user }), `DROP DATABASE ${name} WITH (FORCE)`)
    },
  }
}

async function chainFor(settings: Settings, folder: string) {
  return await startEmbeddedChain({
    ...{ host: settings.embeddedRpcHost, port: await freePair(), dataDir: join(folder, 'chain') },
    ...{ slotMs: settings.embeddedSlotMs, finalitySlots: settings.embeddedFinalitySlots },
    faults: settings.embeddedFaults,
    given: { programs: settings.embeddedPrograms, accounts: settings.embeddedAccounts },
    environment: childEnvironment(),
    log: QUIET,
    onFatal: (error) => {
      throw error
    },
  })
}

/** In real time: a service does not believe a chain outside of it whose slots jump. */
async function waitForSlots({ connection }: Onchain, slots: number): Promise<void> {
  const end = (await connection.getSlot('processed')) + slots
  await eventually(async () => expect(await connection.getSlot('processed')).toBeGreaterThanOrEqual(end))
}

type Place = (tenant: string) => Promise<void>

/** Moves tenants to the cells in turn, one at a time. */
function placeIn(settings: Settings): Place {
  let turn = 0
  let last: Promise<unknown> = Promise.resolve()
  return async (tenant) => {
    const cell = CELLS[turn % CELLS.length]!
    turn += 1
    const move = last.then(() => withShared(settings, (shared) => moveToCell(shared, tenant, cell)))
    last = move.catch(() => undefined)
    await move
  }
}

/** The movements of a transaction of another cell are booked a moment later: its outcome is a message. */
class RecordsOfCells extends Records {
  readonly #ofCells: Onchain

  constructor(api: Client, chain: Onchain) {
    super(api, chain)
    this.#ofCells = chain
  }

  override with(api: Client): Records {
    return new RecordsOfCells(api, this.#ofCells)
  }

  override accountsEqualChain(...accounts: readonly Ids[]): Promise<void> {
    return eventually(() => super.accountsEqualChain(...accounts), MESSAGE_MS)
  }

  override positionsEqualChain(...positions: readonly Ids[]): Promise<void> {
    return eventually(() => super.positionsEqualChain(...positions), MESSAGE_MS)
  }
}

class ClientOfCells extends Client {
  readonly #place: Place
  readonly #base: string

  constructor(base: string, key: string, place: Place) {
    super(base, key)
    this.#base = base
    this.#place = place
  }

  override as(key: string): Client {
    return new ClientOfCells(this.#base, key, this.#place)
  }

  override async send<T>(method: Method, path: string, itemData: object, options?: Options): Promise<Answer<T>> {
    const { externalId, parentExternalId } = itemData as Readonly<Record<string, string | undefined>>
    const answer = await super.send<T>(method, path, itemData, options)
    const isTenant = method === 'POST' && path === '/admin/organizations' && parentExternalId === undefined
    if (isTenant && answer.status === 201) await this.#place(externalId!)
    return answer
  }
}
