// `audit verify`: checks the audit log in a data directory, or in a copy of one, without the service and without its keys.
import { parseArgs } from 'node:util'
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { dataLayout } from '../config/data-layout.ts'
import { EXIT_CODES } from '../config/exit-codes.ts'
import { verifyAudit, type AuditReport } from '../engine/journal/verify-audit.ts'
import { openStore } from '../../snapshots/level-store.ts'

export const AUDIT_HELP = `holdfast audit verify [--data-dir DIR] [--public-key KEY] [--json]

  Checks the audit log of every tenant: each row against its hash and the row before, each checkpoint against its signature.
  The service must not run on the directory; a copy or a restored backup does as well. Nothing is changed.

  --data-dir DIR     the data directory; HOLDFAST_DATA_DIR unless given
  --public-key KEY   the key (base58) that must have signed the checkpoints; else the one that stands beside the log
  --json             the report as JSON

  Ends with 0 when all is as it was written, with 1 when it is not, with 75 while a service holds the directory.

  npm start -- audit verify --data-dir /var/backups/holdfast --json`

/** @param dataDir unless the words name one. Answers the exit code. */
export async function audit(words: readonly string[], dataDir: string, print: (line: string) => void): Promise<number> {
  const wanted = optionsOf(words)
  if (wanted === null) {
    print(AUDIT_HELP)
    return EXIT_CODES.usage
  }
  const path = dataLayout(resolve(wanted.dataDir ?? dataDir)).store
  if (!existsSync(path)) throw new Error(`there is no store in ${path}`)
  const store = await openStore({
    path,
    onFatal: (error) => {
      throw error
    },
  })
  try {
    const report = await verifyAudit(store, { publicKey: wanted.publicKey })
    for (const line of wanted.json ? [JSON.stringify(report)] : linesOf(report)) print(line)
    return report.ok ? EXIT_CODES.done : EXIT_CODES.failure
  } finally {
    await store.close()
  }
}

interface Wanted {
  readonly dataDir: string | undefined
  readonly publicKey: string | undefined
  readonly json: boolean
}

/** Null when the words are not understood. */
function optionsOf(words: readonly string[]): Wanted | null {
  try {
    const { positionals, values } = parseArgs({
      args: [...words],
      allowPositionals: true,
      options: { 'data-dir': { type: 'string' }, 'public-key': { type: 'string' }, json: { type: 'boolean', default: false } },
    })
    if (positionals.length !== 1 || positionals[0] !== 'verify') return null
    return { dataDir: values['data-dir'], publicKey: values['public-key'], json: values.json }
  } catch {
    return null
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
