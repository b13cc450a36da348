// `audit verify` of a data directory or a backup: the chains of the audit log and, on request, the recorded balances
// compared with the chain.
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isDatabase } from '../../snapshots/whole-directory.ts'
import { openStore } from '../../snapshots/level-store.ts'
import { dataLayout } from '../config/data-layout.ts'
import { EXIT_CODES } from '../config/exit-codes.ts'
import type { Settings } from '../config/settings.ts'
import { verifyAudit, type AuditReport } from '../engine/audit/verify-audit.ts'
import { SecretsFolder } from '../keys/secrets-folder.ts'
import { CommandFailed } from './command-failed.ts'
import { compareWithChain, type ClusterComparison } from './compare.ts'
import { readingBackup } from './given-file.ts'
import { inspectStore } from './inspect.ts'
import { sealingOf, type SealingOptions } from './sealing.ts'
import { temporaryFolder } from './temporary.ts'
import { unpack } from './unpack.ts'

export interface AuditOptions extends SealingOptions {
  /** Base58. */
  readonly publicKey?: string
  readonly balances?: boolean
}

export interface AuditVerification extends AuditReport {
  /** Only if `balances` was requested. */
  readonly clusters?: readonly ClusterComparison[]
}

/** Rejects with CommandFailed when there is no store, with StoreLocked while a service has it open. */
export async function auditDirectory(
  settings: Settings,
  { publicKey, balances = false }: AuditOptions,
): Promise<AuditVerification> {
  const { dataDir, secretsDir } = settings
  const { store: path, secrets } = dataLayout(dataDir)
  if (!isDatabase(path)) throw new CommandFailed(`${dataDir} contains no store`, EXIT_CODES.unavailable)
  const store = await openStore({ path, onFatal: () => undefined })
  try {
    const report = await verifyAudit(store, { publicKey })
    if (!balances) return report
    const findings = await inspectStore(store, new SecretsFolder(secretsDir ?? secrets))
    return {
      ...report,
      clusters: await compareWithChain(settings, findings, (id) => store.meta(`genesis:${id}`) as string | undefined),
    }
  } finally {
    await store.close()
  }
}

/** Unpacks the backup to a temporary directory, which is removed afterwards. Also rejects with BackupRefused. */
export async function auditFile(settings: Settings, file: string, options: AuditOptions): Promise<AuditVerification> {
  using copy = temporaryFolder(join(tmpdir(), 'holdfast-audit-'))
  return await readingBackup(file, copy.path, async () => {
    await unpack(file, sealingOf(options), copy.path)
    return await auditDirectory({ ...settings, dataDir: copy.path, secretsDir: null }, options)
  })
}
