// The effect on clients when the owner is killed, when it hands its cell over, and when the database is killed.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { newOwners } from '../../src/cli/cells/shared-service.ts'
import { dataLayout } from '../../src/config/data-layout.ts'
import { MAIN_CELL } from '../../snapshots/postgres/schema.ts'
import { metricOf, ownerOf, type ClusterFixture, type NodeProcess } from '../../test/postgres/cluster-fixture.ts'
import { fillStore } from '../query/fill.ts'
import { TENANT } from '../query/records.ts'
import { startService, type ServiceProcess } from '../service/process.ts'
import { restClient } from '../service/rest.ts'
import { createTenant } from '../service/tenant.ts'
import type { Figure, Options } from '../suite.ts'
import { callsDuring, firstSuccessMs } from './calls.ts'
import { servedBy, withShared } from './nodes.ts'

/** Time with calls in flight before and after the event. */
const CALM_MS = 1_000
/** Time after the restart of the database: the maximum pause of the client between two attempts. */
const RECOVER_MS = 10_000

export interface Nodes {
  readonly fixture: ClusterFixture
  /** A restart replaces the element of a node. */
  readonly list: NodeProcess[]
}

/** Kills the owner. Returns the seconds until a write succeeds at another node. */
async function killOwner({ fixture, list }: Nodes): Promise<number> {
  const owner = await ownerOf(list)
  const door = list.find((node) => node !== owner)!
  owner.signal('SIGKILL')
  const ms = await firstSuccessMs(servedBy(door, fixture.apiKey), fixture.apiKey)
  await owner.ended
  list[list.indexOf(owner)] = await fixture.start(owner.name)
  return ms / 1_000
}

/** The same for one process on LevelDB with this many records, which is restarted at once. Seconds per round. */
async function killSingle(records: number, options: Options): Promise<readonly number[]> {
  const dataDir = mkdtempSync(join(tmpdir(), 'holdfast-bench-'))
  const start = (): Promise<ServiceProcess> => startService({ ...options, profileDir: null }, dataDir)
  try {
    const first = await start()
    await createTenant(first, TENANT)
    await first.stop()
    await fillStore(dataLayout(dataDir).store, records)
    const values: number[] = []
    let service = await start()
    for (let round = 0; round < options.rounds; round += 1) {
      await service.kill()
      const begunAt = performance.now()
      service = await start()
      await firstSuccessMs(service, service.bootstrapKey)
      values.push((performance.now() - begunAt) / 1_000)
    }
    await service.stop()
    return values
  } finally {
    rmSync(dataDir, { recursive: true, force: true })
  }
}

/** Duration in seconds of the longest client call while the cell is handed over to another node. No call fails. */
async function handOver({ fixture, list }: Nodes): Promise<number> {
  const owner = await ownerOf(list)
  const next = list[(list.indexOf(owner) + 1) % list.length]!
  const { longestMs } = await callsDuring(urlsOf(list), fixture.apiKey, async () => {
    await sleep(CALM_MS)
    await handOverTo(fixture, next)
    await sleep(CALM_MS)
  })
  return longestMs / 1_000
}

/** Repeated hand-overs under load, without a pause: the longest call in seconds. Each call takes effect once. */
export async function manyHandOvers(nodes: Nodes, count: number): Promise<{ longestS: number; calls: number }> {
  const { fixture, list } = nodes
  const [one, other] = list as [NodeProcess, NodeProcess]
  const before = await accountsOf(nodes)
  const { calls, longestMs } = await callsDuring(urlsOf(list), fixture.apiKey, async () => {
    for (let at = 0; at < count; at += 1) {
      const owner = await ownerOf(list)
      await handOverTo(fixture, owner === one ? other : one)
    }
  })
  const created = (await accountsOf(nodes)) - before
  if (created !== calls) throw new Error(`${String(created)} accounts were created by ${String(calls)} calls`)
  return { longestS: longestMs / 1_000, calls }
}

async function accountsOf({ fixture, list }: Nodes): Promise<number> {
  const { host, port, bootstrapKey } = servedBy(await ownerOf(list), fixture.apiKey)
  const { count } = await restClient(host, port, bootstrapKey).post<{ count: number }>('/accounts/bulk/identifiers', {
    itemQuery: { limit: 1 },
  })
  return count
}

async function handOverTo(fixture: ClusterFixture, { name }: NodeProcess): Promise<void> {
  await withShared(fixture, async ({ rows }) => {
    await rows.want(MAIN_CELL, name)
    await newOwners(rows, ({ owner }) => owner === name)
  })
}

export interface Outage {
  /** Time until the database answered again, in seconds. */
  readonly ownS: number
  /** Longest time without an answer to a client, in seconds. */
  readonly gapS: number
}

/** Kills the database and starts it again. The owner and its epoch must not change. */
export async function killDatabase({ fixture, list }: Nodes): Promise<Outage> {
  const owner = await ownerOf(list)
  const epochOf = (): Promise<number | undefined> => metricOf(owner.url, 'holdfast_cell_epoch')
  const before = await epochOf()
  let ownS = 0
  const { longestGapMs } = await callsDuring(urlsOf(list), fixture.apiKey, async () => {
    await sleep(CALM_MS)
    const begunAt = performance.now()
    await fixture.postgres.kill()
    await fixture.postgres.restart()
    ownS = (performance.now() - begunAt) / 1_000
    await sleep(RECOVER_MS)
  })
  const [now, after] = [await ownerOf(list), await epochOf()]
  if (now !== owner || after !== before) throw new Error('the cell changed its owner while the database was away')
  return { ownS, gapS: longestGapMs / 1_000 }
}

const urlsOf = (nodes: readonly NodeProcess[]): string[] => nodes.map(({ url }) => url)

/** Alternates kills of the owner and hand-overs, with this many records. */
export async function takeovers(nodes: Nodes, records: number, options: Options): Promise<Figure[]> {
  const killed: number[] = []
  const handedOver: number[] = []
  for (let round = 0; round < options.rounds; round += 1) {
    killed.push(await killOwner(nodes))
    handedOver.push(await handOver(nodes))
  }
  const about = `${String(records)} records`
  return [
    { name: `${about}: first write after kill -9 of the owner`, unit: 's', values: killed },
    {
      name: `${about}: first write after kill -9 and start on LevelDB`,
      unit: 's',
      values: await killSingle(records, options),
    },
    { name: `${about}: longest call over a hand-over`, unit: 's', values: handedOver },
  ]
}
