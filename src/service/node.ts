// Starts and stops one of several nodes of an installation. The process half serves HTTP and renews the lease; a cell
// half is open while this node owns the cell.
import { randomUUID } from 'node:crypto'
import { endProcess } from './cell.ts'
import { CellOwners } from './cell-owners.ts'
import { CellFinder, type CellLookups } from './cell-finder.ts'
import { releaseVersion } from '../config/release.ts'
import type { Settings } from '../config/settings.ts'
import { apiKeyKey, organizationKey } from '../engine/index/index-keys.ts'
import { startFront } from './front.ts'
import type { Installation } from './installation.ts'
import type { RestServer } from '../http/server.ts'
import { nodeSecretTag } from '../keys/node-secret-tag.ts'
import { Hops } from '../nodes/hop.ts'
import { Member } from '../nodes/member.ts'
import { NodeCells } from '../nodes/node-cells.ts'
import { apiOfCurrent } from './node-api.ts'
import { CellOfNode, type NodeCellOptions } from './node-cell.ts'
import { NodeHealth, observeNode, type CurrentMetrics } from '../nodes/node-health.ts'
import { Seals } from '../nodes/seal.ts'
import { MeasuringLoad } from '../operations/transactions/measuring-load.ts'
import { ProcessRates } from './process-rates.ts'
import { SharedFeeds } from '../rpc/shared-feeds.ts'
import { SharedQueues } from '../rpc/shared-queues.ts'
import { SharedTurns } from '../submission/shared-turns.ts'
import { openCellCount, openCells, renderAll, ServedCell } from './served-cell.ts'
import type { Site } from '../site/files.ts'
import { Metrics } from '../telemetry/metrics.ts'
import { observeProcess } from '../telemetry/process-metrics.ts'
import { startTracing } from '../telemetry/traces.ts'
import { systemClock } from '../time/clock.ts'
import type { AllCells } from '../../snapshots/postgres/open-names.ts'
import { MAIN_CELL, TABLES_VERSION } from '../../snapshots/postgres/schema.ts'

const GRACE_MS = 15_000

export interface NodeOptions extends NodeCellOptions {
  readonly nodeId: string
  readonly nodeSecret: string
  readonly site: Site | undefined
  /** For tests. False: only the fence of a commit stops a former owner. */
  readonly checksOwnLease?: boolean
}

export interface RunningNode {
  readonly url: string
  /** Rejects with `DatabaseUnreachable` if the database does not answer; the process must end then. */
  stop(): Promise<void>
}

export async function startNode(options: NodeOptions): Promise<RunningNode> {
  const { settings, installation, nodeId, nodeSecret, log, site, checksOwnLease = true } = options
  const { rows, pollRows, leaseMs, handsOver } = installation
  const clock = systemClock
  const onFatal = (error: Error): never => endProcess(log, error, undefined)
  const member = new Member({
    ...{ rows, pollRows, leaseMs, clock, log },
    me: { id: nodeId, incarnation: randomUUID() },
    release: releaseVersion(),
    reads: TABLES_VERSION,
    clusters: settings.clusters.map(({ id }) => id),
    ...secretTagOf(settings, nodeSecret),
    onReplaced: onFatal,
  })
  const hops = new Hops()
  const seals = new Seals(nodeSecret, () => clock.now())
  const cellOf = async (tenant: string) => cells.of(await finder.cellOf(tenant))
  const owners = new CellOwners({ node: nodeId, cellOf, hops, seals, clock, log })
  const front: { rest: RestServer | null } = { rest: null }
  const rates = ratesOf(member, () => openCellCount(cells))
  const measuringLoad = new MeasuringLoad(() => clock.elapsed())
  const shared = { queues: new SharedQueues(), feeds: new SharedFeeds(), turns: new SharedTurns(), measuringLoad }
  // True before any tenant is in another cell: a poll shows a new cell before a tenant can move to it.
  const hasNeighbours = (): boolean => (member.lastPoll?.cells.size ?? 1) > 1
  // While the lease is held and the last poll is fresh, no other node acts as the owner of a cell that is open here.
  const allCells = (): AllCells | null =>
    member.lease.isHeld && member.hasRecentPoll ? (member.lastPoll?.cells ?? null) : null
  const around = { front, owners, hasNeighbours, cells: allCells, rates, process: shared }
  const cells: NodeCells<CellOfNode> = new NodeCells({
    ...{ member, rows, leaseMs, clock, log, onFatal, checksOwnLease, handsOver },
    first: MAIN_CELL,
    hosts: () => true,
    runtimeOf: (cell, gatewayOf) => new CellOfNode(options, { cell, gatewayOf, ...around }),
  })
  const finder = finderIn(installation, settings)
  member.onPoll((lastPoll) => finder.seen(lastPoll.cells.values()))
  const served = new ServedCell(cells, finder)
  const metrics = new Metrics()
  const stopMeasuring = observeProcess(metrics)
  const stopTracing = settings.tracesUrl === null ? null : await startTracing(settings.tracesUrl, releaseVersion())
  const health = new NodeHealth({ member, cells: () => cells.all(), clock })
  observeNode(metrics, health)
  const currentMetrics: CurrentMetrics = {
    latencies: (...args) => metrics.latencies(...args),
    observed: (...args) => metrics.observed(...args),
    render: () => renderAll(metrics, cells),
  }
  const api = apiOfCurrent(
    () => served.api,
    () => health.readiness(openCells(cells).map(({ opened }) => opened.api.readiness())),
  )
  const { gatewayFor } = served
  const nodeGateway = { gateway: cells.first.gateway, seals, hops, gatewayFor, countersigned: owners.receive }
  const { rest, url } = await startFront(settings, { api, log, metrics: currentMetrics, site, nodeGateway })
  front.rest = rest
  await member.join(settings.nodeUrl ?? url)
  member.start()
  log.info({ node: nodeId, url: settings.nodeUrl ?? url }, 'this node has joined')
  return {
    url,
    async stop() {
      // Until the other nodes know the next owner they forward requests to this node, so its connections stay open
      // until then.
      if (await member.whileInReach(cells.stop())) await member.untilOthersHavePolled()
      await rest.stop(GRACE_MS)
      await member.stop()
      hops.close()
      stopMeasuring()
      await stopTracing?.()
      await installation.close()
    },
  }
}

/** Threads of one process draw their secret, and may have no master key. */
function secretTagOf({ store, masterKey }: Settings, nodeSecret: string): { secretTag?: string } {
  return store === 'level' || masterKey === null ? {} : { secretTag: nodeSecretTag(masterKey.reveal(), nodeSecret) }
}

function ratesOf(member: Member, openCount: () => number): ProcessRates {
  let ownedCount = 0
  member.onPoll(({ cells }) => {
    ownedCount = [...cells.values()].filter(({ owner }) => owner !== null).length
  })
  return new ProcessRates(() => {
    const here = openCount()
    // The last poll does not yet include cells that were opened after it.
    return { here, all: Math.max(here, ownedCount) }
  })
}

function finderIn(installation: Installation, { jwtIssuer, jwtClaims }: Settings): CellFinder {
  const homes: CellLookups = {
    tenantOfKey: (keyId) => installation.tenantOf(apiKeyKey(keyId)),
    tenantOfOrganization: (externalId) => installation.tenantOf(organizationKey(externalId)),
    cellOfTenant: (tenant) => installation.cellOfTenant(tenant),
  }
  return new CellFinder({
    homes,
    first: MAIN_CELL,
    organizationClaim: jwtIssuer === null ? null : jwtClaims.organization,
  })
}
