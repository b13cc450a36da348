// Opens and closes the part of the service that owns tenants: the store, the keys, the engine, the clusters and the
// background work. It opens the layers from the lowest to the highest and closes them in reverse. In a service with one
// process this is everything except HTTP. With several nodes, a cell is open only on the node that owns it.
import { randomBytes, randomUUID } from 'node:crypto'
import { statfs } from 'node:fs/promises'
import { assemble, type AssembledService, type AssemblyParts } from './assemble.ts'
import { openClusters } from './open-clusters.ts'
import { chainFeedsOf } from '../rpc/chain-feeds.ts'
import { systemClock, type Clock } from '../time/clock.ts'
import type { ClusterSettings } from '../rpc/cluster-settings.ts'
import type { Cluster } from '../rpc/cluster.ts'
import type { SharedFeeds } from '../rpc/shared-feeds.ts'
import type { SharedQueues } from '../rpc/shared-queues.ts'
import type { SharedTurns } from '../submission/shared-turns.ts'
import { configuredChain } from '../embedded/configured.ts'
import { startEmbeddedChain, type EmbeddedChain } from '../embedded/embedded.ts'
import { chainChanges } from '../embedded/changes.ts'
import { dataLayout } from '../config/data-layout.ts'
import { releaseVersion } from '../config/release.ts'
import { SERVER_CAPS, tenantShareOf } from '../config/server-caps.ts'
import { unusable } from '../config/disk-fault.ts'
import { EXIT_CODES } from '../config/exit-codes.ts'
import { providerBearer } from '../config/lending-providers.ts'
import { loadBootstrapKey } from '../config/secrets.ts'
import { causesOf, isUnreadable } from '../config/unreadable.ts'
import type { Settings } from '../config/settings.ts'
import { openArchive, type Archiver } from '../engine/backup/archiver.ts'
import { Engine } from '../engine/engine.ts'
import { observeArchive, observeEndpoints, observeStore } from '../engine/health/store-metrics.ts'
import { observeLanes } from '../engine/health/lane-metrics.ts'
import { observeReadiness } from '../engine/health/readiness-metrics.ts'
import { RecordMetrics } from '../engine/health/record-metrics.ts'
import { HealthMonitor } from '../engine/health/health-monitor.ts'
import { openAccountKeys, type OpenedKeys } from '../keys/open.ts'
import type { RemoteDelivery } from '../engine/outbox/outbox.ts'
import type { Neighbours } from './neighbours.ts'
import { Undo } from './undo.ts'
import { SYSTEM_TENANT } from '../contract/tenancy.ts'
import { bootstrap } from '../operations/admin/bootstrap.ts'
import { EVICTED } from '../operations/views/bulk/evicted.ts'
import { observeComparison } from '../operations/background/comparison-metrics.ts'
import { observeSigners } from '../operations/background/signer-metrics.ts'
import type { Platform } from '../operations/context/platform.ts'
import type { MeasuringLoad } from '../operations/transactions/measuring-load.ts'
import { Outbound } from '../operations/context/outbound/outbound.ts'
import { OutboundShares } from '../operations/context/outbound/shares.ts'
import type { Log } from '../telemetry/log.ts'
import { Metrics } from '../telemetry/metrics.ts'
import { StaleEpoch, StoreError } from '../../snapshots/errors.ts'
import type { openStore } from '../../snapshots/level-store.ts'
import type { Store } from '../../snapshots/store.ts'

const MIN_STILL_MS = 15_000
/** Interval at which an order to rotate the master key is checked for. */
const ROTATION_POLL_MS = 500
/** Approximate lag of the archive. */
const ARCHIVE_MS = 1_000

type Redo = Awaited<ReturnType<typeof openStore>>['redo']

interface OpenedStore {
  readonly store: Store
  readonly redo: Redo | null
  /** Absent: no other process owns tenants of the store. */
  readonly neighbours?: Neighbours
}

export type ChainUrls = Pick<EmbeddedChain, 'rpcUrl' | 'wsUrl'>

export interface CellOptions {
  readonly settings: Settings
  readonly log: Log
  /** Wall clock for the times in records. */
  readonly clock: Clock
  /** For tests: replaces the wall clock for timers and work. */
  readonly testClock?: Clock
  readonly tune: (settings: ClusterSettings, cluster: string) => ClusterSettings
  readonly metrics: Metrics
  /** Opens the store, or nothing. A failed write ends the process through `onFatal`. */
  readonly openStore: (onFatal: (error: Error) => void) => Promise<OpenedStore>
  /** Name of the cell if there are several. Absent: the first cell. */
  readonly name?: string
  /** Sends questions to owners in other cells, if there are several cells. */
  readonly ownersElsewhere?: NonNullable<Platform['otherCellOwners']>
  /** Of a node: false while its lease is over. */
  readonly mayAct?: NonNullable<Platform['mayAct']>
  /** The embedded chain that the process started for all its cells. Absent: the cell starts a configured one. */
  readonly chain?: ChainUrls
  readonly opened?: (assembled: AssembledService) => void
  /** Limits of outbound requests, shared by the process. */
  readonly outboundShares: OutboundShares
  /** State that all cells of the process share. Absent: there is one cell. */
  readonly process?: {
    readonly queues: SharedQueues
    readonly feeds: SharedFeeds
    readonly turns: SharedTurns
    readonly measuringLoad: MeasuringLoad
  }
  /** Maximum number of records of failed batches that stay in memory. Default: many. */
  readonly keepRetryable?: number
}

export interface Cell {
  readonly store: Store
  readonly engine: Engine
  readonly assembled: AssembledService
  readonly health: HealthMonitor
  readonly custodians: OpenedKeys['custodians']
  readonly chain: ChainUrls | null
  readonly archive: Archiver | null
  /** Ends all work in order. Afterwards everything that was acknowledged is on disk. */
  stop(): Promise<void>
}

/** Rejects with `CellUnreadable` if the rows of the cell cannot be read. After other errors the process must end. */
export async function openCell(options: CellOptions): Promise<Cell> {
  const undo = new Undo()
  try {
    return await openLayers(options, undo)
  } catch (error) {
    throw await undo.after(error)
  }
}

async function openLayers(options: CellOptions, undo: Undo): Promise<Cell> {
  const { settings, log, metrics } = options
  let closed = false
  const onFatal = (error: unknown): void => {
    // Work that was still running when the cell was closed finds the store closed; it has changed nothing.
    if (closed) log.warn({ err: error }, 'a write was refused after the cell was closed')
    else endProcess(log, error, undefined)
  }
  const layout = dataLayout(settings.dataDir)
  const closeStore = async (store: Store): Promise<void> => {
    closed = true
    await store.close()
  }
  const { store, neighbours, archive, kept, engine } = await readCell(options, { onFatal, closeStore, undo })
  const ownChain = options.chain === undefined ? await startChain(settings, archive?.line ?? '', log) : null
  undo.add(() => ownChain?.stop())
  const chain = options.chain ?? ownChain
  const clusters = await openClusters(settings, chain, { ...options, store })
  undo.add(() => Promise.all(clusters.map((cluster) => cluster.close())))
  const assembled = await assembleCell(options, { store, engine, kept, clusters, chain, neighbours, undo })
  neighbours?.start(engine)
  options.opened?.(assembled)
  measure(metrics, store, clusters, assembled)
  if (chain !== null) archive?.follow((after) => chainChanges(layout.chainSocket, after))
  if (archive !== null) observeArchive(metrics, archive)
  const archiving = setInterval(() => void archive?.turn(), ARCHIVE_MS)
  const rotating = setInterval(() => kept.rotation.turn(), ROTATION_POLL_MS)
  const health = monitorHealth(settings, store, clusters, assembled)
  observeReadiness(metrics, health, assembled.clock)
  return {
    ...{ store, engine, assembled, health, custodians: kept.custodians, chain, archive },
    async stop() {
      health.stop()
      await neighbours?.stop()
      await assembled.stop()
      clearInterval(rotating)
      clearInterval(archiving)
      kept.close()
      await archive?.stop()
      await closeStore(store)
      await ownChain?.stop()
    },
  }
}

interface ReadCell {
  readonly store: Store
  readonly neighbours: Neighbours | undefined
  readonly archive: Archiver | null
  readonly kept: OpenedKeys
  readonly engine: Engine
}

interface Closing {
  readonly onFatal: (error: unknown) => void
  readonly closeStore: (store: Store) => Promise<void>
  readonly undo: Undo
}

/** Opens what reads the rows of the cell. */
async function readCell(options: CellOptions, { onFatal, closeStore, undo }: Closing): Promise<ReadCell> {
  const { settings, log } = options
  const { store, redo, neighbours } = await options.openStore(onFatal)
  undo.add(() => closeStore(store))
  const archive = redo === null ? null : await startArchive(settings, redo, log)
  undo.add(() => archive?.stop())
  const kept = await openAccountKeys(settings, store, log)
  undo.add(() => kept.close())
  // With several cells, keys of other cells have no record here, but are not orphans.
  if (neighbours?.remoteDelivery === undefined) kept.reportOrphans()
  const engine = await openEngine({ ...options, store, onFatal, elsewhere: neighbours?.remoteDelivery })
  undo.add(() => engine.stop())
  undo.add(() => neighbours?.stop())
  await neighbours?.begin(engine)
  if (engine.owns(SYSTEM_TENANT)) await installFirstKey(settings, engine, log)
  return { store, neighbours, archive, kept, engine }
}

interface CellParts {
  readonly store: Store
  readonly engine: Engine
  readonly kept: OpenedKeys
  readonly clusters: Cluster[]
  readonly chain: ChainUrls | null
  readonly neighbours: Neighbours | undefined
  readonly undo: Undo
}

async function assembleCell(
  { settings, log, clock, testClock, outboundShares, ownersElsewhere, mayAct, process }: CellOptions,
  { store, engine, kept: { keys, ring, webhookSecrets }, clusters, chain, neighbours, undo }: CellParts,
): Promise<AssembledService> {
  const chainFeeds = chainFeedsOf(settings.clusters, { embeddedUrl: chain?.wsUrl ?? '', shared: process?.feeds, log })
  for (const feed of chainFeeds.values()) undo.add(() => feed.close())
  const parts: AssemblyParts = {
    store,
    engine,
    clusters,
    keys,
    ring,
    webhookSecrets,
    clock: testClock ?? clock,
    ids: randomUUID,
    limits: { maxFeeLamports: settings.maxFeeLamports },
    outbound: new Outbound(settings.outboundAllow),
    outboundShares,
    measuringLoad: process?.measuringLoad,
    turns: process?.turns,
    lendingProviders: settings.lendingProviders.map((each) => ({ ...each, bearer: providerBearer(each) })),
    feeds: { refreshSeconds: settings.feedRefreshSeconds, staleSeconds: settings.feedStaleSeconds },
    chainFeeds,
    ...(ownersElsewhere === undefined ? {} : { ownersElsewhere }),
    ...(mayAct === undefined ? {} : { mayAct }),
    ...(neighbours === undefined ? {} : { otherCells: neighbours }),
    log,
  }
  return await assemble(parts, undo)
}

/** A process has one instance for all its cells. */
export function outboundSharesOf({ tenantShare }: Settings): OutboundShares {
  const server = SERVER_CAPS.outboundRequests
  return new OutboundShares({ server, tenant: tenantShareOf(server, tenantShare) }, systemClock)
}

interface EngineParts extends Pick<CellOptions, 'settings' | 'clock' | 'log' | 'keepRetryable' | 'name'> {
  readonly store: Store
  readonly elsewhere: RemoteDelivery | undefined
  readonly onFatal: (error: unknown) => void
}

async function openEngine(parts: EngineParts): Promise<Engine> {
  const { settings, store, clock, log, onFatal, keepRetryable, name, elsewhere } = parts
  return await Engine.open({
    ...{ store, clock, onFatal },
    ...(name === undefined ? {} : { cell: name }),
    ...(elsewhere === undefined ? {} : { remoteDelivery: elsewhere }),
    eviction: { keep: settings.residentTransactions, keepRetryable, ...EVICTED },
    onActorFailed: ({ entry: { head }, error, quarantined }) => {
      log.error({ err: error, recordId: head.id, kind: head.kind, quarantined }, 'the state machine of a record threw')
    },
    onUndelivered: ({ sender, to, sequence }, error) =>
      log.error({ err: error, sender, to, sequence }, 'a message between tenants could not be delivered'),
  })
}

async function installFirstKey(settings: Settings, engine: Engine, log: Log): Promise<void> {
  const firstStart = engine.directory.entries().next().done === true
  const first = loadBootstrapKey(settings, firstStart)
  await bootstrap(engine, first?.key ?? null, { clock: systemClock, ids: randomUUID })
  if (first?.created === true) log.warn(`The first API key, which has every role, is in ${first.path ?? ''}`)
}

/** null: no archive is configured; the redo log of an earlier one is deleted. */
async function startArchive(settings: Settings, redo: Redo, log: Log): Promise<Archiver | null> {
  const { archiveDir: dir, archiveKey: key, dataDir, secretsDir } = settings
  if (dir === null) {
    await redo.end()
    return null
  }
  const { secrets, players } = dataLayout(dataDir)
  return await openArchive({
    redo,
    dir,
    sealing: key === null ? { kind: 'none' } : { kind: 'key', key: key.reveal() },
    release: releaseVersion(),
    secrets: secretsDir ?? secrets,
    players,
    now: () => systemClock.now(),
    newLine: () => randomBytes(8).toString('hex'),
    log,
  }).catch((error: unknown) => {
    throw error instanceof StoreError ? error : unusable(`HOLDFAST_ARCHIVE_DIR ${dir} cannot be used`, error)
  })
}

/** null: no cluster is embedded. */
export async function startChain(settings: Settings, archiveLine: string, log: Log): Promise<EmbeddedChain | null> {
  if (!settings.clusters.some(({ endpoints }) => endpoints === 'embedded')) return null
  return await startEmbeddedChain({
    ...configuredChain(settings),
    archiveLine,
    log,
    onFatal: (error) => endProcess(log, error, error.exitCode),
  })
}

/** Registers the cell's metrics for `GET /metrics`. */
function measure(
  metrics: Metrics,
  store: Store,
  clusters: readonly Cluster[],
  { platform, signingQueue, links, webhooks, reconciliation, listeners }: AssembledService,
): void {
  metrics.observed(
    'holdfast_webhook_lag_events',
    'Undelivered events of the webhook that is furthest behind',
    'gauge',
    () => webhooks?.lag ?? 0,
  )
  metrics.observed(
    'holdfast_outbox_messages',
    'Messages between tenants that are not delivered yet',
    'gauge',
    () => platform.engine.outbox.waiting,
  )
  metrics.observed(
    'holdfast_outbox_stuck',
    'Pairs of tenants whose next message cannot be applied: see the log',
    'gauge',
    () => platform.engine.outbox.stuck,
  )
  observeSigners(metrics, signingQueue)
  observeLanes(metrics, [...links.values()])
  observeComparison(metrics, reconciliation, listeners)
  observeStore(metrics, store)
  observeEndpoints(metrics, clusters)
  new RecordMetrics(platform.engine, systemClock).observe(metrics)
}

/** The checks of `GET /readyz`. A cluster counts as stalled when it produces no block for 15 s plus ten slot times. */
function monitorHealth(
  settings: Settings,
  store: Store,
  clusters: readonly Cluster[],
  { links }: AssembledService,
): HealthMonitor {
  const heartbeats = clusters.map((cluster, index) => {
    const slotMs = settings.clusters[index]?.endpoints === 'embedded' ? settings.embeddedSlotMs : 400
    return { id: cluster.id, slot: () => cluster.slot('confirmed'), stillMs: MIN_STILL_MS + 10 * slotMs }
  })
  const freeBytes = async (): Promise<number> => {
    const { bavail, bsize } = await statfs(settings.dataDir)
    return bavail * bsize
  }
  const health = new HealthMonitor({ clusters: heartbeats, lanes: links, store, freeBytes }, systemClock)
  health.start()
  return health
}

/** Ends the process. Without `exitCode`, the error determines the code. */
export function endProcess(log: Log, error: unknown, exitCode: number | undefined): never {
  log.fatal({ err: error }, 'the service stops after an unrecoverable error')
  process.exit(exitCode ?? exitCodeOf(error))
}

function exitCodeOf(error: unknown): number {
  for (const cause of causesOf(error)) {
    if (cause instanceof StaleEpoch) return EXIT_CODES.fenced
    if ('exitCode' in cause && typeof cause.exitCode === 'number') return cause.exitCode
  }
  return isUnreadable(error) ? EXIT_CODES.damaged : EXIT_CODES.failedWrite
}
