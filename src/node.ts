// Starts and stops one of several nodes on a shared database. Its process half serves HTTP as a door and keeps the
// leases; the cell half is open while this node owns the cell.
import { randomUUID } from 'node:crypto'
import { die, openCell, type Cell, type CellOptions } from './cell.ts'
import { release } from './config/release.ts'
import type { Settings } from './config/settings.ts'
import { answerOwner, apiOf, startFront } from './front.ts'
import type { OwnerSocket } from './http/owner-socket.ts'
import type { Api } from './http/ports.ts'
import type { RestServer } from './http/server.ts'
import type { CellDoors } from './nodes/cell-doors.ts'
import { Hops } from './nodes/hop.ts'
import { Member } from './nodes/member.ts'
import { NodeCells } from './nodes/node-cells.ts'
import { apiOfCurrent } from './node-api.ts'
import { NodeRows } from './nodes/node-rows.ts'
import { NodeHealth, observeNode, type CurrentMetrics } from './nodes/node-health.ts'
import { Seals } from './nodes/seal.ts'
import type { Refusals } from './operations/admin/refusals.ts'
import type { Site } from './site/files.ts'
import type { Log } from './telemetry/log.ts'
import { Metrics } from './telemetry/metrics.ts'
import { observeProcess } from './telemetry/process-metrics.ts'
import { startTracing } from './telemetry/traces.ts'
import { systemClock } from './time/clock.ts'
import type { Database } from '../snapshots/postgres/database.ts'
import { openPostgresStore } from '../snapshots/postgres/postgres-store.ts'
import { MAIN_CELL, TABLES_VERSION } from '../snapshots/postgres/schema.ts'

const GRACE_MS = 15_000
/** Open requests end within this before the cell is closed for a hand-over. */
const HAND_OVER_GRACE_MS = 4_000
/** Of one statement on the tables of nodes; a lease outlasts two of them. */
const LONGEST_BOUND_MS = 2_000

export interface NodeOptions extends Pick<CellOptions, 'clock' | 'testClock' | 'tune' | 'opened'> {
  readonly settings: Settings
  readonly nodeId: string
  readonly nodeSecret: string
  readonly log: Log
  readonly site: Site | undefined
  /** Connections to the database, checked; the caller of this function closes them. */
  readonly openDatabase: () => Promise<Database>
  /** For tests: false: only the fence of a commit shows that another node owns the cell. */
  readonly checksOwnLease?: boolean
}

export interface RunningNode {
  readonly url: string
  stop(): Promise<void>
}

interface OpenedCell {
  readonly cell: Cell
  readonly api: Api
  readonly refusals: Refusals
  readonly owner: OwnerSocket | null
  readonly metrics: Metrics
}

export async function startNode(options: NodeOptions): Promise<RunningNode> {
  const { settings, nodeId, nodeSecret, log, site, checksOwnLease = true } = options
  const { leaseMs } = settings
  const clock = systemClock
  const database = await options.openDatabase()
  const boundMs = Math.min(LONGEST_BOUND_MS, leaseMs / 2)
  const [lane, lookLane] = [database.lane(), database.lane()]
  const rows = new NodeRows(lane, boundMs)
  const onFatal = (error: Error): never => die(log, error, undefined)
  const member = new Member({
    ...{ rows, leaseMs, clock, log },
    looks: new NodeRows(lookLane, boundMs),
    me: { id: nodeId, incarnation: randomUUID() },
    release: release(),
    reads: TABLES_VERSION,
    onReplaced: onFatal,
  })
  const front: { rest: RestServer | null } = { rest: null }
  const cells = new NodeCells({
    ...{ member, rows, leaseMs, clock, log, onFatal, checksOwnLease },
    first: MAIN_CELL,
    // The engine of another cell would take the tenants of this one for its own.
    hosts: (cell) => cell === MAIN_CELL,
    halfOf: (cell, doorsOf) => new CellOfNode(options, { cell, doorsOf, front }),
  })
  const { half, doors } = cells.first
  const hops = new Hops()
  const metrics = new Metrics()
  const stopMeasuring = observeProcess(metrics)
  const stopTracing = settings.tracesUrl === null ? null : await startTracing(settings.tracesUrl, release())
  const health = new NodeHealth({ member, cells: () => cells.all(), clock })
  observeNode(metrics, health)
  const shown: CurrentMetrics = {
    latencies: (...given) => metrics.latencies(...given),
    observed: (...given) => metrics.observed(...given),
    render: async () => (await metrics.render()) + ((await half.current?.metrics.render()) ?? ''),
  }
  const api = apiOfCurrent(
    () => half.current?.api ?? null,
    () => health.readiness([...cells.all()].flatMap((each) => each.half.current?.api.readiness() ?? [])),
  )
  const seals = new Seals(nodeSecret, () => clock.now())
  const { rest, url } = await startFront(settings, { api, log, metrics: shown, site, door: { doors, seals, hops } })
  front.rest = rest
  await member.join(settings.nodeUrl ?? url)
  member.start()
  log.info({ node: nodeId, url: settings.nodeUrl ?? url }, 'this node has joined')
  return {
    url,
    async stop() {
      await cells.stop()
      await rest.stop(GRACE_MS)
      await member.stop()
      hops.close()
      stopMeasuring()
      await stopTracing?.()
      for (const each of [lane, lookLane]) each.destroy()
      database.close()
    },
  }
}

interface CellPlace {
  readonly cell: string
  readonly doorsOf: () => CellDoors
  /** Null: HTTP is not served yet. */
  readonly front: { readonly rest: RestServer | null }
}

/** The cell half of a node, opened and closed as the ownership comes and goes. */
class CellOfNode {
  readonly #options: NodeOptions
  readonly #place: CellPlace
  current: OpenedCell | null = null

  constructor(options: NodeOptions, place: CellPlace) {
    this.#options = options
    this.#place = place
  }

  async open(epoch: number): Promise<void> {
    const { settings, log, tune, openDatabase } = this.#options
    const { cell: name, doorsOf } = this.#place
    const metrics = new Metrics()
    const cell = await openCell({
      ...this.#options,
      metrics,
      tune: (usual) => {
        const tuned = tune(usual)
        return { ...tuned, lanes: { ...tuned.lanes, maySend: () => doorsOf().mayAct } }
      },
      openStore: async (onFatal) => {
        const database = await openDatabase()
        const store = openPostgresStore({ database, cell: name, claim: () => Promise.resolve(epoch), onFatal })
        await store.claim()
        return { store, redo: null }
      },
    })
    const { api, refusals } = apiOf(settings, cell)
    this.current = { cell, api, refusals, metrics, owner: await answerOwner(settings, cell, log) }
  }

  async close(): Promise<void> {
    const opened = this.current
    if (opened === null) return
    const { cell, refusals, owner } = opened
    this.#place.front.rest?.endStreams()
    cell.engine.waiters.end()
    await this.#place.doorsOf().idle(HAND_OVER_GRACE_MS)
    owner?.close()
    await refusals.stop()
    await cell.stop()
    this.current = null
  }
}
