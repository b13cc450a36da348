// The commands `doctor` and `completion`.
import { InvalidArgumentError, type Command } from 'commander'
import { EXIT_CODES } from '../config/exit-codes.ts'
import { completionScript, SHELLS } from './completion.ts'
import { CommandFailed } from './command-failed.ts'
import type { DoctorCheck } from './doctor.ts'
import { examples, print, type DataOptions, type SettingsFor } from './backup-commands.ts'
import { Printer } from './print.ts'

interface DoctorCommandOptions extends DataOptions {
  readonly leastBalance?: bigint
}

/** Not a default of the option: the help cannot print a BigInt. */
const MIN_BALANCE_LAMPORTS = 10_000_000n
const COLOURS = { ok: 'green', warning: 'bold', failed: 'red' } as const

export function diagnosticsCommands(program: Command, settingsFor: SettingsFor): void {
  program
    .command('doctor')
    .summary('check disk, keys, clock, clusters and fee payers')
    .description(
      'Checks for common faults, and changes nothing. Exits with 1 if a check failed; warnings are not failures.',
    )
    .option('--data-dir <dir>', 'data directory; default: HOLDFAST_DATA_DIR')
    .option('--store <url>', 'database in place of the store of the data directory; default: HOLDFAST_STORE')
    .option(
      '--least-balance <lamports>',
      `the lowest balance of a fee payer that passes; default: ${MIN_BALANCE_LAMPORTS}`,
      lamports,
    )
    .option('--json', 'print the checks as JSON')
    .addHelpText('after', examples('holdfast doctor', 'holdfast doctor --least-balance 1000000000 --json'))
    .action(async (options: DoctorCommandOptions) => {
      const settings = settingsFor(options)
      const { examine } = await import('./doctor.ts')
      const checks = await examine(settings, { leastBalance: options.leastBalance ?? MIN_BALANCE_LAMPORTS })
      if (options.json === true) print({ checks }, options, () => [])
      else show(checks)
      process.exitCode = checks.some(({ verdict }) => verdict === 'failed') ? EXIT_CODES.failure : EXIT_CODES.done
    })
  program
    .command('completion')
    .summary('print a completion script for a shell')
    .description('Prints a script that completes commands and options.')
    .argument('<shell>', SHELLS.join(' or '))
    .addHelpText(
      'after',
      examples('source <(holdfast completion bash)', 'holdfast completion zsh > "${fpath[1]}/_holdfast"'),
    )
    .action((shell: string) => {
      const known = SHELLS.find((each) => each === shell)
      if (known === undefined) throw new CommandFailed(`${shell} is not one of ${SHELLS.join(', ')}`, EXIT_CODES.usage)
      console.log(completionScript(program, known))
    })
}

function show(checks: readonly DoctorCheck[]): void {
  const printer = new Printer()
  for (const { check, verdict, says } of checks)
    printer.line(`${verdict.padEnd(8)} ${check}: ${says}`, COLOURS[verdict])
}

function lamports(text: string): bigint {
  if (!/^\d{1,20}$/.test(text)) throw new InvalidArgumentError('It must be a whole number of lamports.')
  return BigInt(text)
}
