// Throughput and latency against load: the same traffic at shares of the peak throughput.
import { median } from '../measure/stats.ts'
import type { Chart, Figure, Options } from '../suite.ts'
import type { RoundResult } from './closed-loop.ts'
import { perSecond } from './figures.ts'
import type { Generator } from './generator.ts'

const SHARES = [0.25, 0.5, 0.75, 0.9]
const RAMP_MS = 500

export interface LoadCurve {
  readonly figures: readonly Figure[]
  readonly chart: Chart
}

/**
 * @param peaks rounds at full load
 * @param unit what is done, e.g. `transfers/s`
 */
export async function loadCurve(
  suite: string,
  unit: string,
  generator: Generator,
  {
    peaks,
    pids,
    options,
  }: { readonly peaks: readonly RoundResult[]; readonly pids: readonly number[]; readonly options: Options },
): Promise<LoadCurve> {
  const peak = median(peaks.map(perSecond))
  const steps: { readonly share: number; readonly rounds: readonly RoundResult[] }[] = []
  for (const share of SHARES) {
    const rounds: RoundResult[] = []
    for (let round = 0; round < options.rounds; round += 1) {
      rounds.push(await generator.round({ rampMs: RAMP_MS, windowMs: options.windowMs, pids, perSecond: share * peak }))
    }
    steps.push({ share, rounds })
  }
  const figures = steps.flatMap(({ share, rounds }) => [
    { name: `at ${Math.round(share * 100)} % load: done`, unit, values: rounds.map(perSecond) },
    { name: `at ${Math.round(share * 100)} % load: p99`, unit: 'ms', values: rounds.map(({ p99Ms }) => p99Ms) },
  ])
  const all = [...steps, { share: 1, rounds: peaks }]
  const points = (of: (round: RoundResult) => number) =>
    all.map(({ share, rounds }) => [share * peak, median(rounds.map(of))] as const)
  const chart: Chart = {
    name: `${suite}-load`,
    title: `${suite}: what is done, and how long it takes, against load`,
    x: { title: `load, ${unit}`, scale: 'linear' },
    panels: [
      { title: unit, lines: [{ name: 'done', points: points(perSecond) }] },
      {
        title: 'latency, ms',
        lines: [
          { name: 'p99', points: points(({ p99Ms }) => p99Ms) },
          { name: 'p50', points: points(({ p50Ms }) => p50Ms) },
        ],
      },
    ],
  }
  return { figures, chart }
}
