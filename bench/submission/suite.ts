// Payments through REST from 1, 8 and 64 fee payers, with a recent blockhash and with durable nonces, compared with a
// client that signs and sends them directly to the chain.
import { Connection, PublicKey } from '@solana/web3.js'
import { latencyFigures, othersCores, perSecond } from '../load/figures.ts'
import { startGenerator, type Generator } from '../load/generator.ts'
import type { RoundResult } from '../load/closed-loop.ts'
import { alternate, type Round } from '../measure/rounds.ts'
import { profileSummary } from '../profile/summary.ts'
import { startService, type ServiceProcess } from '../service/process.ts'
import type { Figure, Options, Suite } from '../suite.ts'
import type { DirectSettings } from './direct-traffic.ts'
import { prepare, type Scene } from './setup.ts'
import type { SubmissionSettings, SubmissionTally } from './traffic.ts'

const RAMP_MS = 500
const FEE_PAYERS = [1, 8, 64]
const LIFETIMES = ['RECENT_BLOCKHASH', 'DURABLE_NONCE'] as const
const about =
  'payments of network currency by 1, 8 and 64 fee payers, REST to confirmed, beside signing and sending them straight to the chain'

export const submission: Suite = { name: 'submission', about, run }

interface Case {
  readonly name: string
  readonly rounds: readonly Round<RoundResult, RoundResult>[]
}

/** The amounts that each side acknowledged. */
interface Paid {
  service: number
  direct: number
}

async function run(options: Options) {
  await using service = await startService(options)
  const chain = new Connection(service.chainRpcUrl, 'confirmed')
  const scene = await prepare(service, chain)
  const before = await balances(chain, scene)
  options.note(`${scene.payers.length} fee payers and their nonces are ready`)
  const paid: Paid = { service: 0, direct: 0 }
  const cases: Case[] = []
  for (const [place, payers] of FEE_PAYERS.entries()) {
    for (const lifetime of LIFETIMES) {
      cases.push(
        await measure(options, service, scene, {
          payers,
          lifetime,
          prefix: `${LIFETIMES.indexOf(lifetime)}000000${place}`,
          paid,
        }),
      )
    }
  }
  const checks = audit(before, await balances(chain, scene), paid)
  await service.stop()
  const windows = cases.flatMap(({ rounds }) =>
    rounds.map(({ subject }) => [subject.from.atUs, subject.to.atUs] as const),
  )
  const completed = cases.flatMap(({ rounds }) => rounds).reduce((sum, { subject }) => sum + subject.completed, 0)
  const profile = options.profileDir === null ? [] : profileSummary(options.profileDir, windows, completed)
  return { suite: 'submission', about, figures: cases.flatMap(figures), checks, profile }
}

async function measure(
  options: Options,
  service: ServiceProcess,
  scene: Scene,
  {
    payers,
    lifetime,
    prefix,
    paid,
  }: {
    readonly payers: number
    readonly lifetime: SubmissionSettings['lifetime']
    readonly prefix: string
    readonly paid: Paid
  },
): Promise<Case> {
  const { apiKey, destination, direct } = scene
  const settings: SubmissionSettings = {
    apiKey,
    payers: scene.payers.slice(0, payers).map(({ offchainId }) => offchainId),
    destination: destination.offchainId,
    lifetime,
    prefix,
  }
  const straight: DirectSettings = { payers: direct.payers.slice(0, payers), destination: direct.destination }
  const chainPort = Number(new URL(service.chainRpcUrl).port)
  const { clients, windowMs, warmupMs } = options
  await using toService = await startGenerator({
    target: service,
    clients,
    module: import.meta.resolve('./traffic.ts'),
    settings,
  })
  await using toChain = await startGenerator({
    target: { host: service.host, port: chainPort },
    clients,
    module: import.meta.resolve('./direct-traffic.ts'),
    settings: straight,
  })
  const pids = [service.pid, service.chainPid]
  await toService.round({ rampMs: 0, windowMs: warmupMs, pids })
  await toChain.round({ rampMs: 0, windowMs: warmupMs / 2, pids })
  const round = (generator: Generator) => () => generator.round({ rampMs: RAMP_MS, windowMs, pids })
  const rounds = await alternate(options.rounds, round(toService), round(toChain))
  paid.service += ((await toService.tally()) as SubmissionTally).lamports
  paid.direct += ((await toChain.tally()) as SubmissionTally).lamports
  return {
    name: `${payers} ${payers === 1 ? 'payer' : 'payers'}, ${lifetime === 'DURABLE_NONCE' ? 'nonces' : 'blockhash'}`,
    rounds,
  }
}

function figures({ name, rounds }: Case): Figure[] {
  const subjects = rounds.map(({ subject }) => subject)
  const baselines = rounds.map(({ baseline }) => baseline)
  const latency = latencyFigures(subjects).filter((figure) => !figure.name.endsWith('p95'))
  return [
    { name: `${name}: service`, unit: 'payments/s', values: subjects.map(perSecond) },
    { name: `${name}: direct`, unit: 'payments/s', values: baselines.map(perSecond) },
    {
      name: `${name}: ratio`,
      unit: 'service/direct',
      values: rounds.map(({ subject, baseline }) => perSecond(subject) / perSecond(baseline)),
    },
    ...latency.map((figure) => ({ ...figure, name: `${name}: ${figure.name}` })),
    { name: `${name}: direct p99`, unit: 'ms', values: baselines.map(({ p99Ms }) => p99Ms) },
    { name: `${name}: busy, others`, unit: 'cores', values: subjects.map(othersCores) },
  ]
}

async function balances(chain: Connection, { destination, direct }: Scene): Promise<Paid> {
  const of = (address: string): Promise<number> => chain.getBalance(new PublicKey(address), 'confirmed')
  return { service: await of(destination.onchainId), direct: await of(direct.destination) }
}

/** Checks on the chain that the arrived amount equals the acknowledged one, on both sides. */
function audit(before: Paid, after: Paid, paid: Paid): string[] {
  return (['service', 'direct'] as const).map((side) => {
    const arrived = after[side] - before[side]
    if (arrived !== paid[side]) throw new Error(`${side}: ${arrived} lamports arrived, ${paid[side]} were acknowledged`)
    return `${side}: the ${arrived} lamports that arrived on chain are those acknowledged`
  })
}
