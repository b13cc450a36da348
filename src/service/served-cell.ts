// The cell that serves a request here: chosen at the door, and asked by everything behind it.
import { AsyncLocalStorage } from 'node:async_hooks'
import type { CellFinder, FoundCell } from './cell-finder.ts'
import { Refusal } from '../contract/refusal.ts'
import type { Asked, Doors } from '../http/door.ts'
import type { Api } from '../http/ports.ts'
import type { CellOfNode, OpenedCell } from './node-cell.ts'
import type { NodeCell, NodeCells } from '../nodes/node-cells.ts'
import { mergedMetrics } from '../telemetry/merged-metrics.ts'
import type { Metrics } from '../telemetry/metrics.ts'

type Cells = NodeCells<CellOfNode>

export class ServedCell {
  readonly #cells: Cells
  readonly #finder: CellFinder
  readonly #request = new AsyncLocalStorage<{ api: Api | null }>()

  constructor(cells: Cells, finder: CellFinder) {
    this.#cells = cells
    this.#finder = finder
  }

  /** Of the cell that serves the present request; outside of requests, and of one cell, the first. Null: not open. */
  get api(): Api | null {
    return this.#request.getStore()?.api ?? this.#cells.first.half.current?.api ?? null
  }

  /** While there is one cell, a request costs nothing more. */
  readonly around = (next: () => Promise<unknown>): Promise<unknown> =>
    this.#isAlone ? next() : this.#request.run({ api: null }, next)

  readonly doorsFor = (asked: Asked): Doors | Promise<Doors> =>
    this.#isAlone ? this.#cells.first.doors : this.#find(asked)

  get #isAlone(): boolean {
    let count = 0
    for (const _ of this.#cells.all()) count += 1
    return count === 1
  }

  async #find(asked: Asked): Promise<Doors> {
    const found = await this.#finder.find(asked).catch(() => null)
    if (found === null) throw away()
    const cell = this.#cells.of(found.cell)
    if (cell === undefined) throw away()
    return this.#doorsTo(cell, found)
  }

  /** The cell itself knows best whether it owns the tenant. */
  #doorsTo({ doors, half }: NodeCell<CellOfNode>, { tenant }: FoundCell): Doors {
    return {
      node: doors.node,
      get ownerLeftMs() {
        return doors.ownerLeftMs
      },
      where: () => doors.where(),
      refresh: async () => {
        if (tenant !== undefined) this.#finder.forget(tenant)
        await doors.refresh()
      },
      enter: () => {
        const leave = doors.enter()
        const opened = half.current
        if (leave === null || opened === null || (tenant !== undefined && !opened.cell.engine.owns(tenant))) {
          leave?.()
          return null
        }
        const request = this.#request.getStore()
        if (request !== undefined) request.api = opened.api
        return leave
      },
    }
  }
}

function away(): Refusal {
  const message = 'it is not known at this moment which node owns the data of the tenant'
  return new Refusal(503, [{ code: 'TENANT_UNAVAILABLE', message, retryable: true }], 1)
}

export function openCells(cells: Cells): { readonly name: string; readonly opened: OpenedCell }[] {
  return [...cells.all()].flatMap(({ tenure, half }) =>
    half.current === null ? [] : [{ name: tenure.cell, opened: half.current }],
  )
}

/** The metrics of the process and of its open cells, with the name of the cell if there are several. */
export async function renderAll(metrics: Metrics, cells: Cells): Promise<string> {
  const isAlone = [...cells.all()].length === 1
  const parts = openCells(cells).map(async ({ name, opened }) => ({
    labels: isAlone ? {} : { cell: name },
    text: await opened.metrics.render(),
  }))
  return mergedMetrics([{ labels: {}, text: await metrics.render() }, ...(await Promise.all(parts))])
}
