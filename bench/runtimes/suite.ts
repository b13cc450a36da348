// The same service under two versions of node, alternately: transfers and state machines per second. `--node` names the
// other one.
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { Connection } from '@solana/web3.js'
import type { RoundResult } from '../load/closed-loop.ts'
import { cpuPerRequestUs, othersCores, perSecond } from '../load/figures.ts'
import { startGenerator, type Generator } from '../load/generator.ts'
import type { MachinesQuestion } from '../machines/process.ts'
import { startChild, type Child } from '../measure/child.ts'
import { inTurns } from '../measure/rounds.ts'
import { spunPerSecond, type Spun } from '../measure/spin.ts'
import { startService, type ServiceProcess } from '../service/process.ts'
import type { Figure, Options, Suite, SuiteResult } from '../suite.ts'
import { audit } from '../transfers/audit.ts'
import { prepare, type Scene, settingsOf } from '../transfers/setup.ts'
import type { TransferTally } from '../transfers/traffic.ts'

const RAMP_MS = 500
const about = 'the service under the node of --node, beside the service under the node that runs this'

export const runtimes: Suite = { name: 'runtimes', about, run }

interface Runtime {
  readonly version: string
  readonly service: ServiceProcess
  readonly scene: Scene
  readonly generator: Generator
  readonly machines: Child<MachinesQuestion, Spun>
}

async function run(options: Options): Promise<SuiteResult> {
  if (options.node === process.execPath)
    throw new Error('runtimes compares two versions of node: name the other one with --node PATH')
  const open: Runtime[] = []
  try {
    for (const node of [options.node, process.execPath])
      open.push(await openRuntime({ ...options, node, profileDir: null }))
    return await compare(open, options)
  } finally {
    for (const { generator, machines, service } of open) {
      for (const each of [generator, machines, service]) await each[Symbol.asyncDispose]()
    }
  }
}

async function openRuntime(options: Options): Promise<Runtime> {
  const version = execFileSync(options.node, ['--version'], { encoding: 'utf8' }).trim()
  const service = await startService(options)
  const scene = await prepare(service, new Connection(service.chainRpcUrl, 'confirmed'))
  const settings = settingsOf(scene)
  const module = import.meta.resolve('../transfers/traffic.ts')
  const generator = await startGenerator({ target: service, clients: options.clients, module, settings })
  const machines = startChild<MachinesQuestion, Spun>(
    join(import.meta.dirname, '..', 'machines', 'process.ts'),
    options.node,
  )
  return { version, service, scene, generator, machines }
}

async function compare(all: readonly Runtime[], { rounds, windowMs, warmupMs }: Options): Promise<SuiteResult> {
  const transfers =
    ({ generator, service }: Runtime, forMs: number) =>
    () =>
      generator.round({ rampMs: RAMP_MS, windowMs: forMs, pids: [service.pid, service.chainPid] })
  const transitions =
    ({ machines }: Runtime, forMs: number) =>
    () =>
      machines.ask({ side: 'awake', windowMs: forMs })
  for (const each of all) {
    await transfers(each, warmupMs)()
    await transitions(each, warmupMs)()
  }
  const [other, here] = (await inTurns(
    rounds,
    all.map((each) => transfers(each, windowMs)),
  )) as [RoundResult[], RoundResult[]]
  const [otherSpun, hereSpun] = (await inTurns(
    rounds,
    all.map((each) => transitions(each, windowMs)),
  )) as [Spun[], Spun[]]
  const checks: string[] = []
  for (const { version, service, scene, generator } of all) {
    const tally = (await generator.tally()) as TransferTally
    const found = await audit(new Connection(service.chainRpcUrl, 'confirmed'), scene, [
      { payer: scene.feePayer, tally },
    ])
    checks.push(...found.map((check) => `${version}: ${check}`))
  }
  const [theirs, ours] = all.map(({ version }) => version) as [string, string]
  const ratio = <R>(of: (round: R) => number, one: readonly R[], two: readonly R[]) =>
    one.map((round, index) => of(round) / of(two[index]!))
  const versions = `${theirs}/${ours}`
  const figures: Figure[] = [
    { name: theirs, unit: 'transfers/s', values: other.map(perSecond) },
    { name: ours, unit: 'transfers/s', values: here.map(perSecond) },
    { name: 'ratio of transfers', unit: versions, values: ratio(perSecond, other, here) },
    { name: `${theirs}: p99`, unit: 'ms', values: other.map(({ p99Ms }) => p99Ms) },
    { name: `${ours}: p99`, unit: 'ms', values: here.map(({ p99Ms }) => p99Ms) },
    { name: `${theirs}: CPU service`, unit: 'us/transfer', values: other.map((round) => cpuPerRequestUs(round, 0)) },
    { name: `${ours}: CPU service`, unit: 'us/transfer', values: here.map((round) => cpuPerRequestUs(round, 0)) },
    { name: `${theirs}: machines`, unit: 'transitions/s', values: otherSpun.map(spunPerSecond) },
    { name: `${ours}: machines`, unit: 'transitions/s', values: hereSpun.map(spunPerSecond) },
    { name: 'ratio of machines', unit: versions, values: ratio(spunPerSecond, otherSpun, hereSpun) },
    { name: 'busy: others', unit: 'cores', values: here.map(othersCores) },
  ]
  return { suite: 'runtimes', about, figures, checks, profile: [] }
}
