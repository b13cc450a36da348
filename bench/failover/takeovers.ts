// The effect on clients of a kill of the owner, of a hand-over, and of a kill of the database.
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

/** Time before and after the event, so that calls are under way. */
const CALM_MS = 1_000
/** After the database is back the client waits for at most this long between two attempts. */
const RECOVER_MS = 10_000

export interface Nodes {
  readonly fixture: ClusterFixture
  /** Replaced when one is started again. */
  readonly list: NodeProcess[]
}

/** Seconds from the end of the owner until a write succeeds at another node. */
export async function killOwner({ fixture, list }: Nodes): Promise<number> {
  const owner = await ownerOf(list)
  const door = list.find((node) => node !== owner)!
  owner.signal('SIGKILL')
  const ms = await firstSuccessMs(servedBy(door, fixture.apiKey), fixture.apiKey)
  await owner.ended
  list[list.indexOf(owner)] = await fixture.start(owner.name)
  return ms / 1_000
}

/** The same for one process on LevelDB, which is restarted at once; with this number of records, in seconds. */
export async function killSingle(records: number, options: Options): Promise<readonly number[]> {
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

/** Seconds that the longest call of clients took while the cell was handed over to another node. None fails. */
export async function handOver({ fixture, list }: Nodes): Promise<number> {
  const owner = await ownerOf(list)
  const next = list[(list.indexOf(owner) + 1) % list.length]!
  const { longestMs } = await callsDuring(urlsOf(list), fixture.apiKey, async () => {
    await sleep(CALM_MS)
    await handOverTo(fixture, next)
    await sleep(CALM_MS)
  })
  return longestMs / 1_000
}

/** Back and forth without a pause, under load: seconds of the longest call. Each call took effect once. */
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
  const made = (await accountsOf(nodes)) - before
  if (made !== calls) throw new Error(`${String(made)} accounts were made by ${String(calls)} calls`)
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
  /** Until the database answered again, in seconds. */
  readonly ownS: number
  /** Longest time without an answer to a client, in seconds. */
  readonly gapS: number
}

/** Kills the database and starts it again. The owner and its epoch stay. */
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

/** Alternately: kills of the owner and hand-overs, with this number of records. */
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
