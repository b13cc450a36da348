// `audit verify`: checks the audit log in a data directory, in a copy of one or in a backup, without the service and
// without its keys.
import { resolve } from 'node:path'
import type { Command } from 'commander'
import { EXIT_CODES } from '../config/exit-codes.ts'
import type { Audited, AuditWish } from './audit-report.ts'
import { examples, print, sealed, type DataOptions, type SettingsFor } from './keeping.ts'
import { comparisonLines } from './report.ts'

export function auditCommands(program: Command, settingsFor: SettingsFor): void {
  const audit = program
    .command('audit')
    .summary('the audit log')
    .description('The log of every change by a caller and every refusal of a right.')
  sealed(audit.command('verify'))
    .summary('whether the audit log is as it was written')
    .description(
      'Checks the audit log of every tenant: each row against its hash and the row before, each checkpoint against its signature. The service must not ' +
        'run on the directory; a backup does as well. Nothing is changed. Ends with 0 when all is as it was written, with 1 when it is not.',
    )
    .argument('[place]', 'a backup file, or a data directory; the configured one unless given')
    .option('--public-key <key>', 'key (base58) that must have signed the checkpoints; else the one that stands beside the log')
    .option(
      '--balances',
      'the books of every live account beside what its cluster shows, too; ends with 1 where they differ or it does not answer',
    )
    .addHelpText('after', examples('holdfast audit verify nightly.hfb --json', 'holdfast audit verify --data-dir restored --balances'))
    .action(async (place: string | undefined, options: DataOptions & AuditWish) => {
      const { auditDirectory, auditFile } = await import('./audit-report.ts')
      const { isDirectory } = await import('./verify.ts')
      const directory = place === undefined || isDirectory(place)
      const settings = settingsFor(directory && place !== undefined ? { ...options, dataDir: place } : options)
      const report = directory ? await auditDirectory(settings, options) : await auditFile(settings, resolve(place), options)
      print(report, options, linesOf)
      const agrees = (report.clusters ?? []).every(({ differences, notCompared }) => differences.length === 0 && notCompared === undefined)
      process.exitCode = report.ok && agrees ? EXIT_CODES.done : EXIT_CODES.failure
    })
}

function linesOf({ ok, publicKey, tenants, clusters = [] }: Audited): string[] {
  const chains = tenants.flatMap(({ tenant, rows, head, checkpoints, unsigned, problems }) => [
    `${tenant}: ${rows} rows, head ${head.slice(0, 16)}, ${checkpoints} checkpoints, ${unsigned} rows after the newest`,
    ...problems.map(({ sequence, problem }) => `  row ${sequence} ${problem}`),
  ])
  const verdict = ok ? 'the audit log is as it was written' : 'the audit log was changed or is damaged'
  return [...chains, `checkpoints are signed by ${publicKey ?? 'nobody'}`, ...clusters.flatMap(comparisonLines), verdict]
}
