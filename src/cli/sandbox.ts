// The command `sandbox reset`.
import type { Command } from 'commander'
import { EXIT_CODES } from '../config/exit-codes.ts'
import { CommandFailed } from './command-failed.ts'
import { examples, print, type DataOptions, type SettingsFor } from './keeping.ts'

interface ResetOptions extends DataOptions {
  readonly yes?: boolean
}

export function sandboxCommands(program: Command, settingsFor: SettingsFor): void {
  const sandbox = program
    .command('sandbox')
    .summary('start again with an empty embedded chain')
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
      if (options.yes !== true) throw new CommandFailed('this deletes all records and keys of the sandbox: repeat it with --yes', EXIT_CODES.usage)
      const { resetSandbox } = await import('./sandbox-reset.ts')
      const report = await resetSandbox(settingsFor(options))
      print(report, options, ({ deleted }) => deleted.map((path) => `${path} was deleted`))
    })
}
