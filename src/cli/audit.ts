// `audit verify`: checks the audit log in a data directory, in a copy of one or in a backup, without the service and
// without its keys.
import { resolve } from 'node:path'
import { InvalidArgumentError, type Command } from 'commander'
import { EXIT_CODES } from '../config/exit-codes.ts'
import { isAddress } from '../solana/address.ts'
import type { AuditVerification, AuditOptions } from './audit-report.ts'
import { examples, print, withBackupOptions, type DataOptions, type SettingsFor } from './backup-commands.ts'
import { isDirectory } from './given-file.ts'
import { comparisonLines } from './report.ts'

export function auditCommands(program: Command, settingsFor: SettingsFor): void {
  const audit = program
    .command('audit')
    .summary('verify the audit log')
    .description('The audit log records every change by a caller and every refusal of a right.')
  withBackupOptions(audit.command('verify'))
    .summary('verify that the audit log is unchanged')
    .description(
      'Checks the audit log of every tenant: each row against its hash and the previous row, each checkpoint against its signature. The service must not ' +
        'run on the directory; a backup works too. Changes nothing. Exits with 0 if the log is unchanged, with 1 if it is not.',
    )
    .argument('[place]', 'a backup file or a data directory; default: the configured directory')
    .option(
      '--public-key <key>',
      'public key (base58) that must have signed the checkpoints; default: the key stored with the log',
      publicKey,
    )
    .option(
      '--balances',
      'also compare the balances of live accounts with their cluster; exits with 1 if they differ or the cluster does not respond',
    )
    .addHelpText(
      'after',
      examples('holdfast audit verify nightly.hfb --json', 'holdfast audit verify --data-dir restored --balances'),
    )
    .action(async (place: string | undefined, options: DataOptions & AuditOptions) => {
      const { auditDirectory, auditFile } = await import('./audit-report.ts')
      const directory = place === undefined || isDirectory(place)
      const settings = settingsFor(directory && place !== undefined ? { ...options, dataDir: place } : options)
      const { withDirectory } = await import('./shared-copy.ts')
      const report = directory
        ? await withDirectory(place === undefined ? settings : { ...settings, store: 'level' }, (here) =>
            auditDirectory(here, options),
          )
        : await auditFile(settings, resolve(place), options)
      print(report, options, linesOf)
      const agrees = (report.clusters ?? []).every(
        ({ differences, notCompared }) => differences.length === 0 && notCompared === undefined,
      )
      process.exitCode = report.ok && agrees ? EXIT_CODES.done : EXIT_CODES.failure
    })
}

/** Addresses and keys have one form. */
function publicKey(text: string): string {
  if (!isAddress(text)) throw new InvalidArgumentError('It must be a public key of 32 bytes in base58.')
  return text
}

function linesOf({ ok, publicKey, tenants, clusters = [] }: AuditVerification): string[] {
  const chains = tenants.flatMap(({ tenant, rows, head, checkpoints, unsigned, problems }) => [
    `${tenant}: ${rows} rows, head ${head.slice(0, 16)}, ${checkpoints} checkpoints, ${unsigned} rows after the last checkpoint`,
    ...problems.map(({ sequence, problem }) => `  row ${sequence} ${problem}`),
  ])
  const verdict = ok ? 'the audit log is unchanged' : 'the audit log was changed or is damaged'
  return [
    ...chains,
    `checkpoints ${ok ? 'are' : 'must be'} signed by ${publicKey ?? 'no key'}`,
    ...clusters.flatMap(comparisonLines),
    verdict,
  ]
}
