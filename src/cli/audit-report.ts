// What `audit verify` finds in a data directory or in a backup: the chains of the audit log and, when it is asked for, the books beside the chain.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isDatabase } from '../../snapshots/backup/database.ts'
import { openStore } from '../../snapshots/level-store.ts'
import { dataLayout } from '../config/data-layout.ts'
import { EXIT_CODES } from '../config/exit-codes.ts'
import type { Settings } from '../config/settings.ts'
import { verifyAudit, type AuditReport } from '../engine/audit/verify-audit.ts'
import { SecretsFolder } from '../keys/secrets-folder.ts'
import { CommandFailed } from './command-failed.ts'
import { compare, type Comparison } from './compare.ts'
import { inspect } from './inspect.ts'
import { sealingOf, type SealingOptions } from './sealing.ts'
import { unpack } from './unpack.ts'

export interface AuditWish extends SealingOptions {
  /** Base58. */
  readonly publicKey?: string
  readonly balances?: boolean
}

export interface Audited extends AuditReport {
  /** Only when it was asked for. */
  readonly clusters?: readonly Comparison[]
}

/** Rejects with CommandFailed when nothing is there, with StoreLocked while a service has it. */
export async function auditDirectory(settings: Settings, { publicKey, balances = false }: AuditWish): Promise<Audited> {
  const { dataDir, secretsDir } = settings
  const { store: path, secrets } = dataLayout(dataDir)
  if (!isDatabase(path)) throw new CommandFailed(`there is no store in ${dataDir}`, EXIT_CODES.unavailable)
  const store = await openStore({ path, onFatal: () => undefined })
  try {
    const report = await verifyAudit(store, { publicKey })
    if (!balances) return report
    const findings = await inspect(store, new SecretsFolder(secretsDir ?? secrets))
    return { ...report, clusters: await compare(settings, findings, (id) => store.meta(`genesis:${id}`) as string | undefined) }
  } finally {
    await store.close()
  }
}

/** In a directory of its own, which is gone in the end. Rejects with BackupRefused too. */
export async function auditFile(settings: Settings, file: string, wish: AuditWish): Promise<Audited> {
  const dataDir = mkdtempSync(join(tmpdir(), 'holdfast-audit-'))
  try {
    await unpack(file, sealingOf(wish), dataDir)
    return await auditDirectory({ ...settings, dataDir, secretsDir: null }, wish)
  } finally {
    rmSync(dataDir, { recursive: true, force: true, maxRetries: 5 })
  }
}
