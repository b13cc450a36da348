// Tenants on one node, ten in one cell, ten in three cells and ten in ten: CPU of the process per transfer. Only the
// tenants of one group have load at a time, in short windows in turns, so that the state of the machine, of the process
// and of its compiled code is the same for all groups.
import { setTimeout as sleep } from 'node:timers/promises'
import { Connection } from '@solana/web3.js'
import { createCell } from '../../src/cli/cells/create-cell.ts'
import { moveToCell } from '../../src/cli/cells/move-tenant.ts'
import { newOwners, type SharedService } from '../../src/cli/cells/shared-service.ts'
import { MAIN_CELL } from '../../snapshots/postgres/schema.ts'
import { startGenerator, type Generator } from '../load/generator.ts'
import type { Served } from '../service/process.ts'
import type { Figure, Options } from '../suite.ts'
import { audit } from '../transfers/audit.ts'
import { POSITIONS, prepare, settingsOf, type Scene } from '../transfers/setup.ts'
import type { TransferTally } from '../transfers/traffic.ts'
import { openNodes, servedBy, withShared } from './nodes.ts'

const TRANSFERS = import.meta.resolve('../transfers/traffic.ts')
const COUNTS = [1, 3, 10] as const
const TENANTS_EACH = 10
/** Windows of each group in one round. */
const WINDOWS = 4
const RAMP_MS = 500
const LOOK_MS = 100

/** Ten tenants, evenly divided among a number of cells. */
interface Group {
  readonly cells: number
  readonly tenants: { readonly name: string; readonly scene: Scene; readonly generator: Generator }[]
}

interface Cpu {
  readonly processUs: number
  readonly mainUs: number
}

export async function cellCounts(options: Options): Promise<{ figures: Figure[]; checks: readonly string[] }> {
  await using fixture = await openNodes()
  const node = await fixture.start('a')
  const target = servedBy(node, fixture.apiKey)
  const chain = new Connection(fixture.rpcUrl, 'confirmed')
  const groups = COUNTS.map((cells): Group => ({ cells, tenants: [] }))
  try {
    for (const group of groups) await fillGroup(group, { target, chain }, options)
    await withShared(fixture, (service) => divide(service, groups))
    // The owners have to open their cells.
    while (!(await fetch(`${node.url}/readyz`)).ok) await sleep(LOOK_MS)
    const rounds = await inTurns(groups, node.pid, options)
    const checks: string[] = []
    for (const { scene, generator } of groups.flatMap(({ tenants }) => tenants)) {
      const tally = (await generator.tally()) as TransferTally
      checks.push(...(await audit(chain, scene, [{ payer: scene.feePayer, tally }])))
    }
    return { figures: figuresOf(rounds), checks }
  } finally {
    for (const { generator } of groups.flatMap(({ tenants }) => tenants)) await generator[Symbol.asyncDispose]()
  }
}

async function fillGroup(
  { cells, tenants }: Group,
  { target, chain }: { readonly target: Served; readonly chain: Connection },
  { clients, note }: Options,
): Promise<void> {
  for (let at = 0; at < TENANTS_EACH; at += 1) {
    const name = `BENCH${String(cells)}X${String(at)}`
    const scene = await prepare(target, chain, name)
    const load = { target, clients: Math.ceil(clients / TENANTS_EACH), module: TRANSFERS, settings: settingsOf(scene) }
    tenants.push({ name, scene, generator: await startGenerator(load) })
  }
  note(`${String(TENANTS_EACH)} tenants for ${cellsText(cells)} are ready`)
}

const cellsText = (count: number): string => (count === 1 ? '1 cell' : `${String(count)} cells`)

const cellAt = (at: number): string => (at === 0 ? MAIN_CELL : `cell-${String(at)}`)

/** Moves the tenants, which are all in the cell `main`. */
async function divide(service: SharedService, groups: readonly Group[]): Promise<void> {
  for (let at = 1; at < Math.max(...COUNTS); at += 1) await createCell(service, cellAt(at))
  for (const { cells, tenants } of groups)
    for (const [at, { name }] of tenants.entries())
      if (at % cells > 0) await moveToCell(service, name, cellAt(at % cells))
  await newOwners(service.rows, ({ owner }) => owner !== null)
}

/** CPU per transfer by group and round. */
async function inTurns(groups: readonly Group[], pid: number, options: Options): Promise<readonly (readonly Cpu[])[]> {
  // Every owner must have signed before the measurement, because its key was sealed again by the move.
  for (const group of groups)
    for (let completed = 0; completed < 2 * POSITIONS * TENANTS_EACH;)
      completed += (await drive(group, pid, { rampMs: 0, windowMs: options.warmupMs })).completed
  const rounds = groups.map((): Cpu[] => [])
  for (let round = 0; round < options.rounds; round += 1) {
    const sums = groups.map(() => ({ completed: 0, processUs: 0, mainUs: 0 }))
    for (let window = 0; window < WINDOWS; window += 1)
      for (const [at, group] of groups.entries()) {
        const driven = await drive(group, pid, { rampMs: RAMP_MS, windowMs: options.windowMs })
        for (const part of ['completed', 'processUs', 'mainUs'] as const) sums[at]![part] += driven[part]
      }
    for (const [at, { completed, processUs, mainUs }] of sums.entries())
      rounds[at]!.push({ processUs: processUs / completed, mainUs: mainUs / completed })
  }
  return rounds
}

/** Uses the window of the first tenant, since the windows of all tenants are nearly the same. */
async function drive(
  { tenants }: Group,
  pid: number,
  window: { readonly rampMs: number; readonly windowMs: number },
): Promise<Cpu & { readonly completed: number }> {
  const results = await Promise.all(tenants.map(({ generator }) => generator.round({ ...window, pids: [pid] })))
  const { from, to } = results[0]!
  const [before, after] = [from.processes[0]!, to.processes[0]!]
  return {
    completed: results.reduce((sum, { completed }) => sum + completed, 0),
    processUs: after.processUs - before.processUs,
    mainUs: after.mainUs - before.mainUs,
  }
}

function figuresOf(rounds: readonly (readonly Cpu[])[]): Figure[] {
  return COUNTS.flatMap((count, at): Figure[] => {
    const cells = cellsText(count)
    const values = (part: keyof Cpu): number[] => rounds[at]!.map((cpu) => cpu[part])
    const ratio = (part: keyof Cpu): number[] => rounds[at]!.map((cpu, round) => cpu[part] / rounds[0]![round]![part])
    return [
      { name: `ten tenants in ${cells}: CPU`, unit: 'us/transfer', values: values('processUs') },
      { name: `ten tenants in ${cells}: main thread`, unit: 'us/transfer', values: values('mainUs') },
      ...(count === 1
        ? []
        : [
            { name: `CPU with ${cells}: ratio`, unit: `${String(count)}/1`, values: ratio('processUs') },
            { name: `main thread with ${cells}: ratio`, unit: `${String(count)}/1`, values: ratio('mainUs') },
          ]),
    ]
  })
}
