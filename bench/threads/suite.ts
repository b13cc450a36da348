// Two tenants on LevelDB: in one cell and thread, and in two cells that two threads of one process run. Concurrent
// transfers of both tenants. The chain and the load use the same cores: with two cores, a second thread has no free
// one.
import { mkdtempSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Connection } from '@solana/web3.js'
import { createInDirectory, moveInDirectory } from '../../src/cli/cells/in-directory.ts'
import { cpuPerRequestUs, perSecond } from '../load/figures.ts'
import type { RoundResult } from '../load/closed-loop.ts'
import { startGenerator, type Generator } from '../load/generator.ts'
import { inTurns } from '../measure/rounds.ts'
import { freePortPair } from '../service/ports.ts'
import { startService, type ServiceProcess } from '../service/process.ts'
import type { Figure, Options, Suite, SuiteResult } from '../suite.ts'
import { audit } from '../transfers/audit.ts'
import { prepare, settingsOf, type Scene } from '../transfers/setup.ts'
import type { TransferTally } from '../transfers/traffic.ts'

const TRANSFERS = import.meta.resolve('../transfers/traffic.ts')
const TENANTS = ['BENCH', 'BENCHTWO'] as const
const CELL = 'two'
const RAMP_MS = 500
const LOOK_MS = 100
const HOST = '127.0.0.1'
const about = 'transfers of two tenants on LevelDB, in one thread and in two'

export const threads: Suite = { name: 'threads', about, run }

async function run(options: Options): Promise<SuiteResult> {
  await using one = await openSide(1, options)
  await using two = await openSide(2, options)
  const sides = [one, two]
  for (const side of sides) await side.round(0, options.warmupMs)
  const rounds = await inTurns(
    options.rounds,
    sides.map((side) => () => side.round(RAMP_MS, options.windowMs)),
  )
  const checks = [`${availableParallelism()} cores, which chain and load share with the threads`]
  for (const side of sides) checks.push(...(await side.audited()))
  return { suite: 'threads', about, figures: figuresOf(rounds), checks, profile: [] }
}

function figuresOf(rounds: readonly (readonly BothTenants[])[]): Figure[] {
  const [one, two] = rounds.map((each) => each.map(({ rate }) => rate)) as [number[], number[]]
  return [
    { name: 'one thread', unit: 'transfers/s', values: one },
    { name: 'two threads', unit: 'transfers/s', values: two },
    { name: 'ratio', unit: 'two/one', values: two.map((rate, at) => rate / one[at]!) },
    { name: 'one thread: CPU of the service', unit: 'us/transfer', values: rounds[0]!.map(({ cpuUs }) => cpuUs) },
    { name: 'two threads: CPU of the service', unit: 'us/transfer', values: rounds[1]!.map(({ cpuUs }) => cpuUs) },
  ]
}

interface BothTenants {
  readonly rate: number
  readonly cpuUs: number
}

interface Side extends AsyncDisposable {
  round(rampMs: number, windowMs: number): Promise<BothTenants>
  audited(): Promise<readonly string[]>
}

async function openSide(count: number, options: Options): Promise<Side> {
  const dataDir = mkdtempSync(join(tmpdir(), 'holdfast-bench-'))
  const scenes = await prepareScenes(dataDir, options)
  if (count > 1) {
    await createInDirectory(dataDir, CELL)
    await moveInDirectory(dataDir, TENANTS[1], CELL)
  }
  const port = await freePortPair(HOST)
  const service = await startSide(dataDir, options, { HOLDFAST_WORKERS: String(count), HOLDFAST_PORT: String(port) })
  for (let at = 0; at < count; at += 1) await ready(port + at)
  const chain = new Connection(service.chainRpcUrl, 'confirmed')
  const load = { clients: Math.ceil(options.clients / TENANTS.length), module: TRANSFERS }
  const generators = await Promise.all(
    scenes.map((scene, at) =>
      startGenerator({
        ...load,
        // The requests of a tenant go to the thread that runs its cell.
        target: { ...service, port: port + (count > 1 ? at : 0) },
        settings: settingsOf(scene),
      }),
    ),
  )
  options.note(`${count} thread${count > 1 ? 's' : ''}: ready`)
  return {
    async round(rampMs, windowMs) {
      const both = generators.map((generator: Generator) => generator.round({ rampMs, windowMs, pids: [service.pid] }))
      return sumOf(await Promise.all(both))
    },
    async audited() {
      const passedChecks: string[] = []
      for (const [at, scene] of scenes.entries()) {
        const tally = (await generators[at]!.tally()) as TransferTally
        passedChecks.push(...(await audit(chain, scene, [{ payer: scene.feePayer, tally }])))
      }
      return passedChecks
    },
    async [Symbol.asyncDispose]() {
      for (const generator of generators) await generator[Symbol.asyncDispose]()
      await service.stop()
      rmSync(dataDir, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
    },
  }
}

async function prepareScenes(dataDir: string, options: Options): Promise<Scene[]> {
  const service = await startSide(dataDir, options, {})
  const chain = new Connection(service.chainRpcUrl, 'confirmed')
  const scenes: Scene[] = []
  for (const tenant of TENANTS) scenes.push(await prepare(service, chain, tenant))
  await service.stop()
  return scenes
}

function startSide(
  dataDir: string,
  { node }: Options,
  settings: Readonly<Record<string, string>>,
): Promise<ServiceProcess> {
  return startService({ node, profileDir: null, settings: { HOLDFAST_PLAYERS: '', ...settings } }, dataDir)
}

/** Waits until every cell is open. */
async function ready(port: number): Promise<void> {
  for (;;) {
    const answer = await fetch(`http://${HOST}:${port}/readyz`).catch(() => null)
    if (answer?.status === 200) return
    await sleep(LOOK_MS)
  }
}

/** Sums the rounds of both tenants, which run at the same time. Each has the CPU of the whole process. */
function sumOf(rounds: readonly RoundResult[]): BothTenants {
  const rate = rounds.reduce((sum, round) => sum + perSecond(round), 0)
  const shares = rounds.map((round) => cpuPerRequestUs(round, 0) * perSecond(round))
  return { rate, cpuUs: shares.reduce((sum, share) => sum + share, 0) / shares.length / rate }
}
