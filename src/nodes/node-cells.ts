// The cells of this node: a tenure and doors for every cell in the tables.
import { CellDoors } from './cell-doors.ts'
import { Tenure, type CellHalf, type TenureOptions } from './tenure.ts'

export interface NodeCell<Half extends CellHalf> {
  readonly tenure: Tenure
  readonly doors: CellDoors
  readonly half: Half
}

export interface NodeCellsOptions<Half extends CellHalf> extends Omit<TenureOptions, 'cell' | 'half'> {
  /** The cell that exists before the first poll. */
  readonly first: string
  /** False: this node neither claims the cell nor forwards requests to its owner. */
  readonly hosts: (cell: string) => boolean
  readonly halfOf: (cell: string, doors: () => CellDoors) => Half
}

export class NodeCells<Half extends CellHalf> {
  readonly #options: NodeCellsOptions<Half>
  readonly #cells = new Map<string, NodeCell<Half>>()
  readonly first: NodeCell<Half>
  #stopped = false

  constructor(options: NodeCellsOptions<Half>) {
    this.#options = options
    this.first = this.#add(options.first)
    options.member.onLook(({ cells }) => {
      for (const cell of cells.keys())
        if (!this.#stopped && !this.#cells.has(cell) && options.hosts(cell)) this.#add(cell)
    })
  }

  /** The cells in the order in which polls first showed them. */
  all(): Iterable<NodeCell<Half>> {
    return this.#cells.values()
  }

  /** undefined: no poll has shown the cell. */
  of(cell: string): NodeCell<Half> | undefined {
    return this.#cells.get(cell)
  }

  /** Hands over all cells of this node. Afterwards it claims none. Returns whether another node gets one. */
  async stop(): Promise<boolean> {
    this.#stopped = true
    const handed = await Promise.all([...this.#cells.values()].map(({ tenure }) => tenure.stop()))
    return handed.includes(true)
  }

  /** A tenure that is added during a poll also processes its result. */
  #add(cell: string): NodeCell<Half> {
    const { member, clock, checksOwnLease = true } = this.#options
    const half = this.#options.halfOf(cell, () => doors)
    const tenure = new Tenure({ ...this.#options, cell, half })
    const doors: CellDoors = new CellDoors(member, tenure, { clock, checksOwnLease })
    const added = { tenure, doors, half }
    this.#cells.set(cell, added)
    return added
  }
}
