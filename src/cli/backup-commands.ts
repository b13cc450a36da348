// The commands `backup`, `restore` and `verify`.
import { resolve } from 'node:path'
import { InvalidArgumentError, type Command } from 'commander'
import { EXIT_CODES } from '../config/exit-codes.ts'
import type { Settings } from '../config/settings.ts'
import { bar, type Bar } from './progress.ts'
import { CommandFailed } from './command-failed.ts'
import { isDirectory } from './given-file.ts'
import type { ReplayEnd, ReplayOptions } from './replay.ts'
import { sealingOf, type SealingOptions } from './sealing.ts'
import type { VerifySteps } from './verify.ts'

export interface DataOptions extends SealingOptions {
  readonly dataDir?: string
  /** `postgres://...`; replaces HOLDFAST_STORE. */
  readonly store?: string
  readonly json?: boolean
}

/** Settings with the data directory that a command names. */
export type SettingsFor = (options: DataOptions) => Settings

export function print<T extends object>(report: T, { json }: DataOptions, lines: (report: T) => string[]): void {
  if (json === true) console.log(JSON.stringify(report))
  else for (const line of lines(report)) console.log(line)
}

export function backupCommands(program: Command, settingsFor: SettingsFor): void {
  backupCommand(program, settingsFor)
  restoreCommand(program, settingsFor)
  verifyCommand(program, settingsFor)
}

function backupCommand(program: Command, settingsFor: SettingsFor): void {
  withBackupOptions(program.command('backup'))
    .summary('write all data to one file, with or without the service running')
    .description(
      'Writes and verifies one file with everything in the data directory except bootstrap.key and master.key. A running service continues.',
    )
    .argument('<file>', 'the file to write; must not exist')
    .addHelpText(
      'after',
      examples(
        'holdfast backup nightly.hfb',
        'holdfast backup nightly.hfb --passphrase-file /etc/holdfast/passphrase --json',
        'holdfast backup nightly.hfb --store postgres://holdfast@db.internal/holdfast',
      ),
    )
    .action(async (file: string, options: DataOptions) => {
      const [sealing, settings] = [sealingOf(options), settingsFor(options)]
      const { backup } = await import('./backup.ts')
      const progress = bar('backup', 'rows', { whole: false, quiet: options.json === true })
      const { withDirectory } = await import('./shared-copy.ts')
      const report = await withDirectory(settings, (here) =>
        backup(here, file, sealing, (rows) => progress.at(rows)),
      ).finally(() => progress.done())
      print(report, options, (await import('./report.ts')).backupLines)
    })
}

function restoreCommand(program: Command, settingsFor: SettingsFor): void {
  withBackupOptions(program.command('restore'))
    .summary('restore a data directory from a backup')
    .description(
      'Creates a new data directory, verifies it and compares its balances with the chain before it reports success. Refuses an incomplete file. ' +
        'With --archive or --until, it replays the changes after the backup from an archive (HOLDFAST_ARCHIVE_KEY decrypts it).',
    )
    .argument('<file>', 'a backup file')
    .option('--archive <dir>', 'archive to replay; default: HOLDFAST_ARCHIVE_DIR')
    .option(
      '--until <point>',
      'last time (ISO 8601) or last event (TENANT:SEQUENCE) to replay; default: everything',
      point,
    )
    .option(
      '--no-suspend',
      'do not suspend sending on clusters that are not embedded; only if nothing was acknowledged after the backup',
    )
    .addHelpText(
      'after',
      examples(
        'holdfast restore nightly.hfb --data-dir ./data',
        'holdfast restore nightly.hfb --data-dir ./data --archive ./archive --until 2026-11-22T10:30:00Z',
        'HOLDFAST_MASTER_KEY=... holdfast restore nightly.hfb --data-dir new',
      ),
    )
    .action(async (file: string, options: RestoreOptions) => {
      const [opening, settings] = [sealingOf(options), settingsFor(options)]
      const { restore } = await import('./restore.ts')
      const [replayOptions, suspends] = [replayOf(options, settings), options.suspend]
      const { restoreShared } = await import('./shared-copy.ts')
      const report = await withProgressBars(options, (steps) =>
        settings.store === 'level'
          ? restore(settings, file, opening, { replayOptions, suspends, steps })
          : restoreShared(settings, { file, opening, replayOptions, suspends }, steps),
      )
      print(report, options, (await import('./report.ts')).restoreLines)
    })
}

function verifyCommand(program: Command, settingsFor: SettingsFor): void {
  withBackupOptions(program.command('verify'))
    .summary('verify a stopped data directory or a backup')
    .description(
      'Reads every row, restores every record under its rules, and compares the balances with the chain. Exits with 65 if anything is damaged or missing, ' +
        'with 1 if the balances differ from the chain. Starts the embedded chain on the directory for the comparison.',
    )
    .argument('[place]', 'a backup file or a data directory; default: the configured directory')
    .addHelpText(
      'after',
      examples('holdfast verify', 'holdfast verify nightly.hfb --passphrase-file /etc/holdfast/passphrase'),
    )
    .action(async (place: string | undefined, options: DataOptions) => {
      const opening = sealingOf(options)
      const { verifyDirectory, verifyFile } = await import('./verify.ts')
      const { withDirectory } = await import('./shared-copy.ts')
      const directory = place === undefined || isDirectory(place)
      const settings = settingsFor(directory && place !== undefined ? { ...options, dataDir: place } : options)
      const report = await withProgressBars(options, (steps) =>
        directory
          ? withDirectory(place === undefined ? settings : { ...settings, store: 'level' }, (here) =>
              verifyDirectory(here, steps),
            )
          : verifyFile(settings, resolve(place), opening, steps),
      )
      print(report, options, (await import('./report.ts')).verifyLines)
      const differs = report.clusters.some(({ differences }) => differences.length > 0)
      process.exitCode = report.whole ? (differs ? EXIT_CODES.failure : EXIT_CODES.done) : EXIT_CODES.damaged
    })
}

interface RestoreOptions extends DataOptions {
  readonly suspend: boolean
  readonly archive?: string
  readonly until?: Exclude<ReplayEnd, null>
}

function replayOf({ archive, until }: RestoreOptions, { archiveDir, archiveKey }: Settings): ReplayOptions | null {
  if (archive === undefined && until === undefined) return null
  const dir = archive === undefined ? archiveDir : resolve(archive)
  if (dir === null)
    throw new CommandFailed('--until requires an archive: set --archive or HOLDFAST_ARCHIVE_DIR', EXIT_CODES.usage)
  return {
    dir,
    opening: archiveKey === null ? { kind: 'none' } : { kind: 'key', key: archiveKey.reveal() },
    until: until ?? null,
  }
}

/** Requires a time zone: the meaning of a time must not depend on the machine. */
function point(text: string): Exclude<ReplayEnd, null> {
  const atMs = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?(?:Z|[+-]\d\d:\d\d)$/.test(text)
    ? Date.parse(text)
    : NaN
  if (!Number.isNaN(atMs)) return { atMs }
  const [, tenant, event] = /^(?!\d{4}-\d\d-\d\dT)(.+):([1-9]\d{0,14})$/.exec(text) ?? []
  if (tenant === undefined)
    throw new InvalidArgumentError(
      'It must be a time with a time zone, such as 2026-11-22T10:30:00Z, or TENANT:SEQUENCE.',
    )
  return { tenant, event: Number(event) }
}

export function withBackupOptions(command: Command): Command {
  return command
    .option('--data-dir <dir>', 'data directory; default: HOLDFAST_DATA_DIR')
    .option('--store <url>', 'database in place of a data directory: postgres://...; default: HOLDFAST_STORE')
    .option('--passphrase-file <file>', 'file with the passphrase that encrypts the backup')
    .option('--key-file <file>', 'file with the key that encrypts the backup: 32 bytes in base64')
    .option('--json', 'print the report as JSON')
}

export function examples(...lines: readonly string[]): string {
  return ['', 'Examples:', ...lines.map((line) => `  ${line}`)].join('\n')
}

async function withProgressBars<T>({ json }: DataOptions, work: (steps: VerifySteps) => Promise<T>): Promise<T> {
  const bars: Bar[] = []
  const next = (title: string, unit: string, whole = true): Bar => {
    const progress = bar(title, unit, { whole, quiet: json === true })
    bars.push(progress)
    return progress
  }
  const [unpacking, batches, rows, accounts] = [
    next('unpack', 'bytes'),
    next('replay', 'batches', false),
    next('verify', 'rows', false),
    next('compare', 'accounts'),
  ]
  const steps = {
    unpacking: (bytes: number, of: number) => unpacking.at(bytes, of),
    replaying(count: number) {
      unpacking.done()
      batches.at(count)
    },
    rows(count: number) {
      unpacking.done()
      batches.done()
      rows.at(count)
    },
    accounts(count: number, of: number) {
      rows.done()
      accounts.at(count, of)
    },
  }
  return await work(steps).finally(() => {
    for (const each of bars) each.done()
  })
}
