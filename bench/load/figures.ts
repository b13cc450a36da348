// From rounds of load to lines of the table.
import type { Figure } from '../suite.ts'
import type { RoundResult } from './closed-loop.ts'

export function perSecond({ completed, seconds }: RoundResult): number {
  return completed / seconds
}

export function latencyFigures(rounds: readonly RoundResult[]): Figure[] {
  return [
    { name: 'latency p50', unit: 'ms', values: rounds.map(({ p50Ms }) => p50Ms) },
    { name: 'latency p95', unit: 'ms', values: rounds.map(({ p95Ms }) => p95Ms) },
    { name: 'latency p99', unit: 'ms', values: rounds.map(({ p99Ms }) => p99Ms) },
  ]
}

/** CPU per request of one of the measured processes, by its place in `pids`. */
export function cpuPerRequestUs(round: RoundResult, place: number, part: 'processUs' | 'mainUs' = 'processUs'): number {
  return (round.to.processes[place]![part] - round.from.processes[place]![part]) / round.completed
}

/** Share of one core that the main thread of a process used: near 1 it is the bottleneck. */
export function mainThreadShare({ from, to }: RoundResult, place: number): number {
  return (to.processes[place]!.mainUs - from.processes[place]!.mainUs) / (to.atUs - from.atUs)
}

/** Cores used by processes outside of the bench. */
export function othersCores({ from, to }: RoundResult): number {
  const ours = to.processes.reduce((sum, { processUs }, place) => sum + processUs - from.processes[place]!.processUs, 0)
  return Math.max(0, to.machineUs - from.machineUs - ours) / (to.atUs - from.atUs)
}
