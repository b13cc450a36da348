// The cells on this node: a tenure, and doors, for every cell that the tables name.
import { CellDoors } from './cell-doors.ts'
import { Tenure, type CellHalf, type TenureOptions } from './tenure.ts'

export interface NodeCell<Half extends CellHalf> {
  readonly tenure: Tenure
  readonly doors: CellDoors
  readonly half: Half
}

export interface NodeCellsOptions<Half extends CellHalf> extends Omit<TenureOptions, 'cell' | 'half'> {
  /** The cell that is there from the beginning, before the tables were seen. */
  readonly first: string
  /** False: this node neither claims such a cell nor leads to it. */
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

  /** In the order in which they were first seen. */
  all(): Iterable<NodeCell<Half>> {
    return this.#cells.values()
  }

  /** undefined: no such cell was seen. */
  of(cell: string): NodeCell<Half> | undefined {
    return this.#cells.get(cell)
  }

  /** Hands over what this node owns, and claims nothing any more. */
  async stop(): Promise<void> {
    this.#stopped = true
    await Promise.all([...this.#cells.values()].map(({ tenure }) => tenure.stop()))
  }

  /** A tenure that is added during a look takes part in it. */
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
