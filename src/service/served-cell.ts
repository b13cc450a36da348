// Selects the cell that serves a request on this node.
import type { CellFinder, FoundCell } from './cell-finder.ts'
import { Refusal } from '../contract/refusal.ts'
import type { GatewayRequest, RequestGateway } from '../http/node-gateway.ts'
import type { Api } from '../http/ports.ts'
import type { CellOfNode, OpenedCell } from './node-cell.ts'
import type { NodeCell, NodeCells } from '../nodes/node-cells.ts'
import { mergedMetrics } from '../telemetry/merged-metrics.ts'
import type { Metrics } from '../telemetry/metrics.ts'

type Cells = NodeCells<CellOfNode>

export class ServedCell {
  readonly #cells: Cells
  readonly #finder: CellFinder

  constructor(cells: Cells, finder: CellFinder) {
    this.#cells = cells
    this.#finder = finder
  }

  /** The interface of the first cell, which serves requests that concern no cell; null: it is not open. */
  get api(): Api | null {
    return this.#cells.first.runtime.current?.api ?? null
  }

  /** With one cell, a request has no overhead. */
  readonly gatewayFor = (request: GatewayRequest): RequestGateway | Promise<RequestGateway> =>
    this.#isAlone ? this.#cells.first.gateway : this.#find(request)

  get #isAlone(): boolean {
    let count = 0
    for (const _ of this.#cells.all()) count += 1
    return count === 1
  }

  async #find(request: GatewayRequest): Promise<RequestGateway> {
    const target = await this.#finder.find(request).catch(() => null)
    if (target === null) throw ownerUnknown()
    const cell = this.#cells.of(target.cell)
    if (cell === undefined) throw ownerUnknown()
    return this.#gatewayTo(cell, target)
  }

  /** The open cell checks that it owns the tenant, because the finder may be outdated. */
  #gatewayTo({ gateway, runtime }: NodeCell<CellOfNode>, { tenant }: FoundCell): RequestGateway {
    return {
      node: gateway.node,
      get ownerLeftMs() {
        return gateway.ownerLeftMs
      },
      where: () => gateway.where(),
      refresh: async () => {
        if (tenant !== undefined) this.#finder.forget(tenant)
        await gateway.refresh()
      },
      enter: (state) => {
        const leave = gateway.enter()
        const opened = runtime.current
        if (leave === null || opened === null || (tenant !== undefined && !opened.cell.engine.owns(tenant))) {
          leave?.()
          return null
        }
        state.api = opened.api
        return leave
      },
    }
  }
}

function ownerUnknown(): Refusal {
  const message = 'it is not known at this moment which node owns the data of the tenant'
  return new Refusal(503, [{ code: 'TENANT_UNAVAILABLE', message, retryable: true }], 1)
}

export function openCells(cells: Cells): { readonly name: string; readonly opened: OpenedCell }[] {
  return [...cells.all()].flatMap(({ ownership, runtime }) =>
    runtime.current === null ? [] : [{ name: ownership.cell, opened: runtime.current }],
  )
}

export function openCellCount(cells: Cells): number {
  let count = 0
  for (const { runtime } of cells.all()) if (runtime.current !== null) count += 1
  return count
}

/** The metrics of the process and of its open cells, with a `cell` label if there are several cells. */
export async function renderAll(metrics: Metrics, cells: Cells): Promise<string> {
  const isAlone = [...cells.all()].length === 1
  const parts = openCells(cells).map(async ({ name, opened }) => ({
    labels: isAlone ? {} : { cell: name },
    text: await opened.metrics.render(),
  }))
  return mergedMetrics([{ labels: {}, text: await metrics.render() }, ...(await Promise.all(parts))])
}
