// Transfers per second through REST, durable and settled at `confirmed`, compared with a loop that only builds, signs
// and executes.
import { join } from 'node:path'
import { Connection, PublicKey } from '@solana/web3.js'
import { loadCurve } from '../load/curve.ts'
import { cpuPerRequestUs, latencyFigures, mainThreadShare, othersCores, perSecond } from '../load/figures.ts'
import { startGenerator, type Generator } from '../load/generator.ts'
import { startChild, type Child } from '../measure/child.ts'
import { inTurns } from '../measure/rounds.ts'
import { countRound } from '../profile/counts.ts'
import { profileSummary } from '../profile/summary.ts'
import { startService, type ServiceProcess } from '../service/process.ts'
import type { Figure, Options, Suite, SuiteResult } from '../suite.ts'
import type { RoundResult } from '../load/closed-loop.ts'
import { audit, sameTransaction } from './audit.ts'
import type { AccountCopy, BareQuestion, BareRound } from './bare-process.ts'
import { DECIMALS } from '../service/assets.ts'
import { type Payer, prepare, type Scene, settingsOf } from './setup.ts'
import type { TransferTally } from './traffic.ts'

const RAMP_MS = 500
const [SERVICE, CHAIN, GENERATOR] = [0, 1, 2]
const about =
  'one Token-2022 transfer with two signatures, REST to confirmed, beside building, signing and executing it in LiteSVM'

export const transfers: Suite = { name: 'transfers', about, run }

async function run(options: Options): Promise<SuiteResult> {
  await using service = await startService(options)
  const chain = new Connection(service.chainRpcUrl, 'confirmed')
  const scene = await prepare(service, chain)
  options.note(`${scene.holders.length} positions are ready`)
  const [own, system] = [scene.feePayer, scene.systemPayer]
  await using paidByOwn = await open(service, scene, own, { prefix: '000000a1', options })
  await using paidBySystem = await open(service, scene, system, { prefix: '000000a2', options })
  const pids = [service.pid, service.chainPid]
  for (const generator of [paidByOwn, paidBySystem])
    await generator.round({ rampMs: 0, windowMs: options.warmupMs, pids })
  const tallyOf = async (generator: Generator): Promise<TransferTally> => (await generator.tally()) as TransferTally
  const same = await sameTransaction(chain, scene, await tallyOf(paidByOwn))
  await using bare = await startBare(chain, scene, same.unitLimit, options.node)
  await bare.ask({ kind: 'round', windowMs: options.warmupMs })

  const round = (generator: Generator) => () => generator.round({ rampMs: RAMP_MS, windowMs: options.windowMs, pids })
  const [ownRounds, systemRounds, bareRounds] = (await inTurns<RoundResult | BareRound>(options.rounds, [
    round(paidByOwn),
    round(paidBySystem),
    async () => (await bare.ask({ kind: 'round', windowMs: options.windowMs }))!,
  ])) as [RoundResult[], RoundResult[], BareRound[]]
  // A profiled service is slower: its curve would be meaningless.
  const curve =
    options.profileDir === null
      ? await loadCurve('transfers', 'transfers/s', paidByOwn, { peaks: ownRounds, pids, options })
      : { figures: [], chart: null }
  const acknowledged = async () => (await tallyOf(paidByOwn)).acknowledged
  const counts =
    options.profileDir === null
      ? []
      : await countRound(service.pid, options.profileDir, async () => {
          const before = await acknowledged()
          await round(paidByOwn)()
          return { answered: (await acknowledged()) - before }
        })
  const checks = [
    `the service's message of ${same.bytes} bytes is the baseline's, byte for byte`,
    ...(await audit(chain, scene, [
      { payer: own, tally: await tallyOf(paidByOwn) },
      { payer: system, tally: await tallyOf(paidBySystem) },
    ])),
  ]
  await service.stop()
  const windows = ownRounds.map(({ from, to }) => [from.atUs, to.atUs] as const)
  const completed = ownRounds.reduce((sum, each) => sum + each.completed, 0)
  const profile =
    options.profileDir === null ? [] : [...profileSummary(options.profileDir, windows, completed), ...counts]
  const figures = [...figuresOf(ownRounds, systemRounds, bareRounds), ...curve.figures]
  return { suite: 'transfers', about, figures, checks, profile, charts: curve.chart === null ? [] : [curve.chart] }
}

function open(
  service: ServiceProcess,
  scene: Scene,
  payer: Payer,
  { prefix, options: { clients } }: { readonly prefix: string; readonly options: Options },
): Promise<Generator> {
  const settings = settingsOf(scene, payer, prefix)
  return startGenerator({ target: service, clients, module: import.meta.resolve('./traffic.ts'), settings })
}

async function startBare(
  chain: Connection,
  scene: Scene,
  unitLimit: number,
  node: string,
): Promise<Child<BareQuestion, BareRound | null>> {
  const child = startChild<BareQuestion, BareRound | null>(join(import.meta.dirname, 'bare-process.ts'), node)
  const { instrument, holders } = scene
  try {
    await child.ask({
      kind: 'scene',
      mintAddress: instrument.onchainId,
      mint: await copy(chain, instrument.onchainId),
      position: await copy(chain, holders[0]!.position.onchainId),
      positions: holders.length,
      decimals: DECIMALS,
      unitLimit,
    })
    return child
  } catch (error) {
    await child[Symbol.asyncDispose]()
    throw error
  }
}

async function copy(chain: Connection, address: string): Promise<AccountCopy> {
  const account = await chain.getAccountInfo(new PublicKey(address), 'confirmed')
  if (account === null) throw new Error(`${address} is not on chain`)
  return { lamports: BigInt(account.lamports), data: account.data }
}

function figuresOf(
  service: readonly RoundResult[],
  system: readonly RoundResult[],
  bare: readonly BareRound[],
): Figure[] {
  const bareRate = ({ transfers, seconds }: BareRound) => transfers / seconds
  const bareCpuUs = ({ transfers, cpuUs }: BareRound) => cpuUs / transfers
  const ratio = (rounds: readonly RoundResult[]) =>
    rounds.map((round, index) => perSecond(round) / bareRate(bare[index]!))
  return [
    { name: 'service', unit: 'transfers/s', values: service.map(perSecond) },
    { name: "service, the system's fee payer", unit: 'transfers/s', values: system.map(perSecond) },
    { name: 'bare loop', unit: 'transfers/s', values: bare.map(bareRate) },
    { name: 'ratio', unit: 'service/bare', values: ratio(service) },
    { name: "ratio, the system's fee payer", unit: 'service/bare', values: ratio(system) },
    ...latencyFigures(service),
    { name: 'CPU service', unit: 'us/transfer', values: service.map((round) => cpuPerRequestUs(round, SERVICE)) },
    {
      name: 'CPU service, main thread',
      unit: 'us/transfer',
      values: service.map((round) => cpuPerRequestUs(round, SERVICE, 'mainUs')),
    },
    { name: 'CPU chain', unit: 'us/transfer', values: service.map((round) => cpuPerRequestUs(round, CHAIN)) },
    {
      name: 'CPU load generator',
      unit: 'us/transfer',
      values: service.map((round) => cpuPerRequestUs(round, GENERATOR)),
    },
    { name: 'CPU bare loop', unit: 'us/transfer', values: bare.map(bareCpuUs) },
    {
      name: 'CPU ratio',
      unit: 'bare/service main thread',
      values: service.map((round, index) => bareCpuUs(bare[index]!) / cpuPerRequestUs(round, SERVICE, 'mainUs')),
    },
    {
      name: 'busy: service main thread',
      unit: 'of a core',
      values: service.map((round) => mainThreadShare(round, SERVICE)),
    },
    {
      name: 'busy: chain main thread',
      unit: 'of a core',
      values: service.map((round) => mainThreadShare(round, CHAIN)),
    },
    { name: 'busy: others on the machine', unit: 'cores', values: service.map(othersCores) },
  ]
}
