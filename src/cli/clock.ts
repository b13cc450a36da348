// The command `clock reset`.
import type { Command } from 'commander'
import { examples, print, type DataOptions, type SettingsFor } from './backup-commands.ts'

export function clockCommands(program: Command, settingsFor: SettingsFor): void {
  const clock = program
    .command('clock')
    .summary('set the clock of a service right that started with a wrong one')
    .description('For a service whose records are dated later than the corrected clock of its machine.')
  clock
    .command('reset')
    .summary('declare the clock of the machine to be right')
    .description(
      'For a stopped service that answers CLOCK_OFF after its machine had a wrong clock: from now on its time is that of the machine. ' +
        'Debits dated later keep counting against the debit limits until their windows have passed. Refuses if a cluster shows another time, or does not answer. ' +
        'The time of the embedded chain is set to that of the machine too. An entry in the audit log of the system tenant records the reset.',
    )
    .option('--data-dir <dir>', 'data directory; default: HOLDFAST_DATA_DIR')
    .option('--json', 'print the report as JSON')
    .addHelpText('after', examples('holdfast clock reset', 'holdfast clock reset --data-dir /var/lib/holdfast --json'))
    .action(async (options: DataOptions) => {
      const { resetClock } = await import('./clock-reset.ts')
      const report = await resetClock(settingsFor(options))
      print(report, options, ({ from, to }) => [`the clock of the service was set from ${from} to ${to}`])
    })
}
