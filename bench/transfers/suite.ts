// Transfers per second through REST, durable and settled at `confirmed`, beside a loop that only builds, signs and executes.
import { join } from 'node:path'
import { Connection, PublicKey } from '@solana/web3.js'
import { cpuPerRequestUs, latencyFigures, mainThreadShare, othersCores, perSecond } from '../load/figures.ts'
import { startGenerator } from '../load/generator.ts'
import { startChild, type Child } from '../measure/child.ts'
import { alternate, type Round } from '../measure/rounds.ts'
import { profileSummary } from '../profile/summary.ts'
import { startService } from '../service/process.ts'
import type { Figure, Options, Suite } from '../suite.ts'
import type { RoundResult } from '../load/closed-loop.ts'
import { audit, sameTransaction } from './audit.ts'
import type { AccountCopy, BareQuestion, BareRound } from './bare-process.ts'
import { DECIMALS, prepare, type Scene } from './setup.ts'
import type { TransferSettings, TransferTally } from './traffic.ts'

const RAMP_MS = 500
const [SERVICE, CHAIN, GENERATOR] = [0, 1, 2]
const about = 'one Token-2022 transfer with two signatures, REST to confirmed, beside building, signing and executing it in LiteSVM'

export const transfers: Suite = { name: 'transfers', about, run }

async function run(options: Options) {
  await using service = await startService(options)
  const chain = new Connection(service.chainRpcUrl, 'confirmed')
  const scene = await prepare(service, chain)
  options.note(`${scene.holders.length} positions are ready`)
  const settings: TransferSettings = {
    apiKey: scene.apiKey, positions: scene.holders.map(({ position }) => position.offchainId), feePayer: scene.feePayer.offchainId,
  }
  await using generator = await startGenerator({
    target: service, clients: options.clients, module: import.meta.resolve('./traffic.ts'), settings,
  })
  const pids = [service.pid, service.chainPid]
  await generator.round({ rampMs: 0, windowMs: options.warmupMs, pids })
  const tally = async (): Promise<TransferTally> => (await generator.tally()) as TransferTally
  const same = await sameTransaction(chain, scene, await tally())
  await using bare = await startBare(chain, scene, same.unitLimit)
  await bare.ask({ kind: 'round', windowMs: options.warmupMs })

  const rounds = await alternate(
    options.rounds,
    () => generator.round({ rampMs: RAMP_MS, windowMs: options.windowMs, pids }),
    async () => (await bare.ask({ kind: 'round', windowMs: options.windowMs }))!,
  )
  const checks = [
    `the service's message of ${same.bytes} bytes is the baseline's, byte for byte`,
    ...(await audit(chain, scene, await tally())),
  ]
  await service.stop()
  const windows = rounds.map(({ subject }) => [subject.from.atUs, subject.to.atUs] as const)
  const completed = rounds.reduce((sum, { subject }) => sum + subject.completed, 0)
  const profile = options.profileDir === null ? [] : profileSummary(options.profileDir, windows, completed)
  return { suite: 'transfers', about, figures: figures(rounds), checks, profile }
}

async function startBare(chain: Connection, scene: Scene, unitLimit: number): Promise<Child<BareQuestion, BareRound | null>> {
  const child = startChild<BareQuestion, BareRound | null>(join(import.meta.dirname, 'bare-process.ts'))
  const { instrument, holders } = scene
  try {
    await child.ask({
      kind: 'scene', mintAddress: instrument.onchainId, mint: await copy(chain, instrument.onchainId),
      position: await copy(chain, holders[0]!.position.onchainId), positions: holders.length, decimals: DECIMALS, unitLimit,
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

function figures(rounds: readonly Round<RoundResult, BareRound>[]): Figure[] {
  const subjects = rounds.map(({ subject }) => subject)
  const bareRate = ({ transfers, seconds }: BareRound) => transfers / seconds
  const bareCpuUs = ({ transfers, cpuUs }: BareRound) => cpuUs / transfers
  return [
    { name: 'service', unit: 'transfers/s', values: subjects.map(perSecond) },
    { name: 'bare loop', unit: 'transfers/s', values: rounds.map(({ baseline }) => bareRate(baseline)) },
    { name: 'ratio', unit: 'service/bare', values: rounds.map(({ subject, baseline }) => perSecond(subject) / bareRate(baseline)) },
    ...latencyFigures(subjects),
    { name: 'CPU service', unit: 'us/transfer', values: subjects.map((round) => cpuPerRequestUs(round, SERVICE)) },
    { name: 'CPU service, main thread', unit: 'us/transfer', values: subjects.map((round) => cpuPerRequestUs(round, SERVICE, 'mainUs')) },
    { name: 'CPU chain', unit: 'us/transfer', values: subjects.map((round) => cpuPerRequestUs(round, CHAIN)) },
    { name: 'CPU load generator', unit: 'us/transfer', values: subjects.map((round) => cpuPerRequestUs(round, GENERATOR)) },
    { name: 'CPU bare loop', unit: 'us/transfer', values: rounds.map(({ baseline }) => bareCpuUs(baseline)) },
    {
      name: 'CPU ratio', unit: 'bare/service main thread',
      values: rounds.map(({ subject, baseline }) => bareCpuUs(baseline) / cpuPerRequestUs(subject, SERVICE, 'mainUs')),
    },
    { name: 'busy: service main thread', unit: 'of a core', values: subjects.map((round) => mainThreadShare(round, SERVICE)) },
    { name: 'busy: chain main thread', unit: 'of a core', values: subjects.map((round) => mainThreadShare(round, CHAIN)) },
    { name: 'busy: others on the machine', unit: 'cores', values: subjects.map(othersCores) },
  ]
}

