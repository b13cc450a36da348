// Transitions per second of the state machine of a record (an event, its answer, the snapshot), compared with a
// function that updates an object.
import { join } from 'node:path'
import { startChild } from '../measure/child.ts'
import { inTurns } from '../measure/rounds.ts'
import { spunPerSecond, type Spun } from '../measure/spin.ts'
import type { Figure, Options, Suite, SuiteResult } from '../suite.ts'
import type { MachinesQuestion } from './process.ts'
import type { SideName } from './sides.ts'

const NAMES: readonly SideName[] = ['awake', 'woken', 'bare']
const about = 'reserving and settling tokens of positions by state machines, beside a function that updates an object'

export const machines: Suite = { name: 'machines', about, run }

async function run(options: Options): Promise<SuiteResult> {
  await using child = startChild<MachinesQuestion, Spun>(join(import.meta.dirname, 'process.ts'), options.node)
  for (const side of NAMES) await child.ask({ side, windowMs: options.warmupMs / NAMES.length })
  const rounds = await inTurns(
    options.rounds,
    NAMES.map((side) => () => child.ask({ side, windowMs: options.windowMs })),
  )
  const [awake, woken, bare] = rounds.map((each) => each.map(spunPerSecond)) as [number[], number[], number[]]
  const ratio = (rates: readonly number[]): number[] => rates.map((rate, round) => rate / bare[round]!)
  const figures: Figure[] = [
    { name: 'awake: event, answer, snapshot', unit: 'transitions/s', values: awake },
    { name: 'woken for each event', unit: 'transitions/s', values: woken },
    { name: 'bare update of an object', unit: 'transitions/s', values: bare },
    { name: 'ratio, awake', unit: 'machine/bare', values: ratio(awake) },
    { name: 'ratio, woken', unit: 'machine/bare', values: ratio(woken) },
  ]
  const done = rounds.flat().reduce((sum, each) => sum + each.done, 0)
  return {
    suite: 'machines',
    about,
    figures,
    checks: [`the books of all three sides are what their ${done} events make them`],
    profile: [],
  }
}
