// `npm run mutants`: plants one bug after the other and reports which of them the tests catch. Exits with 1 unless all
// are caught.
import { readArguments } from '../arguments.ts'
import { MUTANTS } from './list.ts'
import type { TrialResult } from './mutant.ts'
import { optionsOf, USAGE } from './options.ts'
import { tryAll } from './run.ts'

function line({ mutant, verdict, detail, ms }: TrialResult): string {
  return `${verdict.padEnd(17)} ${(ms / 1000).toFixed(1).padStart(5)} s  ${mutant.name}: ${detail}\n`
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130))

const { chosen, jobs } = readArguments(USAGE, (args) => optionsOf(args, MUTANTS))
const results = await tryAll(chosen, jobs, (result) => process.stdout.write(line(result)))
const survivors = results.filter(({ verdict }) => verdict !== 'caught')
process.stdout.write(`${results.length - survivors.length} of ${results.length} mutants caught\n`)
if (survivors.length > 0) process.exitCode = 1
