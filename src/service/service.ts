// Starts and stops the service. The only file that uses all layers. With one process it opens the cell, then listens.
import { aheadClock, type Clock } from '../time/clock.ts'
import type { AssembledService } from './assemble.ts'
import { refuseOtherChains } from './chains.ts'
import { endProcess, openCell, outboundSharesOf } from './cell.ts'
import { nodeIdentity } from '../config/node-settings.ts'
import { exposureOf } from '../config/exposure.ts'
import { dataLayout } from '../config/data-layout.ts'
import { EXIT_CODES } from '../config/exit-codes.ts'
import { releaseVersion } from '../config/release.ts'
import { sandboxAheadMs } from '../config/sandbox-time.ts'
import { prepareDataDir } from '../config/secrets.ts'
import { openSharedDatabase } from '../config/shared-database.ts'
import type { Settings } from '../config/settings.ts'
import { answerOwner, apiOf, startFront } from './front.ts'
import type { Installation } from './installation.ts'
import { becomeOneCell } from './level-cells.ts'
import type { ClusterSettings } from '../rpc/cluster-settings.ts'
import type { Site } from '../site/files.ts'
import { createLog, type Log } from '../telemetry/log.ts'
import { Metrics } from '../telemetry/metrics.ts'
import { observeProcess } from '../telemetry/process-metrics.ts'
import { startTracing } from '../telemetry/traces.ts'
import type { FirstThread, ThreadSeat } from './threads.ts'
import { openStore } from '../../snapshots/level-store.ts'
import type { Store } from '../../snapshots/store.ts'

const GRACE_MS = 15_000
const LOCK_WAIT_MS = 10_000

export interface Service {
  readonly url: string
  /** If threads run the cells of a data directory, and this is the first thread: what the others need from it. */
  readonly threads?: Pick<FirstThread, 'seat' | 'close'>
  stop(): Promise<void>
}

/** Replacements of parts for tests, and access to the assembled service. */
export interface Bench {
  /** For several nodes. False: only the fence of a commit stops a former owner. */
  readonly checksOwnLease?: boolean
  /** Adjusts limits and rates of the clusters. */
  readonly tune?: (settings: ClusterSettings) => ClusterSettings
  /** Replaces the wall clock; timers remain those of the machine. */
  readonly clock?: Clock
  readonly opened?: (assembled: AssembledService) => void
  /** Maximum number of records of failed batches that stay in memory. */
  readonly keepRetryable?: number
  /** Wraps the store, for tests with another kind of store. */
  readonly aroundStore?: (store: Store) => Store
  /** The browser pages. Absent: the last build. */
  readonly site?: Site
  /** For a thread that is not the first: the data from the first thread. */
  readonly seat?: ThreadSeat
}

export async function startService(
  settings: Settings,
  { tune = (usual) => usual, aroundStore = (own) => own, site, checksOwnLease, seat, ...bench }: Bench = {},
): Promise<Service> {
  const { clock, opened, keepRetryable } = bench
  const log = createLog({ level: settings.logLevel })
  const ownClock = aheadClock(sandboxAheadMs(settings))
  for (const warning of [...prepareDataDir(settings.dataDir), ...settings.warnings, ...exposureOf(settings)])
    log.warn(warning)
  const common = {
    ...{ settings, log, tune, outboundShares: outboundSharesOf(settings) },
    clock: ownClock,
    ...(clock === undefined ? {} : { testClock: clock }),
    ...(opened === undefined ? {} : { opened }),
    ...(keepRetryable === undefined ? {} : { keepRetryable }),
  }
  if (settings.store !== 'level') {
    const { startNode } = await import('./node.ts')
    const identity = nodeIdentity(settings)
    const installation = await openInstallation(settings, log)
    const checks = checksOwnLease === undefined ? {} : { checksOwnLease }
    return await startNode({ ...common, ...identity, ...checks, site, installation })
  }
  if (settings.workers > 1 || seat !== undefined) {
    const { startFirstThread, startNextThread } = await import('./threads.ts')
    if (seat !== undefined) return await startNextThread({ ...common, site }, seat)
    const threads = await startFirstThread({ ...common, site })
    return { url: threads.url, threads, stop: () => threads.stop() }
  }
  await becomeOneCell(settings.dataDir, LOCK_WAIT_MS)
  const metrics = new Metrics()
  const cell = await openCell({
    ...{ ...common, metrics },
    openStore: async () => {
      const opened = await openOwnStore(settings, log)
      return { ...opened, store: aroundStore(opened.store) }
    },
  })
  const stopMeasuring = observeProcess(metrics)
  const stopTracing = settings.tracesUrl === null ? null : await startTracing(settings.tracesUrl, releaseVersion())
  const { api, refusals } = apiOf(settings, cell, log)
  const front = await startFront(settings, { api, log, metrics, site })
  const owner = await answerOwner(settings, cell, log)
  return {
    url: front.url,
    async stop() {
      owner?.close()
      await front.rest.stop(GRACE_MS)
      await refusals.stop()
      stopMeasuring()
      await stopTracing?.()
      await cell.stop()
    },
  }
}

/** Compares what the installation has in common. Rejects with SettingsError. */
async function openInstallation(settings: Settings, log: Log): Promise<Installation> {
  const { postgresInstallation } = await import('./postgres-installation.ts')
  const installation = postgresInstallation(await openSharedDatabase(settings, log), settings.leaseMs)
  try {
    await refuseOtherChains(settings, (name) => installation.fact(name))
    return installation
  } catch (error) {
    await installation.close()
    throw error
  }
}

async function openOwnStore({ dataDir }: Settings, log: Log) {
  const store = await openStore({
    path: dataLayout(dataDir).store,
    lockWaitMs: LOCK_WAIT_MS,
    onFatal: (error) => endProcess(log, error, EXIT_CODES.failedWrite),
  })
  return { store, redo: store.redo }
}
