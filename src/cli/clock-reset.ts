// `clock reset`: sets the time of a stopped service back to that of its machine, if a wrong clock has dated records in
// the future. Setting the time back never frees a debit limit early: debits with a later date count until the windows
// after their date have passed. If the machine's clock is wrong itself, a later correction forward would free limits
// early. Therefore a cluster must confirm the machine's clock.
import { randomUUID } from 'node:crypto'
import { isDatabase } from '../../snapshots/whole-directory.ts'
import { openStore } from '../../snapshots/level-store.ts'
import type { Store } from '../../snapshots/store.ts'
import { dataLayout } from '../config/data-layout.ts'
import { EXIT_CODES } from '../config/exit-codes.ts'
import { SettingsError } from '../config/settings-error.ts'
import type { Settings } from '../config/settings.ts'
import { SYSTEM_TENANT } from '../contract/tenancy.ts'
import { startBriefly } from '../embedded/configured.ts'
import { Engine } from '../engine/engine.ts'
import { CLOCK_RESET, type ClockReset } from '../engine/settlement/clock-reset.ts'
import { lastInstant } from '../engine/settlement/recovery.ts'
import { REMOTE_CLUSTER } from '../rpc/cluster-settings.ts'
import { openCluster } from '../rpc/cluster.ts'
import { systemClock, type Clock } from '../time/clock.ts'
import { timeOnChain, TOLERATED_MS } from '../time/service-clock.ts'
import { refuseSeveralCells } from '../service/level-cells.ts'
import { CommandFailed } from './command-failed.ts'

export interface ClockReport {
  /** ISO 8601. */
  readonly from: string
  readonly to: string
}

const ACTION = 'holdfast clock reset'

/**
 * Rejects with CommandFailed if there is nothing to reset, or no cluster confirms the clock of the machine, and with
 * SettingsError for a store in a database.
 */
export async function resetClock(settings: Settings, clock: Clock = systemClock): Promise<ClockReport> {
  if (settings.store !== 'level')
    throw new SettingsError([
      'HOLDFAST_STORE=postgres:// does not allow clock reset: see "The clock is off" in the runbook',
    ])
  refuseSeveralCells(settings.dataDir, 'clock reset')
  const { store: path } = dataLayout(settings.dataDir)
  if (!isDatabase(path)) throw new CommandFailed(`${settings.dataDir} contains no store`, EXIT_CODES.unavailable)
  const fatal = (error: Error): never => {
    throw error
  }
  const store = await openStore({ path, onFatal: fatal }).catch((error: unknown) => {
    if (error instanceof Error && error.name === 'StoreLocked') {
      throw new CommandFailed(`the service runs on ${settings.dataDir}: stop it first`, EXIT_CODES.dataHeld)
    }
    throw error
  })
  try {
    const engine = await Engine.open({ store, clock })
    const reset = await checkReset(settings, engine, clock)
    await putBackChain(settings)
    await record(engine, reset)
    await engine.stop()
    return { from: iso(reset.beforeMs), to: iso(reset.atMs) }
  } finally {
    await store.close()
  }
}

const iso = (ms: number): string => new Date(ms).toISOString()

async function checkReset(settings: Settings, engine: Engine, clock: Clock): Promise<ClockReset> {
  const last = lastInstant(engine)
  const nowMs = clock.now()
  if (last === null || last - nowMs <= TOLERATED_MS) {
    throw new CommandFailed(
      'there is nothing to reset: no record is dated later than the clock of this machine',
      EXIT_CODES.failure,
    )
  }
  for (const { id, endpoints } of settings.clusters) {
    if (endpoints === 'embedded') continue
    const offMs = await offBy(id, endpoints, engine.store, clock)
    if (offMs === null) {
      throw new CommandFailed(
        `${id} does not answer, so the clock of this machine cannot be checked: try again when it does`,
        EXIT_CODES.unavailable,
      )
    }
    if (Math.abs(offMs) > TOLERATED_MS) {
      const seconds = Math.round(Math.abs(offMs) / 1000)
      const side = offMs > 0 ? 'ahead of' : 'behind'
      throw new CommandFailed(
        `the clock of this machine is ${seconds} s ${side} the time of ${id}, and a wrong clock could open the window of a debit limit: set it right first`,
        EXIT_CODES.failure,
      )
    }
  }
  return { atMs: nowMs, beforeMs: last }
}

type Endpoints = Exclude<Settings['clusters'][number]['endpoints'], 'embedded'>

/** Milliseconds by which the machine is ahead of the cluster; null: the cluster does not report its time. */
async function offBy(
  id: string,
  endpoints: Endpoints,
  store: Pick<Store, 'meta'>,
  clock: Clock,
): Promise<number | null> {
  const genesisHash = store.meta(`genesis:${id}`) as string | undefined
  const cluster = await openCluster({ id, endpoints, settings: REMOTE_CLUSTER, clock, genesisHash }).catch(() => null)
  if (cluster === null) return null
  try {
    const timeMs = await timeOnChain(cluster, clock)
    return timeMs === null ? null : clock.now() - timeMs
  } finally {
    await cluster.close()
  }
}

/** Resets the time of the embedded chain, which came from the same clock. */
async function putBackChain(settings: Settings): Promise<void> {
  const isEmbedded = settings.clusters.some(({ endpoints }) => endpoints === 'embedded')
  if (!isEmbedded || !isDatabase(dataLayout(settings.dataDir).chain)) return
  const chain = await startBriefly(settings, { putsBackTime: true })
  await chain.stop()
}

async function record(engine: Engine, reset: ClockReset): Promise<void> {
  const resource = { kind: null, onchainId: null, offchainId: null }
  await engine.transact((unit) => {
    unit.also(SYSTEM_TENANT, { type: 'meta', name: CLOCK_RESET, value: reset })
    unit.audit({
      tenant: SYSTEM_TENANT,
      keyId: 'owner',
      action: ACTION,
      outcome: 'DONE',
      resource,
      requestId: randomUUID(),
    })
  }).durable
}
