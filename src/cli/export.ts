// `export`: events or records as lines of JSON, from the running service or from a data directory that no service has
// open.
import { once } from 'node:events'
import type { Command } from 'commander'
import { InvalidArgumentError } from 'commander'
import { EXIT_CODES } from '../config/exit-codes.ts'
import { CommandFailed } from './command-failed.ts'
import { examples, type DataOptions, type SettingsFor } from './backup-commands.ts'

interface ExportOptions extends DataOptions {
  readonly events?: boolean
  readonly records?: boolean
  readonly after?: number
  readonly tenant?: string
}

export function exportCommand(program: Command, settingsFor: SettingsFor): void {
  program
    .command('export')
    .summary('print events or records as lines of JSON')
    .description(
      'Writes events or stored records to stdout, of the running service or of a data directory that no process has open.',
    )
    .option('--events', 'export events, in order, tenant by tenant')
    .option('--records', 'export the current records')
    .option('--after <sequence>', 'only events with a sequence above this one in their tenant; default: 0', sequence)
    .option('--tenant <id>', 'only this tenant, by the id in the exported lines')
    .option('--data-dir <dir>', 'data directory; default: HOLDFAST_DATA_DIR')
    .option('--store <url>', 'database in place of a data directory; default: HOLDFAST_STORE')
    .addHelpText(
      'after',
      examples('holdfast export --events --after 1200 > since.jsonl', 'holdfast export --records --data-dir restored'),
    )
    .action(async (options: ExportOptions) => {
      if ((options.events === true) === (options.records === true))
        throw new CommandFailed('exactly one of --events and --records is required', EXIT_CODES.usage)
      if (options.records === true && options.after !== undefined)
        throw new CommandFailed('--after takes the sequence of an event, and records have none', EXIT_CODES.usage)
      const what = options.events === true ? 'events' : 'records'
      const scope = { what, after: options.after ?? 0, tenant: options.tenant ?? null } as const
      const [{ withDirectory }, { exportedLines }] = await Promise.all([
        import('./shared-copy.ts'),
        import('./export-lines.ts'),
      ])
      await withDirectory(settingsFor(options), ({ dataDir }) => write(exportedLines(dataDir, scope)))
    })
}

function sequence(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new InvalidArgumentError('It must be a whole number.')
  return Number(text)
}

/** Writes at the pace of the reader; ends when the reader closes the pipe (`head`). */
async function write(pieces: AsyncIterable<Buffer | string>): Promise<void> {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(EXIT_CODES.done)
  })
  for await (const piece of pieces) if (!process.stdout.write(piece)) await once(process.stdout, 'drain')
}
