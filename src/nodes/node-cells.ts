// The cells of this node: an ownership and gateway for every cell in the tables.
import { CellGateway } from './cell-gateway.ts'
import { CellOwnership, type CellRuntime, type CellOwnershipOptions } from './cell-ownership.ts'

export interface NodeCell<Runtime extends CellRuntime> {
  readonly ownership: CellOwnership
  readonly gateway: CellGateway
  readonly runtime: Runtime
}

export interface NodeCellsOptions<Runtime extends CellRuntime> extends Omit<CellOwnershipOptions, 'cell' | 'runtime'> {
  /** The cell that exists before the first poll. */
  readonly first: string
  /** False: this node neither claims the cell nor forwards requests to its owner. */
  readonly hosts: (cell: string) => boolean
  readonly runtimeOf: (cell: string, gateway: () => CellGateway) => Runtime
}

export class NodeCells<Runtime extends CellRuntime> {
  readonly #options: NodeCellsOptions<Runtime>
  readonly #cells = new Map<string, NodeCell<Runtime>>()
  readonly first: NodeCell<Runtime>
  #stopped = false

  constructor(options: NodeCellsOptions<Runtime>) {
    this.#options = options
    this.first = this.#add(options.first)
    options.member.onPoll(({ cells }) => {
      for (const cell of cells.keys())
        if (!this.#stopped && !this.#cells.has(cell) && options.hosts(cell)) this.#add(cell)
    })
  }

  /** The cells in the order in which polls first showed them. */
  all(): Iterable<NodeCell<Runtime>> {
    return this.#cells.values()
  }

  /** undefined: no poll has shown the cell. */
  of(cell: string): NodeCell<Runtime> | undefined {
    return this.#cells.get(cell)
  }

  /** Hands over all cells of this node. Afterwards it claims none. Returns whether another node gets one. */
  async stop(): Promise<boolean> {
    this.#stopped = true
    const handed = await Promise.all([...this.#cells.values()].map(({ ownership }) => ownership.stop()))
    return handed.includes(true)
  }

  /** An ownership that is added during a poll also processes its result. */
  #add(cell: string): NodeCell<Runtime> {
    const { member, clock, checksOwnLease = true } = this.#options
    const runtime = this.#options.runtimeOf(cell, () => gateway)
    const ownership = new CellOwnership({ ...this.#options, cell, runtime })
    const gateway: CellGateway = new CellGateway(member, ownership, { clock, checksOwnLease })
    const added = { ownership, gateway, runtime }
    this.#cells.set(cell, added)
    return added
  }
}
