// The commands about keys: those that callers are known by, and the one that everything is sealed under.
import type { Command } from 'commander'
import { EXIT_CODES } from '../config/exit-codes.ts'
import { createLog } from '../telemetry/log.ts'
import { examples, type DataOptions, type SettingsFor } from './keeping.ts'

export function keyCommands(program: Command, settingsFor: SettingsFor): void {
  const keys = program.command('keys').summary('API keys, and the master key').description('API keys of the running service, and the master key.')
  keys
    .command('rotate-master')
    .summary('another master key, without a pause of the service')
    .description(
      'Wraps everything that is sealed under a new master key. Where a file holds the key, a new one is made and put there; where it is a setting, '
        + 'HOLDFAST_MASTER_KEY_NEXT is the new one. A running service carries it out; where none runs, this command does.',
    )
    .option('--data-dir <dir>', 'data directory; HOLDFAST_DATA_DIR unless given')
    .addHelpText('after', examples('holdfast keys rotate-master'))
    .action(async (options: DataOptions) => {
      const settings = settingsFor(options)
      const { rotateMaster } = await import('./rotate-master.ts')
      console.log(await rotateMaster(settings, createLog({ level: settings.logLevel })))
      process.exit(EXIT_CODES.done)
    })
}
