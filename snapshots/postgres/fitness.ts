// Version and settings that a server must have before the store writes to it.

import type { ServerFacts } from './connection.ts'

const OLDEST = 140_000
/** Values of `synchronous_commit` under which a commit is on disk before it is acknowledged. */
const DURABLE = new Set(['on', 'local', 'remote_write', 'remote_apply'])

/**
 * The reason why the server cannot hold a store; null: it can.
 * @param readsOnly true: nothing is written, so a standby will do
 */
export function whyUnfit(facts: ServerFacts, readsOnly = false): string | null {
  const { version, versionText, encoding, fsync, fullPageWrites, synchronousCommit } = facts
  if (version < OLDEST) return `it runs PostgreSQL ${versionText}; needed is 14 or newer`
  if (encoding !== 'UTF8') return `its encoding is ${encoding}; needed is UTF8`
  if (readsOnly) return null
  if (fsync !== 'on') return 'fsync is off; needed is on: a power failure would lose commits'
  if (fullPageWrites !== 'on') return 'full_page_writes is off; needed is on: a power failure would damage pages'
  if (!DURABLE.has(synchronousCommit))
    return `synchronous_commit is ${synchronousCommit}; needed is on: a crash would lose commits`
  return whyReadOnly(facts)
}

/** The reason why this server takes no writes; null: it takes them. Transient during a failover. */
export function whyReadOnly({ inRecovery, readOnly }: ServerFacts): string | null {
  if (inRecovery) return 'it is a standby; needed is the primary'
  if (readOnly) return 'default_transaction_read_only is on; needed is off'
  return null
}

/** Warnings for the operator about the settings of a usable server. */
export function listServerWarnings({ synchronousStandbys, synchronousCommit }: ServerFacts): string[] {
  if (synchronousStandbys === '')
    return [
      'the database has no synchronous standby: if it fails over, it loses commits that it acknowledged, among them those of payments that are on chain',
    ]
  return synchronousCommit === 'local' || synchronousCommit === 'remote_write'
    ? [`synchronous_commit is ${synchronousCommit}: a failover may lose commits that the database acknowledged`]
    : []
}
