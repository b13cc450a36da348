// The real service in this process, with its own data and ports and its embedded chain; a client of the interface, and
// an independent view of the chain. One per test file.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'vitest'
import type { ClusterSettings } from '../../src/rpc/cluster-settings.ts'
import { loadSettings } from '../../src/config/settings.ts'
import { generateApiKey } from '../../src/keys/api-key.ts'
import type { Platform } from '../../src/operations/context/platform.ts'
import { startService, type Bench, type Service } from '../../src/service/service.ts'
import { passSlots } from '../chain-faults.ts'
import { isShy, shy } from '../shy-store.ts'
import { Client } from './client.ts'
import { Onchain } from './onchain.ts'
import { freePair } from '../free-ports.ts'
import { Records } from './records.ts'

export { freePair }

const START_ATTEMPTS = 3
/** Blocks for which a transaction may use a blockhash. */
const LIFETIME_BLOCKS = 150
/** More than a lifetime: its end is final, with the usual number of slots until a slot is. */
const LIFETIME_SLOTS = 200
const LIFETIMES_WITHIN_MS = 120_000
const EACH_LIFETIME_MS = 3_000

export interface World {
  /** The key with every role, in the system tenant. */
  readonly api: Client
  readonly chain: Onchain
  readonly records: Records
  readonly url: string
  readonly rpcUrl: string
  /**
   * Opens this number of slots at once, and waits until the service signs with a blockhash of the last of them. Needs
   * `HOLDFAST_EMBEDDED_FAULTS`.
   */
  passSlots(slots: number): Promise<void>
  stop(): Promise<void>
}

/**
 * @param changes further `HOLDFAST_*` settings
 * @param tune other bounds and rates of its cluster
 * @param bench other parts
 */
export async function startWorld(
  changes: Readonly<Record<string, string>> = {},
  tune?: (settings: ClusterSettings) => ClusterSettings,
  bench: Omit<Bench, 'tune'> = {},
): Promise<World> {
  const dataDir = mkdtempSync(join(tmpdir(), 'holdfast-e2e-'))
  const { apiKey } = generateApiKey()
  const platforms: Platform[] = []
  const start = async (port: number): Promise<Service> =>
    await startService(
      loadSettings({
        ...settingsOfWorld(apiKey),
        HOLDFAST_DATA_DIR: join(dataDir, String(port)),
        HOLDFAST_EMBEDDED_RPC_PORT: String(port),
        ...changes,
      }),
      {
        ...bench,
        opened: (assembled) => {
          platforms.push(assembled.platform)
          bench.opened?.(assembled)
        },
        aroundStore:
          bench.aroundStore ?? (isShy(expect.getState().testPath) ? (store) => shy(store) : (store) => store),
        ...(tune === undefined ? {} : { tune }),
      },
    )
  const { service, port } = await onFreePorts(start)
  const rpcUrl = `http://127.0.0.1:${port}`
  const api = new Client(service.url, apiKey)
  const chain = new Onchain(rpcUrl)
  return {
    api,
    chain,
    records: new Records(api, chain),
    url: service.url,
    rpcUrl,
    passSlots: (slots) => passKnownSlots(chain, platforms, slots),
    async stop() {
      await service.stop()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

/** The settings of every world, independent of the location of its records. */
export function settingsOfWorld(apiKey: string) {
  return {
    HOLDFAST_PORT: '0',
    HOLDFAST_EMBEDDED_SLOT_MS: '50',
    HOLDFAST_BOOTSTRAP_KEY: apiKey,
    HOLDFAST_MASTER_KEY: Buffer.alloc(32, 7).toString('base64'),
    HOLDFAST_RATE_LIMIT: '1000000/1000000',
    HOLDFAST_LOG_LEVEL: 'silent',
    // Answers wait for the end of their plan, even on a busy machine.
    HOLDFAST_RESPONSE_WAIT_MS: '60000',
    // In every test, some of the queried transactions have left memory.
    HOLDFAST_RESIDENT_TRANSACTIONS: '2',
  }
}

/** All records are compared with the chain only at the start: later changes by others are unknown until a query. */
export const unwatched = (usual: ClusterSettings): ClusterSettings => ({
  ...usual,
  comparison: { roundMs: 3_600_000, questionsPerSecond: 100, subscribedAccounts: 0 },
})

/** Another test may take a free port before the chain binds it: then other ports are tried. */
async function onFreePorts(start: (port: number) => Promise<Service>): Promise<{ service: Service; port: number }> {
  for (let attempt = 1; ; attempt += 1) {
    const port = await freePair()
    try {
      return { service: await start(port), port }
    } catch (error) {
      if (attempt === START_ATTEMPTS) throw error
    }
  }
}

/** Waits until `check` stops failing; fails with its last failure. The bound allows for a busy machine. */
export async function eventually<T>(check: () => Promise<T>, withinMs = 120_000): Promise<T> {
  const until = performance.now() + withinMs
  for (;;) {
    try {
      return await check()
    } catch (error) {
      if (performance.now() > until) throw error
      await new Promise((resolve) => setTimeout(resolve, 25))
    }
  }
}

/** Opens slots at once, and waits until the services of the platforms sign with a blockhash of the last of them. */
export async function passKnownSlots(chain: Onchain, platforms: readonly Platform[], slots: number): Promise<void> {
  const { connection } = chain
  await passSlots(connection.rpcEndpoint, slots)
  const least = (await connection.getBlockHeight('confirmed')) + LIFETIME_BLOCKS
  const clusters = platforms.flatMap((platform) => [...platform.clusters.values()])
  const newest = (): number[] => clusters.map((cluster) => cluster.currentBlockhash()?.lastValidBlockHeight ?? Infinity)
  await eventually(() => Promise.resolve().then(() => expect(Math.min(...newest())).toBeGreaterThanOrEqual(least)))
}

/** Waits until `check` stops failing, while one lifetime of a blockhash after the other ends. */
export async function pastLifetimes<T>(world: Pick<World, 'passSlots'>, check: () => Promise<T>): Promise<T> {
  const until = performance.now() + LIFETIMES_WITHIN_MS
  for (;;) {
    await world.passSlots(LIFETIME_SLOTS)
    try {
      return await eventually(check, EACH_LIFETIME_MS)
    } catch (error) {
      if (performance.now() > until) throw error
    }
  }
}

/** Waits until no transaction of the organization is open: then none of its records changes by itself. */
export async function everythingIsFinal(api: Client): Promise<void> {
  const valuesString = ['SIGNED', 'SUBMITTED', 'PROCESSED', 'CONFIRMED']
  const open = { fieldName: 'status', filterValues: [{ filterType: 'IN', valuesString }] }
  await eventually(async () =>
    expect(await api.bulk('/transactions/bulk/compact', { filter: [open] })).toMatchObject({ count: 0 }),
  )
}
