// `verify`: checks that a stopped data directory or a backup file is complete, and compares its records with the chain.
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isDatabase } from '../../snapshots/whole-directory.ts'
import type { Sealing } from '../../snapshots/backup/format.ts'
import { openStore } from '../../snapshots/level-store.ts'
import { dataLayout } from '../config/data-layout.ts'
import { EXIT_CODES } from '../config/exit-codes.ts'
import { readKeyFile } from '../config/key-file.ts'
import { key32 } from '../config/parse.ts'
import { readRotation } from '../config/rotation-file.ts'
import type { Settings } from '../config/settings.ts'
import { verifyAudit } from '../engine/audit/verify-audit.ts'
import { MasterKey } from '../keys/master-key.ts'
import { SecretsFolder } from '../keys/secrets-folder.ts'
import { CommandFailed } from './command-failed.ts'
import { compareWithChain, type ClusterComparison } from './compare.ts'
import { readingBackup } from './given-file.ts'
import { inspectStore, type Findings } from './inspect.ts'
import { temporaryFolder } from './temporary.ts'
import { unpack } from './unpack.ts'

export interface VerifyReport extends Pick<Findings, 'rows' | 'records' | 'lastEvents' | 'problems' | 'problemCount'> {
  /** True: nothing is damaged or missing. Differences from the chain do not count. */
  readonly whole: boolean
  /** Rows of the audit log, all checked. */
  readonly auditRows: number
  /** `ok`, or the reason why the key was not checked. A wrong key is a problem. */
  readonly masterKey: string
  readonly clusters: readonly ClusterComparison[]
}

export interface VerifySteps {
  readonly rows?: (rows: number) => void
  readonly accounts?: (accounts: number, of: number) => void
  readonly unpacking?: (bytes: number, of: number) => void
  readonly replaying?: (batches: number) => void
}

/** Rejects with CommandFailed when there is no store, with StoreLocked while a service has it open. */
export async function verifyDirectory(settings: Settings, steps: VerifySteps = {}): Promise<VerifyReport> {
  const { dataDir, secretsDir } = settings
  const { store: path, secrets } = dataLayout(dataDir)
  if (!isDatabase(path)) throw new CommandFailed(`${dataDir} contains no store`, EXIT_CODES.unavailable)
  const isRotating = readRotation(dataDir) !== null
  const store = await openStore({ path, onFatal: () => undefined })
  try {
    const findings = await inspectStore(store, new SecretsFolder(secretsDir ?? secrets), steps.rows, isRotating)
    const key = masterKeyVerdict(settings, store.meta('masterKeyCheck') as string | undefined)
    const genesis = (id: string): string | undefined => store.meta(`genesis:${id}`) as string | undefined
    const clusters = await compareWithChain(settings, findings, genesis, steps.accounts)
    const audit = await verifyAudit(store, {})
    const tampered = audit.tenants.flatMap(({ tenant, problems }) =>
      problems.map(({ sequence, problem }) => `audit log of ${tenant}: row ${sequence} ${problem}`),
    )
    const more = [...tampered, ...(key.problem === undefined ? [] : [key.problem])]
    const { rows, records, lastEvents } = findings
    const problemCount = findings.problemCount + more.length
    return {
      whole: problemCount === 0,
      rows,
      records,
      lastEvents,
      auditRows: audit.tenants.reduce((sum, tenant) => sum + tenant.rows, 0),
      problems: [...findings.problems, ...more],
      problemCount,
      masterKey: key.verdict,
      clusters,
    }
  } finally {
    await store.close()
  }
}

/** Unpacks the backup to a temporary directory, which is removed afterwards. Also rejects with BackupRefused. */
export async function verifyFile(
  settings: Settings,
  file: string,
  opening: Sealing,
  steps: VerifySteps = {},
): Promise<VerifyReport> {
  using copy = temporaryFolder(join(tmpdir(), 'holdfast-verify-'))
  return await readingBackup(file, copy.path, async () => {
    await unpack(file, opening, copy.path, steps.unpacking)
    return await verifyDirectory({ ...settings, dataDir: copy.path, secretsDir: null }, steps)
  })
}

/** Checks the key that a start would use, if there is one. */
function masterKeyVerdict(
  { masterKey, dataDir }: Settings,
  stored: string | undefined,
): { verdict: string; problem?: string } {
  if (stored === undefined) return { verdict: 'nothing is sealed yet' }
  const text = masterKey === null ? readKeyFile(dataLayout(dataDir).masterKey) : null
  if (masterKey === null && text === null)
    return { verdict: 'not checked: neither HOLDFAST_MASTER_KEY nor its file exists' }
  try {
    if (new MasterKey(masterKey?.reveal() ?? key32(text!)).id === stored) return { verdict: 'ok' }
  } catch {
    // A malformed key is reported as wrong below.
  }
  return { verdict: 'wrong', problem: 'the master key is not the key that seals the private keys' }
}
