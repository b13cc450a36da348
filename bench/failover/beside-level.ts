// A node on PostgreSQL compared with a service on LevelDB, both on one chain: transfers at full and at half load. And
// details through a node that forwards the request, compared with the node that serves it.
import { Connection } from '@solana/web3.js'
import type { ClusterFixture, NodeProcess } from '../../test/postgres/cluster-fixture.ts'
import { prepareAccounts } from '../details/suite.ts'
import type { RoundResult } from '../load/closed-loop.ts'
import { cpuPerRequestUs, perSecond } from '../load/figures.ts'
import { startGenerator, type Generator } from '../load/generator.ts'
import { inTurns } from '../measure/rounds.ts'
import { median } from '../measure/stats.ts'
import { startService, type Served } from '../service/process.ts'
import type { Figure, Options } from '../suite.ts'
import { audit } from '../transfers/audit.ts'
import { prepare, settingsOf, type Scene } from '../transfers/setup.ts'
import type { TransferTally } from '../transfers/traffic.ts'
import { servedBy } from './nodes.ts'

const RAMP_MS = 500
const TRANSFERS = import.meta.resolve('../transfers/traffic.ts')
const DETAILS = import.meta.resolve('../details/traffic.ts')

export interface Compared {
  readonly figures: readonly Figure[]
  readonly checks: readonly string[]
}

interface Side extends AsyncDisposable {
  readonly generator: Generator
  readonly scene: Scene
  readonly pid: number
}

export async function transfersBesideLevel(
  fixture: ClusterFixture,
  node: NodeProcess,
  options: Options,
): Promise<Compared> {
  const { windowMs, warmupMs, rounds: count, note } = options
  const chain = new Connection(fixture.rpcUrl, 'confirmed')
  await using level = await startService({
    node: options.node,
    profileDir: null,
    settings: { HOLDFAST_CLUSTERS: fixture.clusters, HOLDFAST_PLAYERS: '' },
  })
  await using ours = await open(servedBy(node, fixture.apiKey), node.pid, chain, options)
  await using theirs = await open(level, level.pid, chain, options)
  note(`transfers: ${ours.scene.holders.length} positions at each side are ready`)
  const sides = [ours, theirs] as const
  const round = ({ generator, pid }: Side, rate?: number): Promise<RoundResult> =>
    generator.round({
      ...{ rampMs: RAMP_MS, windowMs, pids: [pid] },
      ...(rate === undefined ? {} : { perSecond: rate }),
    })
  for (const { generator, pid } of sides) await generator.round({ rampMs: 0, windowMs: warmupMs, pids: [pid] })
  const full = await inTurns(
    count,
    sides.map((side) => () => round(side)),
  )
  const rates = full.map((each) => median(each.map(perSecond)))
  // Half the throughput of the slower of the two: the same load for both.
  const half = await inTurns(
    count,
    sides.map((side) => () => round(side, Math.min(...rates) / 2)),
  )
  const tallies = await Promise.all(sides.map(({ generator }) => generator.tally()))
  const checks: string[] = []
  for (const [at, { scene }] of sides.entries())
    checks.push(...(await audit(chain, scene, [{ payer: scene.feePayer, tally: tallies[at] as TransferTally }])))
  return { figures: figuresOf(full, half), checks }
}

async function open(service: Served, pid: number, chain: Connection, { clients }: Options): Promise<Side> {
  const scene = await prepare(service, chain)
  const generator = await startGenerator({ target: service, clients, module: TRANSFERS, settings: settingsOf(scene) })
  return { generator, scene, pid, [Symbol.asyncDispose]: () => generator[Symbol.asyncDispose]() }
}

function figuresOf(full: readonly RoundResult[][], half: readonly RoundResult[][]): Figure[] {
  const [shared, level] = [full[0]!, full[1]!]
  const [sharedHalf, levelHalf] = [half[0]!, half[1]!]
  const p99 = (rounds: readonly RoundResult[]): number[] => rounds.map(({ p99Ms }) => p99Ms)
  const main = (round: RoundResult): number => cpuPerRequestUs(round, 0, 'mainUs')
  return [
    { name: 'transfers: PostgreSQL', unit: 'transfers/s', values: shared.map(perSecond) },
    { name: 'transfers: LevelDB', unit: 'transfers/s', values: level.map(perSecond) },
    ratio('transfers: ratio', shared.map(perSecond), level.map(perSecond)),
    { name: 'main thread: PostgreSQL', unit: 'us/transfer', values: shared.map(main) },
    { name: 'main thread: LevelDB', unit: 'us/transfer', values: level.map(main) },
    { name: 'p99 at half load: PostgreSQL', unit: 'ms', values: p99(sharedHalf) },
    { name: 'p99 at half load: LevelDB', unit: 'ms', values: p99(levelHalf) },
    ratio('p99 at half load: ratio', p99(sharedHalf), p99(levelHalf)),
  ]
}

function ratio(name: string, ours: readonly number[], theirs: readonly number[], unit = 'PostgreSQL/LevelDB'): Figure {
  return { name, unit, values: ours.map((value, at) => value / theirs[at]!) }
}

/** @param door another node than the owner */
export async function detailsThroughDoor(
  { apiKey }: ClusterFixture,
  { owner, door }: { readonly owner: NodeProcess; readonly door: NodeProcess },
  options: Options,
): Promise<Compared> {
  const { clients, rounds: count, windowMs, warmupMs } = options
  const settings = await prepareAccounts(servedBy(owner, apiKey), 'DETAILS')
  const load = { clients, module: DETAILS, settings }
  await using throughDoor = await startGenerator({ target: servedBy(door, apiKey), ...load })
  await using direct = await startGenerator({ target: servedBy(owner, apiKey), ...load })
  const sides = [throughDoor, direct]
  const round = (generator: Generator, rampMs: number, forMs: number) => () =>
    generator.round({ rampMs, windowMs: forMs, pids: [] })
  for (const side of sides) await round(side, 0, warmupMs)()
  const rounds = await inTurns(
    count,
    sides.map((side) => round(side, RAMP_MS, windowMs)),
  )
  const [forwarded, served] = rounds.map((each) => each.map(perSecond))
  const answered = (await Promise.all(sides.map((side) => side.tally()))) as number[]
  return {
    figures: [
      { name: 'details: through another node', unit: 'requests/s', values: forwarded! },
      { name: 'details: at the owner', unit: 'requests/s', values: served! },
      ratio('details: ratio', forwarded!, served!, 'through another node/direct'),
    ],
    checks: [`${String(answered[0]! + answered[1]!)} answers, of both nodes, are the expected ones to the byte`],
  }
}
