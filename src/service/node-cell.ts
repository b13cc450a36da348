// The cell half of a node: open while the node owns the cell.
import { openCell, type Cell, type CellOptions } from './cell.ts'
import type { Settings } from '../config/settings.ts'
import { observeRetries } from '../engine/health/store-metrics.ts'
import { answerOwner, apiOf } from './front.ts'
import type { OwnerSocket } from '../http/owner-socket.ts'
import type { Api } from '../http/ports.ts'
import type { RestServer } from '../http/server.ts'
import { Idleness } from './idleness.ts'
import type { Installation } from './installation.ts'
import { neighboursOf, type Neighbours } from './neighbours.ts'
import type { CellGateway } from '../nodes/cell-gateway.ts'
import { OpeningStopped } from '../nodes/errors.ts'
import type { CellRest } from '../nodes/node-rows.ts'
import type { Platform } from '../operations/context/platform.ts'
import type { Refusals } from '../operations/admin/refusals.ts'
import type { ProcessRates } from './process-rates.ts'
import { waitForSuspensions } from './restored.ts'
import type { Log } from '../telemetry/log.ts'
import { Metrics } from '../telemetry/metrics.ts'
import { systemClock } from '../time/clock.ts'
import type { AllCells } from '../../snapshots/postgres/open-names.ts'
import { MAIN_CELL } from '../../snapshots/postgres/schema.ts'

/** How long a hand-over waits for open requests before the cell is closed. */
const HAND_OVER_GRACE_MS = 4_000

export interface NodeCellOptions extends Pick<
  CellOptions,
  'clock' | 'testClock' | 'tune' | 'opened' | 'chain' | 'outboundShares'
> {
  readonly settings: Settings
  readonly log: Log
  readonly installation: Installation
}

export interface OpenedCell {
  readonly cell: Cell
  readonly api: Api
  readonly refusals: Refusals
  readonly owner: OwnerSocket | null
  readonly metrics: Metrics
  /** null: the cell is never released as idle. */
  readonly idleness: Idleness | null
}

interface CellPlace {
  readonly cell: string
  readonly gatewayOf: () => CellGateway
  /** `rest` is null before HTTP is served. */
  readonly front: { readonly rest: RestServer | null }
  readonly owners: NonNullable<Platform['otherCellOwners']>
  /** True while there are other cells. */
  readonly hasNeighbours: () => boolean
  readonly cells: () => AllCells | null
  /** Rate limits of the clusters, shared by all cells of the process. */
  readonly rates: ProcessRates
  readonly process: NonNullable<CellOptions['process']>
}

interface StoreUse {
  readonly metrics: Metrics
  readonly onFatal: (error: Error) => void
  readonly stopping: AbortSignal
}

export class CellOfNode {
  readonly #options: NodeCellOptions
  readonly #place: CellPlace
  #neighbours: Neighbours | null = null
  #findLoss: (() => Promise<Error | null>) | null = null
  current: OpenedCell | null = null

  constructor(options: NodeCellOptions, place: CellPlace) {
    this.#options = options
    this.#place = place
  }

  async open(epoch: number, stopping: AbortSignal): Promise<void> {
    const { settings, log, tune } = this.#options
    const { cell: name, gatewayOf, owners, rates, process } = this.#place
    const metrics = new Metrics()
    const mayAct = (): boolean => gatewayOf().mayAct
    const cell = await openCell({
      ...this.#options,
      ...(name === MAIN_CELL ? {} : { name }),
      ...{ metrics, process },
      ownersElsewhere: owners,
      mayAct,
      tune: (usual, cluster) => rates.shared(tune(usual, cluster), { cluster, mayAct }),
      openStore: async (onFatal) => await this.#openStore(epoch, { metrics, onFatal, stopping }),
    }).catch((error: unknown) => {
      this.#forget()
      throw error
    })
    const { api, refusals } = apiOf(settings, cell, log)
    // The socket answers for the service as a whole.
    const isAnswering = name === MAIN_CELL && this.#options.installation.answersOwner
    const owner = isAnswering ? await answerOwner(settings, cell, log) : null
    this.current = { cell, api, refusals, metrics, owner, idleness: this.#idlenessOf(cell) }
  }

  /** Must also run while the cell is being opened: other cells may have changed records since it read them. */
  async catchUp(): Promise<void> {
    await this.#neighbours?.catchUp()
  }

  async findLoss(): Promise<Error | null> {
    return (await this.#findLoss?.()) ?? null
  }

  isIdle(): boolean {
    return this.current?.idleness?.isIdle ?? false
  }

  async closeIdle(): Promise<CellRest | null> {
    const idleness = this.current?.idleness ?? null
    await this.close()
    return (await idleness?.rest()) ?? null
  }

  async close(): Promise<void> {
    const opened = this.current
    if (opened === null) return
    const { cell, refusals, owner } = opened
    const endStreams = (): void => this.#place.front.rest?.endStreams((tenant) => cell.engine.owns(tenant))
    endStreams()
    cell.engine.waiters.end()
    await this.#place.gatewayOf().idle(HAND_OVER_GRACE_MS)
    // Those of requests that were open until now.
    endStreams()
    owner?.close()
    await refusals.stop()
    await cell.stop()
    this.current = null
    this.#forget()
  }

  #forget(): void {
    this.#neighbours = null
    this.#findLoss = null
  }

  /** The first cell is never idle, because every cell follows SYSTEM, which is in it. */
  #idlenessOf({ engine, assembled: { work, clock } }: Cell): Idleness | null {
    const { settings, log } = this.#options
    const { cell: name, gatewayOf, front } = this.#place
    if (settings.cellIdleSeconds === 0 || name === MAIN_CELL) return null
    return new Idleness({
      ...{ work, clock: systemClock },
      now: () => clock.now(),
      idleMs: settings.cellIdleSeconds * 1_000,
      quietMs: () => gatewayOf().quietMs,
      hasStreams: () => front.rest?.hasStreams((tenant) => engine.owns(tenant)) ?? false,
      failed: (error) => log.error({ err: error, cell: name }, 'the search for open work of the cell failed'),
    })
  }

  /** The first cell suspends sending after a restore. Whatever another one sent before would not be held back. */
  async #suspended(stopping: AbortSignal): Promise<void> {
    const { cell } = this.#place
    if (cell === MAIN_CELL) return
    const { installation, settings, log } = this.#options
    const { clusters } = settings
    await waitForSuspensions({ fact: (name) => installation.fact(name), clusters, cell, log }, stopping)
  }

  async #openStore(epoch: number, { metrics, onFatal, stopping }: StoreUse) {
    const { cell, hasNeighbours, cells } = this.#place
    const { installation, log } = this.#options
    const claimed = { cell, epoch, hasNeighbours, cells, onFatal, stopping }
    const opening = this.#suspended(stopping)
      .then(() => installation.openCell(claimed))
      .catch((error: unknown) => {
        throw stopping.aborted ? new OpeningStopped(error) : error
      })
    const { store, reads, retries, findLoss = null } = await opening
    this.#findLoss = findLoss
    if (retries !== undefined) observeRetries(metrics, retries)
    try {
      const neighbours = await neighboursOf({ reads, cell, tenants: await store.tenants(), log })
      this.#neighbours = neighbours
      return { store, redo: null, neighbours }
    } catch (error) {
      await store.close()
      throw error
    }
  }
}
