// The reports of backup, restore and verify as lines of text.
import type { BackupReport } from './backup.ts'
import type { ClusterComparison } from './compare.ts'
import type { RestoreReport } from './restore.ts'
import type { VerifyReport } from './verify.ts'

const SHOWN = 20

export function backupLines(report: BackupReport): string[] {
  const { file, bytes, sha256, encrypted, running, madeAt, rows, chainRows, files } = report
  return [
    `${file}: ${bytes} bytes${encrypted ? ', encrypted' : ''}, of ${madeAt}${running ? ', while the service ran' : ''}`,
    `${rows} rows of the store, ${chainRows} of the embedded chain, ${files} key files; read back and verified`,
    `sha256 ${sha256}`,
    ...(report.masterKeyId === null
      ? []
      : [
          'The backup does not contain the master key: keep a copy elsewhere. Without it the private keys cannot be opened.',
        ]),
  ]
}

export function restoreLines(report: RestoreReport): string[] {
  const { dataDir, madeAt, release, rows, chainRows, files, suspends, replayed, verified } = report
  const moment = replayed?.at ?? madeAt
  return [
    `${rows} rows of the store, ${chainRows} of the embedded chain, ${files} key files, as of ${madeAt} (release ${release})`,
    ...(replayed === null
      ? []
      : [`${replayed.batches} batches of the archive replayed, to ${replayed.sequence} of ${moment}`]),
    ...verifyLines(verified),
    `restored to ${dataDir}: configure the master key, and reconcile changes after ${moment} with the clients`,
    ...(suspends
      ? ['The first start suspends sending on every cluster that is not embedded: resume them afterwards.']
      : []),
  ]
}

export function verifyLines(report: VerifyReport): string[] {
  const { whole, rows, records, lastEvents, auditRows, problems, problemCount, masterKey, clusters } = report
  const counts = Object.entries(records).map(([kind, count]) => `${count} ${kind}`)
  return [
    `${rows} rows: ${counts.join(', ') || 'no records'}`,
    ...Object.entries(lastEvents).map(([tenant, sequence]) => `events of ${tenant} to ${sequence}`),
    `audit log: ${auditRows} rows`,
    `master key: ${masterKey}`,
    ...clusters.flatMap(comparisonLines),
    ...problems.map((problem) => `PROBLEM ${problem}`),
    whole ? 'intact: every row can be read, and the audit log is unchanged' : `damaged: ${problemCount} problems`,
  ]
}

export function comparisonLines({
  cluster,
  accounts,
  differences,
  openTransactions,
  notCompared,
}: ClusterComparison): string[] {
  if (notCompared !== undefined) return [`${cluster}: not compared with the chain: ${notCompared}`]
  const open = openTransactions === 0 ? '' : `, while ${openTransactions} transactions were open`
  const shown = differences
    .slice(0, SHOWN)
    .map(
      ({ kind, onchainId, what, books, chain }) =>
        `  ${kind} ${onchainId}: ${what} ${books} recorded, ${chain} on chain`,
    )
  const more = differences.length > SHOWN ? [`  and ${differences.length - SHOWN} more`] : []
  return [
    `${cluster}: ${accounts} accounts compared with the chain, ${differences.length} differences${open}`,
    ...shown,
    ...more,
  ]
}
