// Durable commits per second of the store by 1, 8, 64 and 256 clients, compared with LevelDB alone with synced batches
// of the same bytes.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startChild, type Child } from '../measure/child.ts'
import { inTurns } from '../measure/rounds.ts'
import { median } from '../measure/stats.ts'
import type { Chart, Figure, Options, Suite, SuiteResult } from '../suite.ts'
import type { StoreRound } from './measured.ts'
import type { StoreQuestion } from './process.ts'
import type { StoreSideName } from './sides.ts'

const CLIENTS = [1, 8, 64, 256]
const SIDES: readonly StoreSideName[] = ['store', 'grouped', 'single']
const about = 'units of a transfer made durable, beside synced batches of bare LevelDB with the same bytes'

export const store: Suite = { name: 'store', about, run }

interface Load {
  readonly clients: number
  /** Rounds by side. */
  readonly rounds: readonly (readonly StoreRound[])[]
}

async function run(options: Options): Promise<SuiteResult> {
  const dir = mkdtempSync(join(tmpdir(), 'holdfast-bench-'))
  try {
    await using child = startChild<StoreQuestion, StoreRound | number | null>(
      join(import.meta.dirname, 'process.ts'),
      options.node,
    )
    const loads: Load[] = []
    let units = 0
    for (const clients of CLIENTS) {
      loads.push({ clients, rounds: await measure(child, dir, clients, options) })
      units += (await child.ask({ kind: 'check' })) as number
    }
    const checks = [`the databases, opened again, hold the rows of ${units} units, no more and no less`]
    return { suite: 'store', about, figures: loads.flatMap(figuresOf), checks, profile: [], charts: [chartOf(loads)] }
  } finally {
    rmSync(dir, { recursive: true, force: true })
  }
}

async function measure(
  child: Child<StoreQuestion, StoreRound | number | null>,
  dir: string,
  clients: number,
  { rounds, windowMs, warmupMs }: Options,
): Promise<StoreRound[][]> {
  const paths = SIDES.map((side) => join(dir, `${side}-${clients}`))
  const round = async (path: string, forMs: number) =>
    (await child.ask({ kind: 'round', path, windowMs: forMs })) as StoreRound
  for (const [index, side] of SIDES.entries()) {
    await child.ask({ kind: 'open', side, path: paths[index]!, clients })
    await round(paths[index]!, warmupMs / (SIDES.length * CLIENTS.length))
  }
  return await inTurns(
    rounds,
    paths.map((path) => () => round(path, windowMs)),
  )
}

const rate = ({ done, seconds }: StoreRound): number => done / seconds

function figuresOf({ clients, rounds }: Load): Figure[] {
  const [ours, grouped, single] = rounds as [StoreRound[], StoreRound[], StoreRound[]]
  const name = clients === 1 ? '1 client' : `${clients} clients`
  return [
    { name: `${name}: store`, unit: 'commits/s', values: ours.map(rate) },
    { name: `${name}: LevelDB, a batch of ${clients}`, unit: 'commits/s', values: grouped.map(rate) },
    { name: `${name}: LevelDB, a batch each`, unit: 'commits/s', values: single.map(rate) },
    {
      name: `${name}: ratio`,
      unit: 'store/batches',
      values: ours.map((round, index) => rate(round) / rate(grouped[index]!)),
    },
    {
      name: `${name}: ratio`,
      unit: 'store/batch each',
      values: ours.map((round, index) => rate(round) / rate(single[index]!)),
    },
    { name: `${name}: store p99`, unit: 'ms', values: ours.map(({ p99Ms }) => p99Ms) },
  ]
}

function chartOf(loads: readonly Load[]): Chart {
  const line = (name: string, side: number, of: (round: StoreRound) => number) => ({
    name,
    points: loads.map(({ clients, rounds }) => [clients, median(rounds[side]!.map(of))] as const),
  })
  const lines = (of: (round: StoreRound) => number) => [
    line('store', 0, of),
    line('LevelDB, batches', 1, of),
    line('LevelDB, a batch each', 2, of),
  ]
  return {
    name: 'store-load',
    title: 'store: durable commits against clients',
    x: { title: 'clients', scale: 'log' },
    panels: [
      { title: 'commits/s', lines: lines(rate) },
      { title: 'p99, ms', lines: lines(({ p99Ms }) => p99Ms) },
    ],
  }
}
