// `import accounts FILE`, `import counterparties FILE` and `import batch FILE`.
import type { Command } from 'commander'
import { EXIT_CODES } from '../../config/exit-codes.ts'
import { CommandFailed } from '../command-failed.ts'
import { asksService, placeOfService, type RestOptions } from '../connect.ts'
import { examples, print, type SettingsFor } from '../backup-commands.ts'
import { bar } from '../progress.ts'
import { ImportProblems } from '../../import-files/items.ts'
import { importBatch, importEach, readImport, withAddresses, type ImportReport } from './run.ts'
import { Sender } from './sender.ts'

interface BatchOptions extends RestOptions {
  readonly operation?: string
  readonly stopOnFailure?: boolean
  readonly externalReference?: string
}

const FILE =
  'a CSV file whose first row names the members (offchainReferences.code), or .jsonl with one itemData per line'

export function importCommand(program: Command, settingsFor: SettingsFor): void {
  const all = program
    .command('import')
    .summary('import accounts, counterparties or a batch from a file')
    .description(
      'Imports the lines of a file. Run the same command again to resume: what exists already is not made again.',
    )
  const run = async (
    options: RestOptions,
    work: (sender: Sender, shown: ReturnType<typeof bar>) => Promise<ImportReport>,
  ): Promise<void> => {
    const { url, key } = placeOfService(settingsFor(options), options)
    const progress = bar('import', 'items', { quiet: options.json === true })
    const report = await withProblems(() => work(new Sender(url, key), progress)).finally(() => progress.done())
    print(report, options, ({ done, items, problems, importedBefore }) => [
      ...problems,
      ...(importedBefore === undefined ? [] : [importedText(importedBefore)]),
      `${done} of ${items} items are done`,
    ])
    if (report.problems.length > 0) process.exitCode = EXIT_CODES.failure
  }
  asksService(all.command('accounts'))
    .description('Creates or records one account for each line of the file.')
    .argument('<file>', FILE)
    .addHelpText('after', examples('holdfast import accounts accounts.csv'))
    .action((file: string, options: RestOptions) =>
      run(options, (sender, shown) => importEach(sender, 'accounts', readImport(file), shown)),
    )
  asksService(all.command('counterparties'))
    .description(
      'Creates one counterparty for each line of the file. In CSV, the columns address (or onchainId) and label give its address; an empty cell gives none.',
    )
    .argument('<file>', FILE)
    .addHelpText('after', examples('holdfast import counterparties counterparties.csv'))
    .action((file: string, options: RestOptions) =>
      run(options, (sender, shown) => importEach(sender, 'counterparties', withAddresses(readImport(file)), shown)),
    )
  asksService(all.command('batch'))
    .description(
      'Creates one batch of all lines of the file, at most 10,000, and follows it to its end. The same file is the same payment.',
    )
    .argument('<file>', FILE)
    .option(
      '--operation <name>',
      'operation of every item, e.g. TRANSFER; default: the member `operation` of every row',
    )
    .option('--stop-on-failure', 'make the lines in order, and none after one that fails')
    .option('--external-reference <text>', 'reference of the batch')
    .addHelpText(
      'after',
      examples(
        'holdfast import batch coupons.csv',
        'holdfast import batch coupons.csv --operation TRANSFER --external-reference COUPON-2026-1',
      ),
    )
    .action((file: string, options: BatchOptions) => {
      const { operation, stopOnFailure = false, externalReference } = options
      const batch = {
        stopOnFailure,
        ...(operation === undefined ? {} : { operation }),
        ...(externalReference === undefined ? {} : { externalReference }),
      }
      return run(options, (sender, shown) => importBatch(sender, readImport(file), batch, shown))
    })
}

const importedText = (when: string): string =>
  `this file was imported before, on ${when}: nothing is paid again. Change its content to pay again`

async function withProblems<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof ImportProblems) throw new CommandFailed(error.message, EXIT_CODES.damaged)
    throw error
  }
}
