// After a restore, the records lack what was committed since the backup. On a chain that was not restored with them,
// schedules, batches, distributions and requests of several transactions would pay again what they had paid. Nothing is
// sent there until an operator has compared the records with the chain and resumes the cluster.
import { setTimeout as pause } from 'node:timers/promises'
import type { SuspensionScope } from '../../machines/suspension.ts'
import { metaKey, metasFrom, unescapePart } from '../../snapshots/keys.ts'
import { openDatabase, type StoredChange } from '../../snapshots/backup/database.ts'
import type { Store } from '../../snapshots/store.ts'
import { SYSTEM_TENANT } from '../contract/tenancy.ts'
import type { Engine } from '../engine/engine.ts'
import { suspensionKey } from '../engine/index/index-keys.ts'
import type { Cluster } from '../rpc/cluster.ts'
import { GENESIS_FACTS } from './chains.ts'

/** Key id of changes that the operator of the machine makes with a command. */
const OWNER = 'owner'
const POLL_MS = 100
const WHOLE_CLUSTER: SuspensionScope = { tenant: null, organization: null, lane: null }

const restoredFact = (cluster: string): string => `restored:${cluster}`

/**
 * Marks the clusters of a restored store: the next start suspends sending on those whose chain is not embedded.
 * @param storePath of a store that no process has open
 */
export async function markRestored(storePath: string): Promise<void> {
  const database = await openDatabase(storePath, { make: false })
  try {
    const marks: StoredChange[] = []
    for await (const [key] of database.rows(metasFrom(GENESIS_FACTS))) {
      const cluster = unescapePart(key.toString().slice(metaKey(GENESIS_FACTS).length))
      marks.push([Buffer.from(metaKey(restoredFact(cluster))), Buffer.from('true')])
    }
    await database.put(marks, { sync: true })
  } finally {
    await database.close()
  }
}

interface MarkedParts {
  /** Reads a fact of the installation. */
  readonly fact: (name: string) => Promise<unknown>
  readonly clusters: readonly { readonly id: string }[]
  readonly cell: string
  readonly log: { warn(fields: object, message: string): void }
}

/**
 * Resolves when the first cell has suspended sending on every marked cluster. The other cells must wait for that before
 * they read the suspensions. Rejects when the node stops.
 */
export async function waitForSuspensions(
  { fact, clusters, cell, log }: MarkedParts,
  stopping: AbortSignal,
): Promise<void> {
  for (const { id: cluster } of clusters) {
    const isMarked = async (): Promise<boolean> => (await fact(restoredFact(cluster))) !== undefined
    if (!(await isMarked())) continue
    log.warn({ cell, cluster }, 'restored from a backup: the cell waits until the first one has suspended sending')
    while (await isMarked()) await pause(POLL_MS, undefined, { signal: stopping })
  }
}

interface RestoredParts {
  readonly store: Pick<Store, 'meta'>
  readonly engine: Engine
  readonly clusters: readonly Cluster[]
  readonly ids: () => string
  readonly clock: { now(): number }
  readonly log: { warn(fields: object, message: string): void }
}

/** Suspends sending on the marked clusters and removes their marks. Must run before anything is sent. */
export async function suspendRestored({ store, engine, clusters, ids, clock, log }: RestoredParts): Promise<void> {
  if (!engine.owns(SYSTEM_TENANT)) return
  for (const { id: cluster, settings } of clusters) {
    const fact = restoredFact(cluster)
    if (store.meta(fact) === undefined) continue
    const { durable } = engine.transact((unit) => {
      unit.openFor(SYSTEM_TENANT)
      unit.also(SYSTEM_TENANT, { type: 'meta', name: fact, value: null })
      // The backup contains the embedded chain.
      if (settings.confirmsOnDisk) return
      const change = { by: OWNER, at: new Date(clock.now()).toISOString() }
      const known = engine.directory.find(suspensionKey(cluster, WHOLE_CLUSTER))
      if (known.some(({ head }) => head.value === 'suspended')) return
      const [entry] = known
      if (entry !== undefined) unit.send<'suspension'>(entry, { type: 'command.suspend', ...change })
      else {
        const place = { tenant: SYSTEM_TENANT, cluster, id: ids() }
        unit.create('suspension', place, { suspension: { scope: WHOLE_CLUSTER, ...change } })
      }
      unit.audit({
        ...{ tenant: SYSTEM_TENANT, keyId: OWNER, action: 'holdfast restore', outcome: 'DONE', requestId: ids() },
        resource: { kind: null, onchainId: null, offchainId: null },
      })
      log.warn({ cluster }, 'restored from a backup: sending is suspended until an operator resumes the cluster')
    })
    await durable
  }
}
