// Assembles an open store, clusters and keys into a service that performs operations, without HTTP. Time, randomness
// and ids are parameters, so that the same parts run in production and in the simulator.
import { ClusterAccess } from '../submission/access.ts'
import type { Clock, Timer } from '../time/clock.ts'
import type { Cluster } from '../rpc/cluster.ts'
import { openLink, type LinkListener } from '../submission/link.ts'
import type { SharedTurns } from '../submission/shared-turns.ts'
import type { Feed } from '../rpc/chain-feed.ts'
import { ServiceClock, startOf } from '../time/service-clock.ts'
import { ClockCorrection, latestOnChain } from '../time/clock-correction.ts'
import type { ClusterLink } from '../submission/submission.ts'
import { checkGenesis } from './chains.ts'
import { resumeDrivers } from './drivers.ts'
import { suspendRestored } from './restored.ts'
import { Undo } from './undo.ts'
import { ChainFacts } from '../engine/settlement/chain-facts.ts'
import type { Engine } from '../engine/engine.ts'
import { followSuspensions } from '../engine/lane-switches.ts'
import { lastInstant, resumeOpen } from '../engine/settlement/recovery.ts'
import type { KeyRing } from '../keys/keyring.ts'
import { escrowVault } from '../lending/escrow-vault.ts'
import { httpProvider, type ProviderSettings } from '../lending/http-provider.ts'
import { Access } from '../operations/admin/authenticate.ts'
import { checkpointSigner } from '../operations/admin/checkpoint-key.ts'
import { EngineEventLog } from '../operations/events/log.ts'
import type { EventLog } from '../contract/event-record.ts'
import { Dispatcher } from '../operations/webhooks/dispatcher.ts'
import type { WebhookSecrets } from '../keys/webhook-secret.ts'
import { withCounterparties } from '../operations/events/counterparty-names.ts'
import { eventsOfChange } from '../operations/events/events-of-change.ts'
import { Performer } from '../operations/transactions/perform.ts'
import { LaneReview } from '../operations/background/lane-review.ts'
import { Lapses } from '../operations/background/lapse.ts'
import { guardedFetch } from '../operations/market-data/guarded-fetch.ts'
import { FeedRefresher } from '../operations/market-data/refresher.ts'
import { NetworkListener, type OpenFeed } from '../operations/background/listener.ts'
import { NonceMaintainer } from '../operations/nonces/maintainer.ts'
import { BackgroundReconciliation } from '../operations/background/reconciliation.ts'
import { OpenWork } from '../operations/background/open-work.ts'
import { TransactionMeasurer } from '../operations/transactions/measure.ts'
import { MeasuringLoad } from '../operations/transactions/measuring-load.ts'
import { PLAN_STEPS } from '../operations/background/plan-purposes.ts'
import type { Platform } from '../operations/context/platform.ts'
import { reconcileNoticed } from '../operations/reconcile/reconcile.ts'
import { SigningQueue } from '../operations/transactions/signing/signing-queue.ts'
import { deliveryShares, type OutboundShares } from '../operations/context/outbound/shares.ts'
import { JobOracle } from '../oracle/oracle.ts'
import type { Store } from '../../snapshots/store.ts'

/** Interval at which observations without a commit of their own are flushed and idle keys are dropped. */
const TIDY_MS = 1_000
/** Interval at which a grown audit log is signed. */
const SEAL_MS = 60_000
const RECONCILED_AT_ONCE = 100

export interface AssemblyParts {
  readonly store: Store
  /** The engine on `store`. */
  readonly engine: Engine
  readonly clusters: readonly Cluster[]
  readonly keys: Platform['keys']
  readonly ring: KeyRing
  readonly clock: Clock
  /** Generates UUIDs. */
  readonly ids: () => string
  readonly limits: Platform['limits']
  readonly outbound?: NonNullable<Platform['outbound']>
  /** Process-wide limits of concurrent outbound requests. Absent: no limit. */
  readonly outboundShares?: OutboundShares
  /** Shared by all cells of the process. Absent: this is its only cell. */
  readonly measuringLoad?: MeasuringLoad | undefined
  /** Absent: as many as any batch may have. */
  readonly distributionBatchItems?: number | undefined
  /** Lending providers in addition to the built-in protocol, called through `outbound`. */
  readonly lendingProviders?: readonly ProviderSettings[]
  readonly webhookSecrets?: WebhookSecrets
  readonly otherCells?: NonNullable<Platform['otherCells']>
  readonly ownersElsewhere?: NonNullable<Platform['otherCellOwners']>
  readonly mayAct?: NonNullable<Platform['mayAct']>
  /** With `refreshSeconds` 0, feeds are refreshed only on request. */
  readonly feeds?: { readonly refreshSeconds: number; readonly staleSeconds: number }
  readonly log: ServiceLog
  /** Subscriptions by cluster. Without them, reconciliation and status polling are only periodic. */
  readonly chainFeeds?: ReadonlyMap<string, Feed>
  /** Shared by all cells of the process. Absent: this is its only cell. */
  readonly turns?: SharedTurns | undefined
  /** Replaces the link to a cluster: for tests that inject faults. */
  readonly openLink?: typeof openLink
}

export interface ServiceLog {
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
  error(fields: object, message: string): void
}

export interface AssembledService {
  readonly platform: Platform
  readonly performer: Performer
  readonly access: Access
  readonly events: EventLog
  readonly signingQueue: Pick<SigningQueue, 'waiting' | 'answerCounts'>
  /** null: the parts that webhooks need are absent. */
  readonly webhooks: Pick<Dispatcher, 'lag'> | null
  readonly links: ReadonlyMap<string, ClusterLink>
  readonly reconciliation: readonly BackgroundReconciliation[]
  readonly listeners: readonly NetworkListener[]
  /** The work that keeps the cell from being idle. */
  readonly work: OpenWork
  /** The clock of time windows and approvals. */
  readonly clock: Pick<ServiceClock, 'now' | 'isOff' | 'elapsed' | 'setTimeout' | 'clearTimeout' | 'soon'>
  /** Closes the clusters and flushes the engine. The store stays open. */
  stop(): Promise<void>
}

const loadBy = (clock: ServiceClock): MeasuringLoad => new MeasuringLoad(() => clock.elapsed())

/**
 * Assembles the service and resumes every open transaction. Rejects with SettingsError if a cluster id now points to a
 * different chain.
 *
 * @param undo stops what runs already, if a row that is read later is damaged
 */
export async function assemble(parts: AssemblyParts, undo = new Undo()): Promise<AssembledService> {
  const { store, engine, clusters, ring, log } = parts
  await checkGenesis(store, clusters)
  const clock = await startClock(parts)
  await prepareEngine(parts, clock)
  const facts = new ChainFacts(engine, log)
  const links = new Map(clusters.map((cluster) => [cluster.id, linkOf(parts, clock, cluster, facts)]))
  undo.add(() => Promise.all([...links.values()].map((link) => link.close())))
  const signingQueue = undo.stopping(new SigningQueue(clock, log))
  const events = new EngineEventLog(engine)
  const platform = platformOf(parts, { clock, links, signingQueue, events })
  const laneReview = undo.stopping(new LaneReview(platform, clock, log))
  await resumeWork(parts, links, laneReview, () => signingQueue.open(platform))
  const drivers = resumeDrivers(platform, { ...parts, clock, undo })
  const lapses = new Lapses(engine, clock, log)
  const correction = new ClockCorrection(clock, parts.clock, clusters, log)
  const measuring = new TransactionMeasurer(engine, platform.clusters, parts.measuringLoad ?? loadBy(clock), log)

  const maintainers = clusters.map((cluster) => maintainerOf(cluster, platform, clock, log))
  const feedRefreshers = refreshersOf(parts, platform, clock)
  const reconciliation = clusters.map(
    ({ id, settings }) => new BackgroundReconciliation(platform, id, settings.comparison, { clock, log }),
  )
  const listeners = clusters.flatMap((cluster) => listenerOf(parts, cluster, platform))
  const rounds = [...maintainers, ...feedRefreshers, ...reconciliation, ...listeners]
  for (const each of rounds) undo.stopping(each).start()

  const webhooks = startDelivering(parts, platform, { clock, undo })

  const stopTidying = every(clock, TIDY_MS, () => {
    correction.turn()
    ring.sweep()
    engine.readModel.sweep()
    lapses.sweep()
    drivers.schedules.sweep()
    drivers.payments.sweep()
    measuring.turn()
    if (engine.outbox.waiting > 0) engine.outbox.deliver()
    // A failed write has already ended the process.
    engine.flush().catch(() => undefined)
    reconcileInBackground(platform, log)
  })
  const stopSealing = every(clock, SEAL_MS, () => {
    engine.sealAudit().catch(() => undefined)
  })
  return {
    platform,
    performer: new Performer(platform),
    access: new Access(engine, parts.clock),
    events,
    signingQueue,
    webhooks,
    links,
    reconciliation,
    listeners,
    work: new OpenWork(platform, { signingQueue, feedRefreshers, maintainers }),
    clock,
    async stop() {
      stopTidying()
      stopSealing()
      signingQueue.stop()
      await webhooks?.stop()
      await laneReview.stop()
      await drivers.stop()
      await Promise.all(rounds.map((each) => each.stop()))
      await Promise.all([measuring.stop(), correction.stop()])
      await Promise.all([...links.values()].map((link) => link.close()))
      await Promise.all(clusters.map((cluster) => cluster.close()))
      await engine.stop()
      await engine.sealAudit()
    },
  }
}

/**
 * If the cluster of a record does not answer, the record is reconciled when a later fact marks it again or when its
 * balance is requested.
 */
function reconcileInBackground(platform: Platform, log: ServiceLog): void {
  reconcileNoticed(platform, RECONCILED_AT_ONCE).catch((error: unknown) =>
    log.warn({ err: error }, 'reconciliation failed'),
  )
}

async function prepareEngine(parts: AssemblyParts, clock: ServiceClock): Promise<void> {
  const { store, engine, keys, log } = parts
  engine.journal.useEventSource(withCounterparties(engine.directory, eventsOfChange))
  // Tenant messages left undelivered by a crash are delivered before any new work.
  engine.outbox.deliver()
  if (engine.outbox.waiting > 0)
    log.warn({ waiting: engine.outbox.waiting }, 'messages between tenants are not delivered yet')
  engine.journal.audit.signBy(await checkpointSigner(store, keys))
  await engine.sealAudit()
  await suspendRestored({ ...parts, clock })
}

/** Resumes the work that was open when the last process ended. */
async function resumeWork(
  { engine, log }: AssemblyParts,
  links: ReadonlyMap<string, ClusterLink>,
  laneReview: LaneReview,
  openSigningQueue: () => Promise<number>,
): Promise<void> {
  const review = (cluster: string, transactionIds: readonly string[]) => laneReview.begin(cluster, transactionIds)
  const suspensions = followSuspensions(engine, links, log, review)
  if (suspensions > 0) log.warn({ suspensions }, 'submission lanes are suspended')
  const resumed = await resumeOpen(engine, links, review)
  if (resumed > 0) log.info({ resumed }, 'resumed watching open transactions')
  const asking = await openSigningQueue()
  if (asking > 0) log.info({ asking }, 'resumed requests to remote signers')
}

interface PlatformParts {
  readonly clock: ServiceClock
  readonly links: ReadonlyMap<string, ClusterLink>
  readonly signingQueue: SigningQueue
  readonly events: EventLog
}

function platformOf(parts: AssemblyParts, { clock, links, signingQueue, events }: PlatformParts): Platform {
  const {
    engine,
    clusters,
    keys,
    ids,
    limits,
    outbound,
    outboundShares,
    webhookSecrets,
    otherCells,
    ownersElsewhere,
    mayAct,
    feeds,
    log,
  } = parts
  return {
    engine,
    planSteps: PLAN_STEPS,
    clusters: new Map(clusters.map((cluster) => [cluster.id, new ClusterAccess(cluster, linkTo(links, cluster.id))])),
    keys,
    signingQueue,
    clock,
    ids,
    lending: lendingOf(parts),
    limits,
    events,
    ...(webhookSecrets === undefined ? {} : { webhookSecrets }),
    ...(otherCells === undefined ? {} : { otherCells }),
    ...(ownersElsewhere === undefined ? {} : { otherCellOwners: ownersElsewhere }),
    ...(mayAct === undefined ? {} : { mayAct }),
    ...(outbound === undefined ? {} : { outbound, oracle: oracleOf(outbound, clock) }),
    ...(outboundShares === undefined ? {} : { outboundShares }),
    ...(feeds === undefined ? {} : { feedStaleSeconds: feeds.staleSeconds }),
    log,
  }
}

function refreshersOf({ clusters, feeds, log }: AssemblyParts, platform: Platform, clock: Clock): FeedRefresher[] {
  const refreshMs = (feeds?.refreshSeconds ?? 0) * 1_000
  return clusters.map(({ id }) => new FeedRefresher(platform, id, refreshMs, { clock, log }))
}

function startDelivering(
  parts: AssemblyParts,
  platform: Platform,
  { clock, undo }: { readonly clock: ServiceClock; readonly undo: Undo },
): Dispatcher | null {
  const webhooks = dispatcherOf(parts, platform, clock)
  if (webhooks !== null) undo.stopping(webhooks)
  const delivering = webhooks?.start() ?? 0
  if (delivering > 0) parts.log.info({ delivering }, 'resumed webhook deliveries')
  return webhooks
}

/** null: the parts that webhooks need are absent. */
function dispatcherOf(
  { engine, outbound, webhookSecrets, log }: AssemblyParts,
  { events, outboundShares }: Platform,
  clock: ServiceClock,
): Dispatcher | null {
  if (outbound === undefined || webhookSecrets === undefined || events === undefined) return null
  return new Dispatcher({
    engine,
    events,
    outbound,
    secrets: webhookSecrets,
    clock,
    log,
    permits: outboundShares?.deliveries ?? deliveryShares(null),
  })
}

/**
 * Starts the service clock at the later of the last recorded time and the time of the chains. From then
 * on it dates movements.
 */
async function startClock({ engine, clusters, clock, log }: AssemblyParts): Promise<ServiceClock> {
  const chainMs = await latestOnChain(clusters, clock)
  const started = new ServiceClock(clock, startOf(clock.now(), lastInstant(engine), chainMs))
  engine.movements.log.datedBy(started)
  if (started.isOff())
    log.error(
      { serviceClock: new Date(started.now()).toISOString() },
      'the clock of this machine is wrong: debits are refused',
    )
  return started
}

function linkOf(
  { log, chainFeeds, turns, openLink: open = openLink }: AssemblyParts,
  clock: Clock,
  cluster: Cluster,
  facts: ChainFacts,
): ClusterLink {
  const listener: LinkListener = {
    onFacts: (reported) => facts.take(reported),
    onAlarm: (alarm) =>
      log.error({ ...alarm, cluster: cluster.id }, 'an RPC endpoint returned a signature of a different transaction'),
  }
  return open(cluster, clock, listener, { feed: chainFeeds?.get(cluster.id), lastTurn: turns?.of(cluster.id) })
}

function maintainerOf({ id, settings }: Cluster, platform: Platform, clock: Clock, log: ServiceLog): NonceMaintainer {
  const { slowestProofMs, progressMs } = settings.watch
  return new NonceMaintainer(platform, id, { sweepMs: slowestProofMs, urgentMs: progressMs }, { clock, log })
}

function lendingOf({ outbound, lendingProviders = [] }: AssemblyParts): NonNullable<Platform['lending']> {
  const providers =
    outbound === undefined ? [] : lendingProviders.map((each) => httpProvider(each, guardedFetch(outbound)))
  return new Map([escrowVault, ...providers].map((each) => [each.name, each]))
}

function oracleOf(outbound: NonNullable<Platform['outbound']>, clock: Clock): JobOracle {
  const unixSeconds = (): number => Math.floor(clock.now() / 1_000)
  const soon = (callback: () => void): void => clock.soon(callback)
  return new JobOracle({ fetch: guardedFetch(outbound), unixSeconds, elapsedMs: () => clock.elapsed(), soon })
}

function listenerOf(
  { chainFeeds, clock, log }: AssemblyParts,
  { id, settings, pool }: Cluster,
  platform: Platform,
): NetworkListener[] {
  const feed = chainFeeds?.get(id)
  if (feed === undefined) return []
  // Ignores slots that the cluster cannot have reached yet, so that a wrong slot is not waited for.
  const bounded: OpenFeed = (listener) => {
    feed.onAccount((address, slot, value) =>
      listener(address, pool.pace.isPossibleSlot(slot, clock.elapsed()) ? slot : 0, value),
    )
    return feed
  }
  return [new NetworkListener(platform, id, bounded, { pace: settings.comparison, clock, log })]
}

function linkTo(links: ReadonlyMap<string, ClusterLink>, id: string): ClusterLink {
  const link = links.get(id)
  if (link === undefined) throw new Error(`no link to ${id}`)
  return link
}

/** Runs `work` periodically until the returned function is called. */
function every(clock: Clock, delayMs: number, work: () => void): () => void {
  let timer: Timer
  const plan = (): void => {
    timer = clock.setTimeout(() => {
      plan()
      work()
    }, delayMs)
  }
  plan()
  return () => clock.clearTimeout(timer)
}
