// Starts and stops the service: the only file that knows all floors. Starts the parts from the lowest floor up and
// stops them from the top down.
import { randomBytes, randomUUID } from 'node:crypto'
import { statfs } from 'node:fs/promises'
import { assemble, knownGenesis, type Assembled } from './assemble.ts'
import { chainFeedsOf } from './rpc/chain-feeds.ts'
import { aheadClock, systemClock, type Clock } from './time/clock.ts'
import { clusterSettings, type ClusterSettings } from './rpc/cluster-settings.ts'
import { openCluster, type Cluster } from './rpc/cluster.ts'
import { startEmbeddedChain, type EmbeddedChain } from './embedded/embedded.ts'
import { chainChanges } from './embedded/changes.ts'
import { dataLayout } from './config/data-layout.ts'
import { childEnvironment } from './config/environment.ts'
import { CLUSTER_IDS } from './config/clusters.ts'
import { release } from './config/release.ts'
import { sandboxAheadMs } from './config/sandbox-time.ts'
import { SERVER_CAPS, tenantShareOf } from './config/server-caps.ts'
import { EXIT_CODES } from './config/exit-codes.ts'
import { bearerOf } from './config/lending-providers.ts'
import { exposureOf } from './config/exposure.ts'
import { loadBootstrapKey, openTls, prepareDataDir } from './config/secrets.ts'
import type { Settings } from './config/settings.ts'
import type { Site } from './site/files.ts'
import { portError, SettingsError } from './config/settings-error.ts'
import { openArchive, type Archiver } from './engine/backup/archiver.ts'
import { Engine } from './engine/engine.ts'
import { observeArchive, observeEndpoints, observeStore } from './engine/health/ground-metrics.ts'
import { observeLanes } from './engine/health/lane-metrics.ts'
import { observeReadiness } from './engine/health/readiness-metrics.ts'
import { RecordMetrics } from './engine/health/record-metrics.ts'
import { HealthMonitor } from './engine/health/health-monitor.ts'
import { ownerQuestions } from './http/owner-questions.ts'
import { openOwnerSocket, type OwnerSocket } from './http/owner-socket.ts'
import { createServer, type RestServer } from './http/server.ts'
import type { Api } from './http/ports.ts'
import { IssuerTokens } from './keys/issuer-tokens.ts'
import type { Custodians } from './keys/custodians/custodians.ts'
import { openAccountKeys } from './keys/open.ts'
import { bootstrap } from './operations/admin/bootstrap.ts'
import { EVICTED } from './operations/views/bulk/evicted.ts'
import { TokenCallers } from './operations/admin/token-callers.ts'
import { switchesOver } from './operations/views/read-models/switches.ts'
import { payerView } from './operations/payment-requests/payer-view.ts'
import { Refusals } from './operations/admin/refusals.ts'
import { observeComparison } from './operations/background/comparison-metrics.ts'
import { observeSigners } from './operations/background/signer-metrics.ts'
import { custodianAnswers } from './operations/signing/custodian-answers.ts'
import { Outbound } from './operations/context/outbound/outbound.ts'
import type { OutboundCaps } from './operations/context/outbound/shares.ts'
import { createLog, type Log } from './telemetry/log.ts'
import { Metrics } from './telemetry/metrics.ts'
import { observeProcess } from './telemetry/process-metrics.ts'
import { startTracing } from './telemetry/traces.ts'
import { StoreError } from '../snapshots/errors.ts'
import { openStore } from '../snapshots/level-store.ts'
import type { Store } from '../snapshots/store.ts'

const CLOCK_OFF =
  'the clock of this machine is off by more than a minute: set it; if it is right, its records were dated by a wrong clock: stop the service and run holdfast clock reset'
const GRACE_MS = 15_000
const LEAST_STILL_MS = 15_000
const LOCK_WAIT_MS = 10_000
/** How often to look for a rotation order of the master key. */
const ROTATION_LOOK_MS = 500
/** Approximate lag of the archive. */
const ARCHIVE_MS = 1_000

export interface Service {
  readonly url: string
  stop(): Promise<void>
}

/** Replacements of parts for tests, and access to the assembled service. */
export interface Bench {
  /** Adjusts limits and rates of the clusters. */
  readonly tune?: (settings: ClusterSettings) => ClusterSettings
  /** Replaces the wall clock; timers remain those of the machine. */
  readonly clock?: Clock
  readonly opened?: (assembled: Assembled) => void
  /** The pages that run in browsers; absent: the last build. */
  readonly site?: Site
}

export async function startService(
  settings: Settings,
  { tune = (usual) => usual, clock, opened, site }: Bench = {},
): Promise<Service> {
  const log = createLog({ level: settings.logLevel })
  const ownClock = aheadClock(sandboxAheadMs(settings))
  for (const warning of [...prepareDataDir(settings.dataDir), ...settings.warnings, ...exposureOf(settings)])
    log.warn(warning)
  const layout = dataLayout(settings.dataDir)
  const store = await openOwnStore(layout.store, log)
  const archive = await startArchive(settings, store, log)
  const kept = await openAccountKeys(settings, store, log)
  const { keys, ring, webhookSecrets } = kept
  kept.reportOrphans()
  const engine = await openEngine(settings, store, ownClock, log)
  await installFirstKey(settings, engine, log)

  const chain = settings.clusters.some(({ endpoints }) => endpoints === 'embedded')
    ? await startChain(settings, layout.chain, archive, log)
    : null
  const clusters = await openClusters(settings, chain, { store, log, tune })
  const service = await assemble({
    store,
    engine,
    clusters,
    keys,
    ring,
    webhookSecrets,
    clock: clock ?? ownClock,
    ids: randomUUID,
    limits: { maxFeeLamports: settings.maxFeeLamports },
    outbound: new Outbound(settings.outboundAllow),
    outboundCaps: outboundCapsOf(settings),
    lendingProviders: settings.lendingProviders.map((each) => ({ ...each, bearer: bearerOf(each) })),
    feeds: { refreshSeconds: settings.feedRefreshSeconds, staleSeconds: settings.feedStaleSeconds },
    chainFeeds: chainFeedsOf(settings.clusters, chain?.wsUrl ?? '', log),
    log,
  })
  opened?.(service)
  const metrics = new Metrics()
  const stopTracing = settings.tracesUrl === null ? null : await startTracing(settings.tracesUrl, release())
  const stopMeasuring = measure(metrics, store, clusters, service)
  if (chain !== null) archive?.follow((after) => chainChanges(layout.chainSocket, after))
  if (archive !== null) observeArchive(metrics, archive)
  const archiving = setInterval(() => void archive?.turn(), ARCHIVE_MS)
  const rotating = setInterval(() => kept.rotation.turn(), ROTATION_LOOK_MS)
  const health = monitorHealth(settings, store, clusters, service)
  observeReadiness(metrics, health, service.clock)
  const server = await startHttp(settings, service, { log, metrics, health: health, site, custodians: kept.custodians })
  const owner = await answerOwner(settings, { store, engine, chain, archive, log })
  return {
    url: server.url,
    async stop() {
      owner?.close()
      await server.rest.stop(GRACE_MS)
      await server.refusals.stop()
      health.stop()
      stopMeasuring()
      await stopTracing?.()
      await service.stop()
      clearInterval(rotating)
      clearInterval(archiving)
      kept.close()
      await archive?.stop()
      await store.close()
      await chain?.stop()
    },
  }
}

async function openOwnStore(path: string, log: Log): ReturnType<typeof openStore> {
  return await openStore({
    path,
    lockWaitMs: LOCK_WAIT_MS,
    onFatal: (error) => die(log, error, EXIT_CODES.failedWrite),
  })
}

function outboundCapsOf({ tenantShare }: Settings): OutboundCaps {
  const server = SERVER_CAPS.outboundRequests
  return { server, tenant: tenantShareOf(server, tenantShare) }
}

async function openEngine(settings: Settings, store: Store, clock: Clock, log: Log): Promise<Engine> {
  return await Engine.open({
    store,
    clock,
    onFatal: (error) => die(log, error, EXIT_CODES.failedWrite),
    retirement: { keep: settings.residentTransactions, ...EVICTED },
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

/** Null when no archive is configured; the log for an earlier one is then dropped. */
async function startArchive(
  settings: Settings,
  { redo }: Awaited<ReturnType<typeof openStore>>,
  log: Log,
): Promise<Archiver | null> {
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
    release: release(),
    secrets: secretsDir ?? secrets,
    players,
    now: () => systemClock.now(),
    newLine: () => randomBytes(8).toString('hex'),
    log,
  }).catch((error: unknown) => {
    throw error instanceof StoreError
      ? error
      : new SettingsError([`HOLDFAST_ARCHIVE_DIR ${dir} cannot be used: ${(error as Error).message}`])
  })
}

async function startChain(
  settings: Settings,
  dataDir: string,
  archive: Archiver | null,
  log: Log,
): Promise<EmbeddedChain> {
  return await startEmbeddedChain({
    host: settings.embeddedRpcHost,
    port: settings.embeddedRpcPort,
    dataDir,
    slotMs: settings.embeddedSlotMs,
    finalitySlots: settings.embeddedFinalitySlots,
    faults: settings.embeddedFaults,
    aheadMs: sandboxAheadMs(settings),
    given: { programs: settings.embeddedPrograms, accounts: settings.embeddedAccounts },
    archiveLine: archive?.line ?? '',
    environment: childEnvironment(),
    log,
    onFatal: (error) => die(log, error, error.exitCode),
  })
}

async function openClusters(
  settings: Settings,
  chain: EmbeddedChain | null,
  { store, log, tune }: { store: Store; log: Log; tune: (settings: ClusterSettings) => ClusterSettings },
): Promise<Cluster[]> {
  return await Promise.all(
    settings.clusters.map((cluster) => {
      const { id, endpoints } = cluster
      return openCluster({
        id,
        endpoints: endpoints === 'embedded' ? [chain?.rpcUrl ?? ''] : endpoints,
        settings: tune(clusterSettings({ ...settings, ...cluster, embedded: cluster.endpoints === 'embedded' })),
        clock: systemClock,
        genesisHash: knownGenesis(store, id),
        notice: ({ kind, endpoint, detail }) =>
          log[kind === 'RECOVERED' ? 'info' : 'warn']({ cluster: id, endpoint, notice: kind }, detail),
      })
    }),
  )
}

/** The metrics of `GET /metrics`. Returns a function that ends the measurement. */
function measure(
  metrics: Metrics,
  store: Store,
  clusters: readonly Cluster[],
  { platform, desk, links, webhooks, rounds, listeners }: Assembled,
): () => void {
  metrics.observed(
    'holdfast_webhook_lag_events',
    'Undelivered events of the webhook that is furthest behind',
    'gauge',
    () => webhooks?.lag ?? 0,
  )
  metrics.observed(
    'holdfast_outbox_letters',
    'Messages between tenants that are not delivered yet',
    'gauge',
    () => platform.engine.post.waiting,
  )
  observeSigners(metrics, desk)
  observeLanes(metrics, [...links.values()])
  observeComparison(metrics, rounds, listeners)
  observeStore(metrics, store)
  observeEndpoints(metrics, clusters)
  new RecordMetrics(platform.engine, systemClock).observe(metrics)
  return observeProcess(metrics)
}

/** The checks of `GET /readyz`. A cluster counts as stalled when it produces no block for 15 s plus ten slot times. */
function monitorHealth(
  settings: Settings,
  store: Store,
  clusters: readonly Cluster[],
  { links }: Assembled,
): HealthMonitor {
  const heartbeats = clusters.map((cluster, index) => {
    const slotMs = settings.clusters[index]?.endpoints === 'embedded' ? settings.embeddedSlotMs : 400
    return { id: cluster.id, slot: () => cluster.slot('confirmed'), stillMs: LEAST_STILL_MS + 10 * slotMs }
  })
  const freeBytes = async (): Promise<number> => {
    const { bavail, bsize } = await statfs(settings.dataDir)
    return bavail * bsize
  }
  const health = new HealthMonitor({ clusters: heartbeats, lanes: links, store, freeBytes }, systemClock)
  health.start()
  return health
}

async function startHttp(
  settings: Settings,
  { performer, access, clock, platform, events }: Assembled,
  {
    log,
    metrics,
    health: health,
    site,
    custodians,
  }: { log: Log; metrics: Metrics; health: HealthMonitor; site: Site | undefined; custodians: Custodians },
): Promise<{ rest: RestServer; refusals: Refusals; url: string }> {
  const tokens = tokenCallers(settings, platform.engine)
  const refusals = new Refusals(platform.engine, clock)
  const api: Api = {
    authenticate: (bearer) =>
      tokens !== null && TokenCallers.mayBe(bearer) ? tokens.authenticate(bearer) : access.authenticate(bearer),
    callFor: (caller, { cluster, overrideOrganization }) =>
      access.callContext(caller, { cluster, overrideOrganizationExternalId: overrideOrganization }),
    perform: (call, write, input) => performer.perform(call, write, input),
    read: (call, read, input) => performer.read(call, read, input),
    refused: (refused) => refusals.note(refused),
    events,
    switches: (caller) => switchesOver(platform, caller),
    payerView: (id) => payerView(platform.engine.directory, id),
    signerAnswers: custodianAnswers(custodians, platform.desk),
    readiness: () => {
      const off = clock.isOff()
      const told = off ? CLOCK_OFF : 'ok'
      return { ready: health.ready && !off, accepting: health.accepting, checks: { ...health.checks, clock: told } }
    },
  }
  const rest = createServer({
    api,
    log,
    metrics,
    ...(site === undefined ? {} : { served: site }),
    settings: {
      host: settings.host,
      port: settings.port,
      clusters: settings.clusters.map(({ id }) => id),
      rateLimit: settings.rateLimit,
      tenantShare: settings.tenantShare,
      responseWaitMs: settings.responseWaitMs,
      tls: openTls(settings),
      trustedProxy: settings.trustedProxy,
    },
  })
  const url = await rest.listen().catch((error: unknown) => {
    throw portError(settings, error as NodeJS.ErrnoException)
  })
  return { rest, refusals, url }
}

/** Null when no socket can be created in the data directory; the service runs without it. */
async function answerOwner(
  settings: Settings,
  {
    store,
    engine,
    chain,
    archive,
    log,
  }: { store: Store; engine: Engine; chain: EmbeddedChain | null; archive: Archiver | null; log: Log },
): Promise<OwnerSocket | null> {
  const { socket, secrets, players } = dataLayout(settings.dataDir)
  const ground = {
    store,
    engine,
    archive,
    release: release(),
    clusters: CLUSTER_IDS,
    chainIncluded: chain !== null,
    chainRpcUrl: chain?.rpcUrl ?? null,
    secrets: settings.secretsDir ?? secrets,
    players,
    now: () => systemClock.now(),
  }
  return await openOwnerSocket(socket, ownerQuestions(ground), log).catch((error: unknown) => {
    log.warn({ err: error }, `backups of the running service are unavailable: cannot listen on socket ${socket}`)
    return null
  })
}

/** Null: only API keys are accepted. */
function tokenCallers(settings: Settings, engine: Engine): TokenCallers | null {
  const { jwtIssuer: issuer, jwtAudience: audience, jwtAlgorithms: algorithms, jwtKeys, jwtClaims } = settings
  if (issuer === null || audience === null) return null
  const tokens = new IssuerTokens({ issuer, audience, algorithms, keys: jwtKeys ?? { kind: 'discovery' } }, () =>
    systemClock.now(),
  )
  return new TokenCallers(tokens, jwtClaims, engine, systemClock)
}

function die(log: Log, error: unknown, exitCode: number | undefined): never {
  log.fatal({ err: error }, 'the service stops after an unrecoverable error')
  process.exit(exitCode ?? EXIT_CODES.failure)
}
