// Ten tenants on one node, in one cell, in three and in ten: CPU of the process for each of their transfers.
import { setTimeout as sleep } from 'node:timers/promises'
import { Connection } from '@solana/web3.js'
import { createCell } from '../../src/cli/cells/create-cell.ts'
import { moveToCell } from '../../src/cli/cells/move-tenant.ts'
import { newOwners, type SharedService } from '../../src/cli/cells/shared-service.ts'
import { TenantHomes } from '../../snapshots/postgres/homes.ts'
import { MAIN_CELL } from '../../snapshots/postgres/schema.ts'
import type { RoundResult } from '../load/closed-loop.ts'
import { startGenerator, type Generator } from '../load/generator.ts'
import type { Figure, Options } from '../suite.ts'
import { audit } from '../transfers/audit.ts'
import { POSITIONS, prepare, settingsOf, type Scene } from '../transfers/setup.ts'
import type { TransferTally } from '../transfers/traffic.ts'
import { openNodes, servedBy, withShared } from './nodes.ts'

const TRANSFERS = import.meta.resolve('../transfers/traffic.ts')
const COUNTS = [1, 3, 10] as const
const TENANTS = Array.from({ length: 10 }, (_, at) => `BENCH${String(at)}`)
const RAMP_MS = 500
const BOUND_MS = 5_000
const LOOK_MS = 100

type Part = 'processUs' | 'mainUs'

export async function cellCounts(options: Options): Promise<{ figures: Figure[]; checks: readonly string[] }> {
  await using fixture = await openNodes()
  const node = await fixture.start('a')
  const target = servedBy(node, fixture.apiKey)
  const chain = new Connection(fixture.rpcUrl, 'confirmed')
  const scenes: Scene[] = []
  for (const tenant of TENANTS) scenes.push(await prepare(target, chain, tenant))
  options.note(`${String(TENANTS.length)} tenants are ready`)
  const load = { target, clients: Math.ceil(options.clients / TENANTS.length), module: TRANSFERS }
  const generators = await Promise.all(scenes.map((scene) => startGenerator({ ...load, settings: settingsOf(scene) })))
  try {
    const rounds = await withShared(fixture, (service) =>
      inTurnsOf(service, { generators, pid: node.pid, url: node.url }, options),
    )
    const checks: string[] = []
    for (const [at, scene] of scenes.entries()) {
      const tally = (await generators[at]!.tally()) as TransferTally
      checks.push(...(await audit(chain, scene, [{ payer: scene.feePayer, tally }])))
    }
    return { figures: figuresOf(rounds), checks }
  } finally {
    for (const generator of generators) await generator[Symbol.asyncDispose]()
  }
}

interface Driven {
  readonly generators: readonly Generator[]
  readonly pid: number
  readonly url: string
}

/** By number of cells, and then by round; a result for each tenant. */
type Rounds = readonly (readonly (readonly RoundResult[])[])[]

async function inTurnsOf(service: SharedService, { generators, pid, url }: Driven, options: Options): Promise<Rounds> {
  for (let at = 1; at < Math.max(...COUNTS); at += 1) await createCell(service, cellAt(at))
  const round = (rampMs: number, windowMs: number): Promise<RoundResult[]> =>
    Promise.all(generators.map((generator) => generator.round({ rampMs, windowMs, pids: [pid] })))
  await round(0, options.warmupMs)
  const rounds: RoundResult[][][] = COUNTS.map(() => [])
  for (let turn = 0; turn < options.rounds; turn += 1)
    for (const [at, count] of COUNTS.entries()) {
      await divide(service, count)
      await untilServed(url)
      // Everything that the moves closed is open and warm again before the measurement: each owner has signed, whose
      // key was sealed until then.
      for (let completed = 0; completed < 2 * POSITIONS * TENANTS.length;)
        for (const result of await round(0, options.warmupMs)) completed += result.completed
      rounds[at]!.push(await round(RAMP_MS, options.windowMs))
    }
  return rounds
}

const cellAt = (at: number): string => (at === 0 ? MAIN_CELL : `cell-${String(at)}`)

async function divide(service: SharedService, count: number): Promise<void> {
  const homes = new TenantHomes(service.database, BOUND_MS)
  for (const [at, tenant] of TENANTS.entries()) {
    const cell = cellAt(at % count)
    if ((await homes.cellOfTenant(tenant)) !== cell) await moveToCell(service, tenant, cell)
  }
  await newOwners(service.rows, ({ owner }) => owner !== null)
}

/** A cell has an owner before that owner has opened it. */
async function untilServed(url: string): Promise<void> {
  while (!(await fetch(`${url}/readyz`)).ok) await sleep(LOOK_MS)
}

function figuresOf(rounds: Rounds): Figure[] {
  const cpu = (part: Part): number[][] => rounds.map((each) => each.map((results) => cpuOf(results, part)))
  const [all, main] = [cpu('processUs'), cpu('mainUs')]
  return COUNTS.flatMap((count, at): Figure[] => {
    const cells = count === 1 ? '1 cell' : `${String(count)} cells`
    const ratio = (part: number[][]): number[] => part[at]!.map((value, turn) => value / part[0]![turn]!)
    return [
      { name: `ten tenants in ${cells}: CPU`, unit: 'us/transfer', values: all[at]! },
      { name: `ten tenants in ${cells}: main thread`, unit: 'us/transfer', values: main[at]! },
      ...(count === 1
        ? []
        : [
            { name: `CPU with ${cells}: ratio`, unit: `${String(count)}/1`, values: ratio(all) },
            { name: `main thread with ${cells}: ratio`, unit: `${String(count)}/1`, values: ratio(main) },
          ]),
    ]
  })
}

/** The windows of all tenants are nearly the same. */
function cpuOf(results: readonly RoundResult[], part: Part): number {
  const { from, to } = results[0]!
  const completed = results.reduce((sum, each) => sum + each.completed, 0)
  return (to.processes[0]![part] - from.processes[0]![part]) / completed
}
