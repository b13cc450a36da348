// Puts the parts together: the only place that knows all floors. Starts them from the ground up, stops them from the top down.
import { ClusterAccess } from './chain/access.ts'
import { systemClock } from './chain/clock.ts'
import { EMBEDDED_CLUSTER, REMOTE_CLUSTER } from './chain/cluster-settings.ts'
import { openCluster, type Cluster } from './chain/cluster.ts'
import { startEmbeddedChain, type EmbeddedChain } from './chain/embedded.ts'
import { openLink } from './chain/link.ts'
import type { ClusterLink } from './chain/submission.ts'
import { dataLayout } from './config/data-layout.ts'
import { childEnvironment } from './config/environment.ts'
import { EXIT_CODES } from './config/exit-codes.ts'
import { loadBootstrapKey, openMasterKey, prepareDataDir } from './config/secrets.ts'
import { SettingsError } from './config/settings-error.ts'
import type { Settings } from './config/settings.ts'
import { ChainFacts } from './engine/chain-facts.ts'
import { Engine } from './engine/engine.ts'
import { resumeOpen } from './engine/recovery.ts'
import { createServer, type RestServer } from './http/server.ts'
import type { Api } from './http/ports.ts'
import { AccountKeys } from './keys/account-keys.ts'
import { KeyRing } from './keys/keyring.ts'
import { Vault } from './keys/vault.ts'
import { Access } from './operations/access/authenticate.ts'
import { bootstrap } from './operations/access/bootstrap.ts'
import { Performer } from './operations/perform.ts'
import type { Platform } from './operations/platform.ts'
import { reconcileNoticed } from './operations/reconcile.ts'
import { createLog, type Log } from './telemetry/log.ts'
import { Metrics } from './telemetry/metrics.ts'
import { openStore } from '../snapshots/level-store.ts'
import type { Store } from '../snapshots/store.ts'

const GRACE_MS = 15_000
const LOCK_WAIT_MS = 10_000
/** Observations that no commit carried are written this often; idle keys are dropped. */
const TIDY_MS = 1_000
const RECONCILED_AT_ONCE = 100

export interface Service {
  readonly url: string
  stop(): Promise<void>
}

export async function startService(settings: Settings): Promise<Service> {
  const log = createLog({ level: settings.logLevel })
  prepareDataDir(settings.dataDir)
  const layout = dataLayout(settings.dataDir)
  const store = await openStore({
    path: layout.store,
    lockWaitMs: LOCK_WAIT_MS,
    onFatal: (error) => die(log, error, EXIT_CODES.failedWrite),
  })
  const platformKeys = await openKeys(settings, store, log)
  const engine = await Engine.open({ store, onFatal: (error) => die(log, error, EXIT_CODES.failedWrite) })
  const clock = { now: () => Date.now() }
  await installFirstKey(settings, engine, clock, log)

  const chain = settings.clusters.some(({ endpoints }) => endpoints === 'embedded') ? await startChain(settings, layout.chain, log) : null
  const facts = new ChainFacts(engine, log)
  const clusters = await openClusters(settings, chain)
  await checkGenesis(store, clusters)
  const links = new Map(clusters.map((cluster) => [cluster.id, linkOf(cluster, facts, log)]))
  const platform: Platform = {
    engine,
    clusters: new Map(clusters.map((cluster) => [cluster.id, new ClusterAccess(cluster, linked(links, cluster.id))])),
    keys: platformKeys.keys,
    clock,
    limits: { maxFeeLamports: settings.maxFeeLamports },
  }
  const resumed = resumeOpen(engine, links)
  if (resumed > 0) log.info({ resumed }, 'open transactions are watched again')

  const tidy = setInterval(() => {
    platformKeys.ring.sweep()
    // A failed write has ended the process already.
    engine.flush().catch(() => undefined)
    // A cluster that does not answer is asked again when a fact notices the record once more, or somebody asks for its balance.
    reconcileNoticed(platform, RECONCILED_AT_ONCE).catch((error: unknown) => log.warn({ err: error }, 'books could not be reconciled'))
  }, TIDY_MS)
  const server = await startHttp(settings, platform, new Access(engine, clock), log)
  return {
    url: server.url,
    async stop() {
      clearInterval(tidy)
      await server.rest.stop(GRACE_MS)
      await Promise.all([...links.values()].map((link) => link.close()))
      await Promise.all(clusters.map((cluster) => cluster.close()))
      await engine.flush()
      await store.close()
      await chain?.stop()
    },
  }
}

async function openKeys(settings: Settings, store: Store, log: Log): Promise<{ keys: AccountKeys; ring: KeyRing }> {
  const { key, check, warnings } = openMasterKey(settings, store.meta('masterKeyCheck') as string | undefined)
  for (const warning of warnings) log.warn(warning)
  await store.commit([{ tenant: 'SYSTEM', epoch: 1, ops: [{ type: 'meta', name: 'masterKeyCheck', value: check }] }])
  const vault = new Vault(key)
  const ring = new KeyRing({ vault, read: (tenant, cluster, id) => store.secret(tenant, cluster, id) })
  return { keys: new AccountKeys(vault, ring), ring }
}

async function installFirstKey(settings: Settings, engine: Engine, clock: { now(): number }, log: Log): Promise<void> {
  const firstStart = engine.directory.entries().next().done === true
  const first = loadBootstrapKey(settings, firstStart)
  await bootstrap(engine, first?.key ?? null, clock)
  if (first?.created === true) log.warn(`The first API key, with every role, is in ${first.path ?? ''}`)
}

async function startChain(settings: Settings, dataDir: string, log: Log): Promise<EmbeddedChain> {
  return await startEmbeddedChain({
    host: settings.host,
    port: settings.embeddedRpcPort,
    dataDir,
    slotMs: settings.embeddedSlotMs,
    finalitySlots: settings.embeddedFinalitySlots,
    faults: settings.embeddedFaults,
    environment: childEnvironment(),
    log,
    onFatal: (error) => die(log, error, error.exitCode),
  })
}

async function openClusters(settings: Settings, chain: EmbeddedChain | null): Promise<Cluster[]> {
  return await Promise.all(
    settings.clusters.map(({ id, endpoints }) => {
      const embedded = endpoints === 'embedded'
      const urls = embedded ? [chain?.rpcUrl ?? ''] : endpoints
      return openCluster({ id, endpoints: urls, settings: embedded ? EMBEDDED_CLUSTER : REMOTE_CLUSTER, clock: systemClock })
    }),
  )
}

/** A cluster id stands for one chain for ever: records of one must never be settled by another. */
async function checkGenesis(store: Store, clusters: readonly Cluster[]): Promise<void> {
  for (const { id, genesisHash } of clusters) {
    const name = `genesis:${id}`
    const known = store.meta(name)
    if (known === undefined) await store.commit([{ tenant: 'SYSTEM', epoch: 1, ops: [{ type: 'meta', name, value: genesisHash }] }])
    else if (known !== genesisHash)
      throw new SettingsError([`HOLDFAST_CLUSTERS: ${id} is another chain than before (its genesis hash differs from the stored one)`])
  }
}

function linkOf(cluster: Cluster, facts: ChainFacts, log: Log): ClusterLink {
  return openLink(cluster, systemClock, {
    onFacts: (reported) => facts.take(reported),
    onAlarm: (alarm) =>
      log.error({ ...alarm, cluster: cluster.id }, "an RPC endpoint answered with a signature that is not the transaction's"),
  })
}

function linked(links: ReadonlyMap<string, ClusterLink>, id: string): ClusterLink {
  const link = links.get(id)
  if (link === undefined) throw new Error(`no link to ${id}`)
  return link
}

async function startHttp(settings: Settings, platform: Platform, access: Access, log: Log): Promise<{ rest: RestServer; url: string }> {
  const performer = new Performer(platform)
  const api: Api = {
    authenticate: (bearer) => access.authenticate(bearer),
    callFor: (caller, { cluster, overrideOrganization }) =>
      access.callContext(caller, { cluster, overrideOrganizationExternalId: overrideOrganization }),
    perform: (call, write, input) => performer.perform(call, write, input),
    read: (call, read, input) => performer.read(call, read, input),
    readiness: () => ({ ready: true, checks: { store: 'ok' } }),
  }
  const rest = createServer({
    api,
    log,
    metrics: new Metrics(),
    settings: {
      host: settings.host,
      port: settings.port,
      clusters: settings.clusters.map(({ id }) => id),
      rateLimit: settings.rateLimit,
      responseWaitMs: settings.responseWaitMs,
      trustedProxy: settings.trustedProxy,
    },
  })
  return { rest, url: await rest.listen() }
}

function die(log: Log, error: unknown, exitCode: number | undefined): never {
  log.fatal({ err: error }, 'the service cannot go on')
  process.exit(exitCode ?? EXIT_CODES.failure)
}
