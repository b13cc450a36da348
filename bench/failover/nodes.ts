// Nodes on one database, started as by an operator, with a separate chain.
import { openPostgresStore, prepareDatabase } from '../../snapshots/postgres/postgres-store.ts'
import type { SharedService } from '../../src/cli/cells/shared-service.ts'
import { NodeRows } from '../../src/nodes/node-rows.ts'
import { Database } from '../../snapshots/postgres/database.ts'
import { parseAddress } from '../../snapshots/postgres/address.ts'
import {
  openClusterFixture,
  ownerOf,
  type ClusterFixture,
  type NodeProcess,
} from '../../test/postgres/cluster-fixture.ts'
import { fill } from '../query/fill.ts'
import type { Served } from '../service/process.ts'

const PROGRAM = ['--v8-pool-size=0', '--max-semi-space-size=64', 'src/holdfast.mjs']
/** Of the embedded chain, so that both sides have the same. */
const SLOT_MS = 400
/** So high that it does not matter, as for the embedded chain. */
const RATE_PER_SECOND = 10_000
const BOUND_MS = 5_000
const WAIT_MS = 30_000
const RATE_LIMIT = '9999999/9999999'

export function openNodes(settings: Readonly<Record<string, string>> = {}): Promise<ClusterFixture> {
  return openClusterFixture(
    { LOG_LEVEL: 'error', RATE_LIMIT, ...settings },
    {
      program: PROGRAM,
      slotMs: SLOT_MS,
      ratePerSecond: RATE_PER_SECOND,
      database: ['shared_buffers=512MB', 'max_wal_size=4GB', 'jit=off'],
    },
  )
}

/** The access that the commands for cells use. */
export async function withShared<Result>(
  { store }: ClusterFixture,
  work: (service: SharedService) => Promise<Result>,
): Promise<Result> {
  const database = new Database({ address: parseAddress(store) })
  const lane = database.lane()
  try {
    return await work({ database, rows: new NodeRows(lane, BOUND_MS) })
  } finally {
    lane.destroy()
    database.close()
  }
}

export function servedBy({ url }: Pick<NodeProcess, 'url'>, bootstrapKey: string): Served {
  const { hostname, port } = new URL(url)
  return { host: hostname, port: Number(port), bootstrapKey }
}

export async function stopNodes(nodes: readonly NodeProcess[]): Promise<void> {
  for (const node of nodes) node.signal('SIGTERM')
  await Promise.all(nodes.map(({ ended }) => ended))
}

export async function startNodes(fixture: ClusterFixture, names: readonly string[]): Promise<NodeProcess[]> {
  const nodes = await Promise.all(names.map((name) => fixture.start(name)))
  await ownerOf(nodes)
  return nodes
}

/** Puts records into the database while no node runs. */
export async function fillDatabase({ store: url }: ClusterFixture, records: number): Promise<void> {
  const failed: Error[] = []
  const { database } = await prepareDatabase({ address: parseAddress(url), waitMs: WAIT_MS })
  const store = openPostgresStore({ database, onFatal: (error) => failed.push(error) })
  await store.claim()
  await fill(store, records, store.epoch)
  await store.close()
  if (failed[0] !== undefined) throw failed[0]
}
