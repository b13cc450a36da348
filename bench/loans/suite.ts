// Loans per second through REST, from creation over full repayment to the end (three transactions, each settled),
// compared with a loop that only builds, signs and executes the same three.
import { Connection } from '@solana/web3.js'
import type { RoundResult } from '../load/closed-loop.ts'
import { cpuPerRequestUs, latencyFigures, othersCores, perSecond } from '../load/figures.ts'
import { startGenerator } from '../load/generator.ts'
import { alternate } from '../measure/rounds.ts'
import { profileSummary } from '../profile/summary.ts'
import { cyclesPerSecond, startReplay } from '../replay/start.ts'
import { startService } from '../service/process.ts'
import type { Figure, Options, Suite, SuiteResult } from '../suite.ts'
import { audit } from './audit.ts'
import { prepare, settingsOf } from './setup.ts'
import type { LoanTally } from './traffic.ts'

const RAMP_MS = 500
const STEPS = 3
const about =
  'loans created, repaid and closed through REST, beside building, signing and executing the same transactions'

export const loans: Suite = { name: 'loans', about, run }

async function run(options: Options): Promise<SuiteResult> {
  await using service = await startService(options)
  const chain = new Connection(service.chainRpcUrl, 'confirmed')
  const scene = await prepare(service, chain)
  options.note(`${scene.borrowers.length} borrowers are ready`)
  const settings = settingsOf(scene)
  const { clients, windowMs, warmupMs } = options
  await using generator = await startGenerator({
    target: service,
    clients,
    module: import.meta.resolve('./traffic.ts'),
    settings,
  })
  const pids = [service.pid, service.chainPid]
  await generator.round({ rampMs: 0, windowMs: warmupMs, pids })
  const tally = async (): Promise<LoanTally> => (await generator.tally()) as LoanTally
  const { cycle } = await tally()
  if (cycle === null) throw new Error('no loan went from beginning to end in the warm-up')
  await using bare = await startReplay(chain, cycle, options.node)
  await bare.ask({ kind: 'round', windowMs: warmupMs })
  const rounds = await alternate(
    options.rounds,
    () => generator.round({ rampMs: RAMP_MS, windowMs, pids }),
    async () => (await bare.ask({ kind: 'round', windowMs }))!,
  )
  const checks = [
    `the bare loop's ${cycle.length} transactions are those of a loan, under other keys`,
    ...(await audit(chain, scene, await tally())),
  ]
  await service.stop()
  const subjects: RoundResult[] = rounds.map(({ subject }) => subject)
  const loansPerSecond = (round: RoundResult): number => perSecond(round) / STEPS
  const figures: Figure[] = [
    { name: 'service', unit: 'loans/s', values: subjects.map(loansPerSecond) },
    { name: 'bare loop', unit: 'loans/s', values: rounds.map(({ baseline }) => cyclesPerSecond(baseline)) },
    {
      name: 'ratio',
      unit: 'service/bare',
      values: rounds.map(({ subject, baseline }) => loansPerSecond(subject) / cyclesPerSecond(baseline)),
    },
    ...latencyFigures(subjects),
    { name: 'CPU service', unit: 'us/transaction', values: subjects.map((round) => cpuPerRequestUs(round, 0)) },
    { name: 'CPU chain', unit: 'us/transaction', values: subjects.map((round) => cpuPerRequestUs(round, 1)) },
    { name: 'busy: others', unit: 'cores', values: subjects.map(othersCores) },
  ]
  const windows = subjects.map(({ from, to }) => [from.atUs, to.atUs] as const)
  const completed = subjects.reduce((sum, each) => sum + each.completed, 0)
  const profile = options.profileDir === null ? [] : profileSummary(options.profileDir, windows, completed)
  return { suite: 'loans', about, figures, checks, profile }
}
