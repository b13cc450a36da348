// Two tenants in two cells of one process, whose engines run in one thread and in two: concurrent transfers of both.
import { Connection } from '@solana/web3.js'
import { createCell } from '../../src/cli/cells/create-cell.ts'
import { moveToCell } from '../../src/cli/cells/move-tenant.ts'
import { newOwners } from '../../src/cli/cells/shared-service.ts'
import { MAIN_CELL } from '../../snapshots/postgres/schema.ts'
import type { ClusterFixture, NodeProcess } from '../../test/postgres/cluster-fixture.ts'
import { perSecond } from '../load/figures.ts'
import { startGenerator, type Generator } from '../load/generator.ts'
import type { Figure, Options } from '../suite.ts'
import { audit } from '../transfers/audit.ts'
import { prepare, settingsOf, type Scene } from '../transfers/setup.ts'
import type { TransferTally } from '../transfers/traffic.ts'
import { openNodes, servedBy, withShared } from './nodes.ts'

const TRANSFERS = import.meta.resolve('../transfers/traffic.ts')
const TENANTS = ['BENCH', 'BENCHTWO'] as const
const [CELL, NODE] = ['two', 'a']
const RAMP_MS = 500

/** Transfers per second of both tenants together, by the number of threads, and the performed checks. */
export async function threads(options: Options): Promise<{ figures: Figure[]; checks: readonly string[] }> {
  const rates: number[][] = []
  const checks: string[] = []
  for (const count of [1, 2]) {
    const { values, passedChecks } = await withThreads(count, options)
    rates.push(values)
    checks.push(...passedChecks)
  }
  const [one, two] = rates
  return {
    figures: [
      { name: 'two cells in one thread', unit: 'transfers/s', values: one! },
      { name: 'two cells in two threads', unit: 'transfers/s', values: two! },
      { name: 'threads: ratio', unit: 'two/one', values: two!.map((rate, at) => rate / one![at]!) },
    ],
    checks,
  }
}

async function withThreads(
  count: number,
  options: Options,
): Promise<{ values: number[]; passedChecks: readonly string[] }> {
  await using fixture = await openNodes({ WORKERS: String(count) })
  const node = await fixture.start(NODE)
  const chain = new Connection(fixture.rpcUrl, 'confirmed')
  const scenes: Scene[] = []
  for (const tenant of TENANTS) scenes.push(await prepare(servedBy(node, fixture.apiKey), chain, tenant))
  const urls = await divide(fixture, node, count)
  const load = { clients: Math.ceil(options.clients / 2), module: TRANSFERS }
  const generators = await Promise.all(
    scenes.map((scene, at) =>
      startGenerator({ ...load, target: servedBy({ url: urls[at]! }, fixture.apiKey), settings: settingsOf(scene) }),
    ),
  )
  const round = async (rampMs: number, windowMs: number): Promise<number> => {
    const both = generators.map((generator: Generator) => generator.round({ rampMs, windowMs, pids: [] }))
    return (await Promise.all(both)).map(perSecond).reduce((sum, rate) => sum + rate, 0)
  }
  try {
    await round(0, options.warmupMs)
    const values: number[] = []
    for (let at = 0; at < options.rounds; at += 1) values.push(await round(RAMP_MS, options.windowMs))
    const passedChecks: string[] = []
    for (const [at, scene] of scenes.entries()) {
      const tally = (await generators[at]!.tally()) as TransferTally
      passedChecks.push(...(await audit(chain, scene, [{ payer: scene.feePayer, tally }])))
    }
    return { values, passedChecks }
  } finally {
    for (const generator of generators) await generator[Symbol.asyncDispose]()
  }
}

/** Moves the second tenant to a separate cell in the last thread. Returns the URL that serves each tenant. */
async function divide(fixture: ClusterFixture, { url }: NodeProcess, count: number): Promise<[string, string]> {
  return await withShared(fixture, async (service) => {
    const { rows } = service
    await createCell(service, CELL)
    await moveToCell(service, TENANTS[1], CELL)
    const last = count === 1 ? NODE : `${NODE}.${String(count)}`
    await rows.want(MAIN_CELL, NODE)
    await rows.want(CELL, last)
    await newOwners(rows, ({ cell, owner }) => owner === (cell === MAIN_CELL ? NODE : last))
    const second = (await rows.live()).find(({ id }) => id === last)
    return [url, second?.url ?? url]
  })
}
