// Comparison of a thousand records with many: transfers per second, memory of an idle record, time until ready after a
// restart and after kill -9 under load, and the delay of the event loop under full load.
import { Connection } from '@solana/web3.js'
import type { RoundResult } from '../load/closed-loop.ts'
import { othersCores, perSecond } from '../load/figures.ts'
import { inTurns } from '../measure/rounds.ts'
import { median } from '../measure/stats.ts'
import { eventLoopDelayMs } from '../service/metrics.ts'
import type { Chart, Figure, Options, Suite, SuiteResult } from '../suite.ts'
import { audit } from '../transfers/audit.ts'
import type { TransferTally } from '../transfers/traffic.ts'
import { killedUnderLoad } from './killed.ts'
import { openSetup, type Setup } from './setup.ts'

const FEW = 1_000
const MANY = 100_000
const RAMP_MS = 500
const about =
  'transfers with a thousand records beside transfers with many; memory, restarts, kill -9 under load, the event loop'

export const scale: Suite = { name: 'scale', about, run }

interface Measured {
  readonly round: RoundResult
  readonly delayMs: number
}

async function run(options: Options): Promise<SuiteResult> {
  const setups: Setup[] = []
  try {
    for (const records of sizes(options.records ?? MANY)) {
      const setup = await openSetup(records, { ...options, profileDir: null })
      setups.push(setup)
      options.note(`${records} records: ready after ${(setup.readyMs / 1000).toFixed(1)} s`)
    }
    return await compare(setups, options)
  } finally {
    for (const setup of setups) await setup[Symbol.asyncDispose]()
  }
}

async function compare(all: readonly Setup[], options: Options): Promise<SuiteResult> {
  for (const setup of all) await measure(setup, options.warmupMs)
  const rounds = await inTurns(
    options.rounds,
    all.map((setup) => () => measure(setup, options.windowMs)),
  )
  const checks = (await Promise.all(all.map(check))).flat()
  const [few, many] = [all[0]!, all.at(-1)!]
  const killed = await killedUnderLoad(many, options)
  const perRecord = (many.readyBytes - few.readyBytes) / (many.records - few.records)
  const figures: Figure[] = [
    ...all.flatMap((setup, index) => figuresOf(setup, rounds[index]!)),
    {
      name: 'ratio of transfers/s',
      unit: `${many.records}/${few.records} records`,
      values: rounds.at(-1)!.map(({ round }, index) => perSecond(round) / perSecond(rounds[0]![index]!.round)),
    },
    { name: 'memory of an idle record', unit: 'bytes', values: [perRecord] },
    { name: `${many.records} records: ready after kill -9 under load`, unit: 's', values: [killed.readyMs / 1000] },
  ]
  return {
    suite: 'scale',
    about,
    figures,
    checks: [...checks, ...killed.checks],
    profile: [],
    charts: [chartOf(all, rounds)],
  }
}

/** A thousand, the requested number, and a power of ten in the middle. */
function sizes(most: number): number[] {
  const middle = 10 ** Math.round((Math.log10(FEW) + Math.log10(most)) / 2)
  return [...new Set([FEW, middle, most])].filter((size) => size <= most).sort((one, other) => one - other)
}

async function measure({ service, generator }: Setup, windowMs: number): Promise<Measured> {
  await eventLoopDelayMs(service)
  const round = await generator.round({ rampMs: RAMP_MS, windowMs, pids: [service.pid, service.chainPid] })
  return { round, delayMs: await eventLoopDelayMs(service) }
}

async function check({ service, scene, generator, records }: Setup): Promise<string[]> {
  const tally = (await generator.tally()) as TransferTally
  const found = await audit(new Connection(service.chainRpcUrl, 'confirmed'), scene, [{ payer: scene.feePayer, tally }])
  return found.map((each) => `${records} records: ${each}`)
}

function figuresOf({ records, readyMs, readyBytes }: Setup, measured: readonly Measured[]): Figure[] {
  const rounds = measured.map(({ round }) => round)
  return [
    { name: `${records} records`, unit: 'transfers/s', values: rounds.map(perSecond) },
    { name: `${records} records: p99`, unit: 'ms', values: rounds.map(({ p99Ms }) => p99Ms) },
    { name: `${records} records: event loop delay p99`, unit: 'ms', values: measured.map(({ delayMs }) => delayMs) },
    { name: `${records} records: ready after a restart`, unit: 's', values: [readyMs / 1000] },
    { name: `${records} records: memory when ready`, unit: 'MB', values: [readyBytes / 1e6] },
    { name: `${records} records: busy others`, unit: 'cores', values: rounds.map(othersCores) },
  ]
}

function chartOf(setups: readonly Setup[], measured: readonly (readonly Measured[])[]): Chart {
  const line = (name: string, of: (each: Measured) => number) => ({
    name,
    points: setups.map(({ records }, index) => [records, median(measured[index]!.map(of))] as const),
  })
  return {
    name: 'scale-records',
    title: 'scale: transfers against the number of records',
    x: { title: 'records', scale: 'log' },
    panels: [
      { title: 'transfers/s at full load', lines: [line('done', ({ round }) => perSecond(round))] },
      {
        title: 'ms',
        lines: [
          line('transfer p99', ({ round }) => round.p99Ms),
          line('event loop delay p99', ({ delayMs }) => delayMs),
        ],
      },
      {
        title: 'memory when ready, MB',
        lines: [
          { name: 'resident', points: setups.map(({ records, readyBytes }) => [records, readyBytes / 1e6] as const) },
        ],
      },
    ],
  }
}
