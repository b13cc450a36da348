// `npm run sim`: simulated worlds of a seed, until a number of steps is done. Exits with 1, after the seed of the
// world, if a rule was violated.
import { parseArgs } from 'node:util'
import { readArguments, wholeNumber } from '../arguments.ts'
import { Tally } from './audits/tally.ts'
import { World } from './world.ts'
import { SIDE_NAMES } from './world-options.ts'

const STEPS_OF_A_WORLD = 20_000

const MAX_STEPS = 1_000_000_000
const MAX_NODES = 9

const USAGE = [
  'npm run sim -- [options]',
  '  --seed S       seed of the worlds [1]',
  `  --steps N      steps of all worlds together, at most ${STEPS_OF_A_WORLD} of each [100000]`,
  '  --nodes N      nodes of the service [1]',
  '  --world K      run only this world of the seed, from 0',
  '  --trace A      print the history of this address',
  `  --sides A,B    parts of the world that act: ${SIDE_NAMES.join(', ')} [all]`,
].join('\n')

const {
  seed: firstSeed,
  stepCount,
  nodes,
  world,
  trace,
  sides,
} = readArguments(USAGE, (args) => {
  const { values } = parseArgs({
    args: [...args],
    options: {
      seed: { type: 'string', default: '1' },
      steps: { type: 'string', default: '100000' },
      nodes: { type: 'string', default: '1' },
      world: { type: 'string' },
      trace: { type: 'string' },
      sides: { type: 'string' },
    },
  })
  return {
    seed: values.seed,
    stepCount: wholeNumber('steps', values.steps, MAX_STEPS),
    nodes: wholeNumber('nodes', values.nodes, MAX_NODES),
    world: values.world === undefined ? null : wholeNumber('world', values.world, MAX_STEPS, 0),
    trace: values.trace,
    sides: values.sides?.split(',').map(sideOf),
  }
})

function sideOf(name: string): (typeof SIDE_NAMES)[number] {
  const side = SIDE_NAMES.find((each) => each === name)
  if (side === undefined) throw new Error(`no side ${name}: one of ${SIDE_NAMES.join(', ')}`)
  return side
}

const tally = new Tally()
const startedMs = performance.now()
let steps = 0
let elapsedMs = 0

function print(line: string): void {
  process.stdout.write(`${line}\n`)
}

function table(counts: ReadonlyMap<string, number>): string {
  return [...counts]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([kind, count]) => `  ${kind}: ${count}`)
    .join('\n')
}

for (let number = world ?? 0; steps < stepCount; number += 1) {
  const seed = `${firstSeed}/${number}`
  const worldStartedMs = performance.now()
  const report = await World.run({
    seed,
    steps: Math.min(STEPS_OF_A_WORLD, stepCount - steps),
    tally,
    nodes,
    trace,
    ...(sides === undefined ? {} : { sides }),
  })
  steps += report.steps
  elapsedMs += report.elapsedMs
  const tookMs = performance.now() - worldStartedMs
  print(
    `world ${seed} (${report.climate}): ${report.steps} steps, ${Math.round(report.elapsedMs / 1000)} s simulated in ${Math.round(tookMs)} ms, digest ${report.digest >>> 0}`,
  )
  if (tally.violations.length > 0 || world !== null) break
}

print(
  `seed ${firstSeed}: ${steps} steps, ${Math.round(elapsedMs / 1000)} s simulated in ${Math.round((performance.now() - startedMs) / 1000)} s`,
)
print(`faults\n${table(tally.faults)}`)
for (const [kind, outcomes] of [...tally.operations].sort()) print(`${kind}\n${table(outcomes)}`)
print(`violations: ${tally.violations.length}`)
for (const { kind, detail, step } of tally.violations.slice(0, 20)) print(`  step ${step}: ${kind}: ${detail}`)
process.exitCode = tally.violations.length > 0 ? 1 : 0
