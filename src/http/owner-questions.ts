// Requests served to the owner of the data directory: a complete backup, events and records as lines, and the status of
// the service.
import { writeBackup } from '../../snapshots/backup/write.ts'
import type { Store } from '../../snapshots/store.ts'
import { copyFrames, type CopyDependencies } from '../engine/backup/copy.ts'
import type { Engine } from '../engine/engine.ts'
import { ofKind } from '../engine/records/record.ts'
import { exportLines } from '../operations/events/export.ts'
import type { OwnerQuestions } from './owner-socket.ts'

/** Status of the service. */
export interface ServiceStatus {
  readonly release: string
  readonly pid: number
  /** `level`, or the address of the database. */
  readonly store: string | undefined
  readonly masterKeyId: string | null
  readonly genesisHashes: Readonly<Record<string, string>>
  /** RPC URL of the embedded chain while it runs with the service. */
  readonly chainRpcUrl: string | null
  readonly feePayers: readonly FeePayer[]
  /** null: no archive is kept. */
  readonly archive: { readonly line: string; readonly lag: number; readonly trouble: string | null } | null
}

export interface FeePayer {
  readonly cluster: string
  readonly onchainId: string
  readonly offchainId: string
}

export interface OwnerDependencies extends Omit<CopyDependencies, 'store'> {
  readonly store: Pick<Store, 'view' | 'events' | 'tenants' | 'meta'>
  readonly engine: Pick<Engine, 'directory'>
  readonly chainRpcUrl: string | null
  readonly archive: ServiceStatus['archive']
  readonly storeName: ServiceStatus['store']
}

export function ownerQuestions(deps: OwnerDependencies): OwnerQuestions {
  return {
    '/backup': () => writeBackup(copyFrames(deps), { kind: 'none' }),
    '/events': (query) =>
      exportLines(deps.store, {
        what: 'events',
        after: Number(query.get('after') ?? 0),
        tenant: query.get('tenant'),
      }),
    '/records': (query) => exportLines(deps.store, { what: 'records', after: 0, tenant: query.get('tenant') }),
    '/tenants': () => once(async () => ({ tenants: await deps.store.tenants() })),
    '/standing': () => once(() => serviceStatus(deps)),
  }
}

async function* once(make: () => object | Promise<object>): AsyncGenerator<string, void, undefined> {
  yield JSON.stringify(await make())
}

function serviceStatus(deps: OwnerDependencies): ServiceStatus {
  const { store, storeName, engine, release, clusters, chainRpcUrl, archive } = deps
  const known = clusters
    .map((id) => [id, store.meta(`genesis:${id}`)] as const)
    .filter(([, hash]) => typeof hash === 'string')
  const feePayers: FeePayer[] = []
  for (const entry of engine.directory.entries('account')) {
    // Plain accounts pay no fees.
    const account = entry.isStored ? undefined : ofKind(entry.committed, 'account')
    if (account?.value !== 'active' || !account.context.canPayFees) continue
    feePayers.push({ cluster: account.cluster, onchainId: account.context.address, offchainId: account.id })
  }
  return {
    release,
    pid: process.pid,
    store: storeName,
    masterKeyId: (store.meta('masterKeyCheck') as string | undefined) ?? null,
    genesisHashes: Object.fromEntries(known) as Record<string, string>,
    chainRpcUrl,
    feePayers,
    archive: archive === null ? null : { line: archive.line, lag: archive.lag, trouble: archive.trouble },
  }
}
