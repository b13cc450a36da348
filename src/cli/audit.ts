// `audit verify`: checks the audit log in a data directory, or in a copy of one, without the service and without its keys.
import type { Command } from 'commander'
import { isDatabase } from '../../snapshots/backup/database.ts'
import { openStore } from '../../snapshots/level-store.ts'
import { dataLayout } from '../config/data-layout.ts'
import { EXIT_CODES } from '../config/exit-codes.ts'
import { verifyAudit, type AuditReport } from '../engine/journal/verify-audit.ts'
import { CommandFailed } from './command-failed.ts'
import { examples, print, type DataOptions, type SettingsFor } from './keeping.ts'

interface AuditOptions extends DataOptions {
  readonly publicKey?: string
}

export function auditCommands(program: Command, settingsFor: SettingsFor): void {
  const audit = program
    .command('audit')
    .summary('the audit log')
    .description('The log of every change by a caller and every refusal of a right.')
  audit
    .command('verify')
    .summary('whether the audit log is as it was written')
    .description(
      'Checks the audit log of every tenant: each row against its hash and the row before, each checkpoint against its signature. The service must not ' +
        'run on the directory; a restored backup does as well. Nothing is changed. Ends with 0 when all is as it was written, with 1 when it is not.',
    )
    .option('--data-dir <dir>', 'data directory; HOLDFAST_DATA_DIR unless given')
    .option('--public-key <key>', 'key (base58) that must have signed the checkpoints; else the one that stands beside the log')
    .option('--json', 'the report as JSON')
    .addHelpText('after', examples('holdfast audit verify --data-dir restored --json'))
    .action(async (options: AuditOptions) => {
      const report = await auditReport(settingsFor(options).dataDir, options.publicKey)
      print(report, options, linesOf)
      process.exitCode = report.ok ? EXIT_CODES.done : EXIT_CODES.failure
    })
}

async function auditReport(dataDir: string, publicKey: string | undefined): Promise<AuditReport> {
  const { store: path } = dataLayout(dataDir)
  if (!isDatabase(path)) throw new CommandFailed(`there is no store in ${dataDir}`, EXIT_CODES.unavailable)
  const store = await openStore({ path, onFatal: () => undefined })
  try {
    return await verifyAudit(store, { publicKey })
  } finally {
    await store.close()
  }
}

function linesOf({ ok, publicKey, tenants }: AuditReport): string[] {
  const chains = tenants.flatMap(({ tenant, rows, head, checkpoints, unsigned, problems }) => [
    `${tenant}: ${rows} rows, head ${head.slice(0, 16)}, ${checkpoints} checkpoints, ${unsigned} rows after the newest`,
    ...problems.map(({ sequence, problem }) => `  row ${sequence} ${problem}`),
  ])
  const verdict = ok ? 'the audit log is as it was written' : 'the audit log was changed or is damaged'
  return [...chains, `checkpoints are signed by ${publicKey ?? 'nobody'}`, verdict]
}
