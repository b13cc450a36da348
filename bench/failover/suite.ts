// Several nodes on PostgreSQL compared with one process on LevelDB: transfers, forwarded requests, and the waiting time
// of clients when a node or the database ends.
import type { Figure, Options, Suite, SuiteResult } from '../suite.ts'
import { hasPostgres } from '../postgres/server.ts'
import { TENANT } from '../query/records.ts'
import { createTenant } from '../service/tenant.ts'
import { transfersDuringBackups } from './backups.ts'
import { cellCounts } from './cell-counts.ts'
import { detailsThroughDoor, transfersBesideLevel } from './beside-level.ts'
import { fillDatabase, openNodes, servedBy, startNodes, stopNodes } from './nodes.ts'
import { threads } from './threads.ts'
import { killDatabase, manyHandOvers, takeovers, type Nodes } from './takeovers.ts'

const NAMES = ['a', 'b', 'c']
const HAND_OVERS = 100
const RECORDS = [10_000, 100_000]
const about = 'nodes on PostgreSQL against one process on LevelDB; takeovers, hand-overs, and the end of the database'

export const failover: Suite = {
  name: 'failover',
  about,
  missing: () => (hasPostgres() ? null : 'PostgreSQL is not installed'),
  run,
}

async function run(options: Options): Promise<SuiteResult> {
  const load = await underLoad(options)
  const faults = await underFaults(options)
  const inThreads = await threads(options)
  const inCells = await cellCounts(options)
  return {
    suite: 'failover',
    about,
    figures: [...load.figures, ...faults, ...inThreads.figures, ...inCells.figures],
    checks: [
      ...load.checks,
      ...inThreads.checks,
      ...inCells.checks,
      'no call of a client failed over hand-overs and the end of the database',
    ],
    profile: [],
  }
}

/** Runs with one node first, because others would use the cores too. The second node is started for its part only. */
async function underLoad(options: Options): Promise<{ figures: readonly Figure[]; checks: readonly string[] }> {
  await using fixture = await openNodes()
  const [owner] = await startNodes(fixture, ['a'])
  const transfers = await transfersBesideLevel(fixture, owner!, options)
  const door = await fixture.start('b')
  const details = await detailsThroughDoor(fixture, { owner: owner!, door }, options)
  return {
    figures: [...transfers.figures, ...details.figures],
    checks: [...transfers.checks, ...details.checks],
  }
}

async function underFaults(options: Options): Promise<Figure[]> {
  await using fixture = await openNodes()
  const figures: Figure[] = []
  let nodes: Nodes = { fixture, list: await startNodes(fixture, NAMES) }
  await createTenant(servedBy(nodes.list[0]!, fixture.apiKey), TENANT)
  const sizes = options.records === null ? RECORDS : [options.records]
  for (const records of sizes) {
    await stopNodes(nodes.list)
    await fillDatabase(fixture, records)
    nodes = { fixture, list: await startNodes(fixture, NAMES) }
    options.note(`${String(records)} records are in the database`)
    figures.push(...(await takeovers(nodes, records, options)))
    if (records === sizes[0]) figures.push(...(await repeatedly(nodes, options)))
  }
  figures.push(...(await transfersDuringBackups(nodes, sizes.at(-1)!, options)))
  return figures
}

/** Many hand-overs, and several ends of the database. */
async function repeatedly(nodes: Nodes, { rounds, note }: Options): Promise<Figure[]> {
  const many = await manyHandOvers(nodes, HAND_OVERS)
  note(`${String(many.calls)} calls over ${String(HAND_OVERS)} hand-overs took effect once each`)
  const outages: Awaited<ReturnType<typeof killDatabase>>[] = []
  for (let round = 0; round < rounds; round += 1) outages.push(await killDatabase(nodes))
  return [
    { name: `${String(HAND_OVERS)} hand-overs to and fro: longest call`, unit: 's', values: [many.longestS] },
    { name: 'end of the database: until it answers', unit: 's', values: outages.map(({ ownS }) => ownS) },
    { name: 'end of the database: longest gap of clients', unit: 's', values: outages.map(({ gapS }) => gapS) },
  ]
}
