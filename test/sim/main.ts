// npm run sim -- --seed N --steps N [--sides A,B] [--nodes N]: worlds from that seed until so many steps are done. Exit
// code 1 and the seed of the world when something happened that must not.
import { parseArgs } from 'node:util'
import { Tally } from './audits/tally.ts'
import { World } from './world.ts'
import { SIDE_NAMES } from './world-options.ts'

const STEPS_OF_A_WORLD = 20_000

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    steps: { type: 'string', default: '100000' },
    nodes: { type: 'string', default: '1' },
    world: { type: 'string' },
    trace: { type: 'string' },
    sides: { type: 'string' },
  },
})
const stepCount = Number(values.steps)
const sides = values.sides?.split(',').map((name) => {
  const side = SIDE_NAMES.find((each) => each === name)
  if (side === undefined) throw new Error(`no side ${name}: one of ${SIDE_NAMES.join(', ')}`)
  return side
})
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

for (let number = values.world === undefined ? 0 : Number(values.world); steps < stepCount; number += 1) {
  const seed = `${values.seed}/${number}`
  const worldStartedMs = performance.now()
  const report = await World.run({
    seed,
    steps: Math.min(STEPS_OF_A_WORLD, stepCount - steps),
    tally,
    nodes: Number(values.nodes),
    trace: values.trace,
    ...(sides === undefined ? {} : { sides }),
  })
  steps += report.steps
  elapsedMs += report.elapsedMs
  const tookMs = performance.now() - worldStartedMs
  print(
    `world ${seed} (${report.climate}): ${report.steps} steps, ${Math.round(report.elapsedMs / 1000)} s simulated in ${Math.round(tookMs)} ms, digest ${report.digest >>> 0}`,
  )
  if (tally.violations.length > 0 || values.world !== undefined) break
}

print(
  `seed ${values.seed}: ${steps} steps, ${Math.round(elapsedMs / 1000)} s simulated in ${Math.round((performance.now() - startedMs) / 1000)} s`,
)
print(`faults\n${table(tally.faults)}`)
for (const [kind, outcomes] of [...tally.operations].sort()) print(`${kind}\n${table(outcomes)}`)
print(`violations: ${tally.violations.length}`)
for (const { kind, detail, step } of tally.violations.slice(0, 20)) print(`  step ${step}: ${kind}: ${detail}`)
process.exitCode = tally.violations.length > 0 ? 1 : 0
