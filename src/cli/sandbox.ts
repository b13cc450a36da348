// The commands `sandbox reset` and `sandbox travel`.
import { InvalidArgumentError, type Command } from 'commander'
import { EXIT_CODES } from '../config/exit-codes.ts'
import { CommandFailed } from './command-failed.ts'
import { examples, print, type DataOptions, type SettingsFor } from './backup-commands.ts'

const UNITS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 }

/** Milliseconds. */
function duration(text: string): number {
  const [, count, unit] = /^([1-9]\d{0,6})([smhd])$/.exec(text) ?? []
  if (count === undefined || unit === undefined)
    throw new InvalidArgumentError('It must be a number from 1 to 9999999 without leading zeros, and s, m, h or d: 6h.')
  return Number(count) * UNITS[unit]!
}

interface ResetOptions extends DataOptions {
  readonly yes?: boolean
}

export function sandboxCommands(program: Command, settingsFor: SettingsFor): void {
  const sandbox = program
    .command('sandbox')
    .summary('empty a sandbox, or move its time forward')
    .description('For a stopped service whose only chain is the embedded one.')
  sandbox
    .command('reset')
    .summary('delete all records and the embedded chain')
    .description(
      'Deletes the records, the keys of accounts and the embedded chain of a stopped service; the master key and the first API key are kept. ' +
        'Refuses if HOLDFAST_CLUSTERS names, or the records know, any other cluster.',
    )
    .option('--data-dir <dir>', 'data directory; default: HOLDFAST_DATA_DIR')
    .option('--yes', 'delete: without this option nothing is changed')
    .option('--json', 'print the report as JSON')
    .addHelpText('after', examples('holdfast sandbox reset --yes'))
    .action(async (options: ResetOptions) => {
      if (options.yes !== true)
        throw new CommandFailed(
          'this deletes all records and the keys of all accounts of the sandbox: repeat it with --yes',
          EXIT_CODES.usage,
        )
      const { resetSandbox } = await import('./sandbox-reset.ts')
      const report = await resetSandbox(settingsFor(options))
      print(report, options, ({ deleted }) => deleted.map((path) => `${path} was deleted`))
    })
  sandbox
    .command('travel')
    .summary('move the time of the service and of its embedded chain forward')
    .description(
      'Moves the time of a stopped service and of its embedded chain forward from the next start on. Only a reset takes it back.',
    )
    .argument('<duration>', 'such as 90s, 15m, 6h or 30d', duration)
    .option('--data-dir <dir>', 'data directory; default: HOLDFAST_DATA_DIR')
    .option('--json', 'print the report as JSON')
    .addHelpText('after', examples('holdfast sandbox travel 30d'))
    .action(async (byMs: number, options: DataOptions) => {
      const { travelSandbox } = await import('./sandbox-reset.ts')
      const report = await travelSandbox(settingsFor(options), byMs)
      print(report, options, ({ now }) => [`from the next start on it is ${now}`])
    })
}
