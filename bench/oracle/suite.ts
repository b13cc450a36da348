// Jobs of data sources interpreted per second, compared with a handwritten function. Feeds refreshed per second through
// REST, settled, compared with a loop that only builds, signs and executes the same transactions.
import { join } from 'node:path'
import { Connection, PublicKey } from '@solana/web3.js'
import { readFeed } from '../../src/oracle/reader.ts'
import type { RoundResult } from '../load/closed-loop.ts'
import { cpuPerRequestUs, latencyFigures, othersCores, perSecond } from '../load/figures.ts'
import { startGenerator } from '../load/generator.ts'
import { startChild } from '../measure/child.ts'
import { alternate, inTurns } from '../measure/rounds.ts'
import { spunPerSecond, type Spun } from '../measure/spin.ts'
import { cyclesPerSecond, startReplay } from '../replay/start.ts'
import { startService } from '../service/process.ts'
import type { Figure, Options, Suite, SuiteResult } from '../suite.ts'
import type { JobsQuestion } from './process.ts'
import { prepare, type FeedScene } from './setup.ts'
import type { RefreshSettings, RefreshTally } from './traffic.ts'

const RAMP_MS = 500
const about =
  'jobs interpreted, against a handwritten function; feeds refreshed through REST, against a loop of the transactions'

export const oracle: Suite = { name: 'oracle', about, run }

async function run(options: Options): Promise<SuiteResult> {
  const jobs = await measureInterpreter(options)
  const refreshes = await measureRefreshes(options)
  return {
    suite: 'oracle',
    about,
    figures: [...jobs.figures, ...refreshes.figures],
    checks: [...jobs.checks, ...refreshes.checks],
    profile: [],
  }
}

type Part = Pick<SuiteResult, 'figures' | 'checks'>

async function measureInterpreter({ node, rounds, windowMs, warmupMs }: Options): Promise<Part> {
  await using child = startChild<JobsQuestion, Spun>(join(import.meta.dirname, 'process.ts'), node)
  const ask = (side: JobsQuestion['side'], forMs: number) => () => child.ask({ side, windowMs: forMs })
  const sides = ['interpreter', 'hand'] as const
  for (const side of sides) await ask(side, warmupMs / 2)()
  const results = await inTurns(
    rounds,
    sides.map((side) => ask(side, windowMs)),
  )
  const [interpreter, hand] = results.map((each) => each.map(spunPerSecond)) as [number[], number[]]
  const figures: Figure[] = [
    { name: 'interpreter', unit: 'jobs/s', values: interpreter },
    { name: 'written by hand', unit: 'jobs/s', values: hand },
    { name: 'ratio', unit: 'interpreter/hand', values: interpreter.map((rate, round) => rate / hand[round]!) },
  ]
  const done = results.flat().reduce((sum, each) => sum + each.done, 0)
  return { figures, checks: [`the values of all ${done} jobs, of both sides, are the expected ones`] }
}

async function measureRefreshes(options: Options): Promise<Part> {
  await using service = await startService({ ...options, profileDir: null })
  const chain = new Connection(service.chainRpcUrl, 'confirmed')
  const scene = await prepare(service, chain)
  options.note(`${scene.feeds.length} feeds are published`)
  const settings: RefreshSettings = { apiKey: scene.apiKey, feeds: scene.feeds.map(({ offchainId }) => offchainId) }
  const { clients, windowMs, warmupMs } = options
  await using generator = await startGenerator({
    target: service,
    clients,
    module: import.meta.resolve('./traffic.ts'),
    settings,
  })
  const pids = [service.pid, service.chainPid]
  await generator.round({ rampMs: 0, windowMs: warmupMs, pids })
  const tally = async (): Promise<RefreshTally> => (await generator.tally()) as RefreshTally
  await using bare = await startReplay(chain, [(await tally()).signature!], options.node)
  await bare.ask({ kind: 'round', windowMs: warmupMs })
  const rounds = await alternate(
    options.rounds,
    () => generator.round({ rampMs: RAMP_MS, windowMs, pids }),
    async () => (await bare.ask({ kind: 'round', windowMs }))!,
  )
  const subjects: RoundResult[] = rounds.map(({ subject }) => subject)
  const figures: Figure[] = [
    { name: 'feeds refreshed', unit: 'refreshes/s', values: subjects.map(perSecond) },
    { name: 'bare loop', unit: 'refreshes/s', values: rounds.map(({ baseline }) => cyclesPerSecond(baseline)) },
    {
      name: 'ratio',
      unit: 'service/bare',
      values: rounds.map(({ subject, baseline }) => perSecond(subject) / cyclesPerSecond(baseline)),
    },
    ...latencyFigures(subjects),
    { name: 'CPU service', unit: 'us/refresh', values: subjects.map((round) => cpuPerRequestUs(round, 0)) },
    { name: 'busy: others', unit: 'cores', values: subjects.map(othersCores) },
  ]
  return { figures, checks: await checkFeeds(chain, scene, await tally()) }
}

/** Every feed on chain must have been published once at its creation and once for each acknowledged refresh. */
async function checkFeeds(
  chain: Connection,
  { feeds, publisher }: FeedScene,
  { refreshed: times }: RefreshTally,
): Promise<string[]> {
  for (const [index, { onchainId }] of feeds.entries()) {
    const account = await chain.getAccountInfo(new PublicKey(onchainId), 'confirmed')
    if (account === null) throw new Error(`feed ${index} is not on chain`)
    const read = readFeed(
      { address: onchainId, owner: account.owner.toBase58(), data: account.data },
      { publisher: publisher.onchainId, kind: 'PRICE' },
    )
    const expected = 1 + times[index]!
    if (!read.ok || read.publication.sequence !== expected) {
      throw new Error(
        `feed ${index} shows ${read.ok ? read.publication.sequence : read.problem} on chain, ${expected} publications were acknowledged`,
      )
    }
  }
  const all = times.reduce((sum, each) => sum + each, 0)
  return [`the ${feeds.length} feeds on chain count ${all} refreshes, as acknowledged`]
}
