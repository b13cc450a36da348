// The command line as commander defines it: every command with its options, help and examples. A command reads the
// settings when it runs, so that help works even with invalid settings.
import { Command, CommanderError } from 'commander'
import { readEnvironment, type Environment } from '../config/environment.ts'
import { EXIT_CODES } from '../config/exit-codes.ts'
import { settingsHelp } from '../config/help.ts'
import { releaseVersion } from '../config/release.ts'
import { SettingsError } from '../config/settings-error.ts'
import { loadSettings } from '../config/settings.ts'
import { storePlace, type StorePlace } from '../config/shared-store-settings.ts'
import { auditCommands } from './audit.ts'
import { cellCommands } from './cells/cells.ts'
import { clockCommands } from './clock.ts'
import { sandboxCommands } from './sandbox.ts'
import { exportCommand } from './export.ts'
import { importCommand } from './import/command.ts'
import { diagnosticsCommands } from './diagnostics-commands.ts'
import { nodeCommands } from './cells/nodes.ts'
import { orgCommands } from './orgs.ts'
import { keyCommands } from './keys.ts'
import { watchOutput } from './print.ts'
import { CommandFailed } from './command-failed.ts'
import { examples, backupCommands, type DataOptions, type SettingsFor } from './backup-commands.ts'

const settingsFor: SettingsFor = ({ dataDir, store }) => {
  const base = readEnvironment()
  const environment: Environment = dataDir === undefined ? base : { ...base, HOLDFAST_DATA_DIR: dataDir }
  if (store === undefined && dataDir === undefined) return loadSettings(environment)
  // A given directory is meant, not the database of the service.
  if (store === undefined) return loadSettings({ ...environment, HOLDFAST_STORE: undefined })
  // A command requires fewer settings than a service on the same database.
  return Object.freeze({ ...loadSettings({ ...environment, HOLDFAST_STORE: undefined }), store: placeOf(store) })
}

function placeOf(text: string): StorePlace {
  try {
    return storePlace(text)
  } catch (error) {
    throw new SettingsError([`--store ${(error as Error).message}`])
  }
}

/** Only doctor checks both: a database, and the directory of a node. */
function refuseBothPlaces(command: Command): void {
  const { dataDir, store } = command.opts<DataOptions>()
  if (dataDir === undefined || store === undefined || command.name() === 'doctor') return
  throw new CommandFailed('--data-dir and --store exclude each other: name one place', EXIT_CODES.usage)
}

function programOf(): Command {
  const program = new Command('holdfast')
    .description('Self-hosted asset platform for Solana. The default command is serve.')
    .version(releaseVersion(), '--version', 'print the release')
    .helpOption('--help', 'print the help of a command')
    .helpCommand(false)
    .showHelpAfterError('(see --help)')
    .exitOverride()
    .configureOutput({ outputError: (text, write) => write(text.replace(/^error: /, 'holdfast: ')) })
    .addHelpText('after', () => `\n${settingsHelp()}`)
    .hook('preAction', (_, command) => {
      refuseBothPlaces(command)
      // These two go on without a reader of their one line.
      if (!['serve', 'localnet'].includes(command.name())) watchOutput()
    })

  program
    .command('serve')
    .summary('run the service (the default)')
    .description('Runs the service until it receives SIGTERM or SIGINT.')
    .addHelpText(
      'after',
      () => `${examples('holdfast serve', 'HOLDFAST_PORT=9000 holdfast serve')}\n\n${settingsHelp()}`,
    )
    .action(async () => await (await import('./running.ts')).serve(settingsFor({})))
  program
    .command('localnet')
    .summary('run the embedded chain alone, with the same settings')
    .description('Runs the embedded chain until it receives SIGTERM or SIGINT.')
    .addHelpText('after', examples('HOLDFAST_EMBEDDED_SLOT_MS=100 holdfast localnet'))
    .action(async () => await (await import('./running.ts')).localnet(settingsFor({})))
  program
    .command('tour')
    .summary('run an example scenario on the running service, or on a temporary one')
    .description(
      'Runs an example scenario on the running service, or on a temporary one, and checks every step on chain.',
    )
    .addHelpText('after', examples('holdfast tour'))
    .action(async () => await (await import('./tour.ts')).tour(settingsFor({})))
  backupCommands(program, settingsFor)
  exportCommand(program, settingsFor)
  importCommand(program, settingsFor)
  auditCommands(program, settingsFor)
  keyCommands(program, settingsFor)
  orgCommands(program, settingsFor)
  nodeCommands(program, settingsFor)
  cellCommands(program, settingsFor)
  clockCommands(program, settingsFor)
  sandboxCommands(program, settingsFor)
  diagnosticsCommands(program, settingsFor)
  return program
}

/** Runs a command. Ends the process if the command line is invalid. */
export async function runProgram(words: readonly string[]): Promise<void> {
  try {
    const program = programOf()
    await program.parseAsync(
      commandIn(
        words,
        program.commands.map((command) => command.name()),
      ),
      { from: 'user' },
    )
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error
    process.exit(error.exitCode === 0 ? EXIT_CODES.done : EXIT_CODES.usage)
  }
}

/**
 * `npm start -- backup FILE` arrives as `serve backup FILE`: serve takes no arguments, so the next word is the command.
 */
function commandIn(words: readonly string[], commands: readonly string[]): string[] {
  if (words.length === 0) return ['serve']
  return words[0] === 'serve' && commands.includes(words[1] ?? '') ? words.slice(1) : [...words]
}
