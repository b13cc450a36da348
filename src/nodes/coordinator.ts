// Coordinates the threads of one process, each of which is a node: the owner of each cell, the claims of cells, and the
// changes that each cell has applied. It runs in the first thread; the others call it over a port. Its state may be
// lost with the process, because all threads end together. Only the epoch of a cell must be durable; it is in the
// cell's directory.
import { setTimeout as sleep } from 'node:timers/promises'
import type { CellCoordinator, CellOwner, CommonRow } from '../../snapshots/cells/coordinator.ts'

type Value = string | number | null
type Row = readonly (string | null)[]

/** Leases of threads never expire. */
const LEASE_LEFT_MS = '3600000'
const POLL_MS = 25

/** The calls of a thread: the statements of `NodeRows` by name, and the methods for cells. */
export interface Coordinator extends CellCoordinator {
  nodeRows(statement: string, values: readonly Value[]): Promise<readonly Row[]>
}

/** Names of the methods that can be called over a port. */
export const QUESTIONS = [
  'nodeRows',
  'settle',
  'takeClaims',
  'leaveClaims',
  'rowsChanged',
  'changesAfter',
  'lastChangeOf',
  'acknowledge',
  'cellsBehind',
] as const satisfies readonly (keyof Coordinator)[]

interface KnownNode {
  readonly id: string
  readonly incarnation: string
  readonly url: string
  readonly release: string
  readonly reads: string
}

interface KnownCell {
  readonly cell: string
  /** The only node that may own it. */
  readonly home: string
  epoch: number
  owner: KnownNode | null
}

interface Claim extends CellOwner {
  readonly token: string
}

export interface CoordinatedCell {
  readonly cell: string
  /** Epoch of the last write. */
  readonly epoch: number
}

export class ThreadCoordinator implements Coordinator {
  /** The disk of the first cell, which the thread of this coordinator owns; null: it is not open yet. */
  settler: Pick<CellCoordinator, 'settle'> | null = null
  readonly #nodes = new Map<string, KnownNode>()
  readonly #cells: ReadonlyMap<string, KnownCell>
  readonly #claims = new Map<string, Claim>()
  /** Number of the last change of each row of the followed tenant. */
  readonly #changes = new Map<string, number>()
  #lastChange = 0
  readonly #acknowledged = new Map<string, CellOwner & { readonly change: number }>()

  /**
   * @param cells all cells, beginning with the first cell
   * @param nodes ids of all threads, which get the cells in turn
   */
  constructor(cells: readonly CoordinatedCell[], nodes: readonly string[]) {
    this.#cells = new Map(
      cells.map(({ cell, epoch }, at) => [cell, { cell, epoch, home: nodes[at % nodes.length]!, owner: null }]),
    )
  }

  nodeRows(statement: string, values: readonly Value[]): Promise<readonly Row[]> {
    return Promise.resolve(this.#answer(statement, values.map(String)))
  }

  async settle(rows: readonly CommonRow[]): Promise<void> {
    while (this.settler === null) await sleep(POLL_MS)
    await this.settler.settle(rows)
  }

  takeClaims(owner: CellOwner, names: readonly string[], token: string): Promise<readonly string[]> {
    if (this.#cells.get(owner.cell)?.epoch !== owner.epoch) return Promise.resolve([])
    const taken = names.filter((name) => this.#isFree(name, owner))
    for (const name of taken) this.#claims.set(name, { ...owner, token })
    return Promise.resolve(taken)
  }

  leaveClaims(token: string): Promise<void> {
    for (const [name, claim] of this.#claims) if (claim.token === token) this.#claims.delete(name)
    return Promise.resolve()
  }

  rowsChanged(keys: readonly string[]): Promise<void> {
    this.#lastChange += 1
    for (const key of keys) this.#changes.set(key, this.#lastChange)
    return Promise.resolve()
  }

  changesAfter(change: number): Promise<{ readonly change: number; readonly keys: readonly string[] }> {
    const isCurrent = change >= this.#lastChange
    const keys = isCurrent ? [] : [...this.#changes].filter(([, at]) => at > change).map(([key]) => key)
    return Promise.resolve({ change: this.#lastChange, keys })
  }

  lastChangeOf(keys: readonly string[]): Promise<number> {
    return Promise.resolve(Math.max(0, ...keys.map((key) => this.#changes.get(key) ?? 0)))
  }

  acknowledge(owner: CellOwner, change: number): Promise<void> {
    const last = this.#acknowledged.get(owner.cell)
    if (last === undefined || last.epoch < owner.epoch || last.change < change)
      this.#acknowledged.set(owner.cell, { ...owner, change })
    return Promise.resolve()
  }

  cellsBehind(cell: string, change: number): Promise<readonly string[]> {
    const behind = [...this.#cells.values()].filter((each) => {
      if (each.cell === cell || each.owner === null) return false
      const last = this.#acknowledged.get(each.cell)
      return last?.epoch !== each.epoch || last.change < change
    })
    return Promise.resolve(behind.map((each) => each.cell))
  }

  #isFree(name: string, { cell }: CellOwner): boolean {
    const claim = this.#claims.get(name)
    return claim === undefined || claim.cell === cell || this.#cells.get(claim.cell)?.epoch !== claim.epoch
  }

  #answer(statement: string, [first = '', second = '', third = '', ...rest]: readonly string[]): readonly Row[] {
    switch (statement) {
      case 'node-join':
        this.#nodes.set(first, { id: first, incarnation: second, url: third, release: rest[0]!, reads: rest[1]! })
        return [[first]]
      case 'node-renew':
        return this.#nodes.get(first)?.incarnation === second ? [['false']] : []
      case 'node-leave':
        if (this.#nodes.get(first)?.incarnation === second) this.#nodes.delete(first)
        return []
      case 'node-live':
        return [...this.#nodes.values()].map((node) => [
          ...[node.id, node.incarnation, node.url, node.release, 'false'],
          ...[LEASE_LEFT_MS, node.reads],
        ])
      case 'node-cells':
        return [...this.#cells.values()].map(({ cell, epoch, owner }) => [
          ...[cell, String(epoch), owner?.id ?? null, owner?.incarnation ?? null, null, owner?.url ?? null],
          ...[owner === null ? null : LEASE_LEFT_MS, null, 'false'],
        ])
      case 'node-claim':
        return this.#claim(first, second, third)
      case 'node-hand-over':
        return this.#release(first, second, third)
      default:
        throw new RangeError(`${statement} is not known to threads of one process`)
    }
  }

  /** Only the home thread of a free cell can claim it. */
  #claim(name: string, node: string, incarnation: string): readonly Row[] {
    const cell = this.#cells.get(name)
    const claimant = this.#nodes.get(node)
    if (cell?.owner !== null || cell.home !== node || claimant?.incarnation !== incarnation) return []
    cell.epoch += 1
    cell.owner = claimant
    return [[String(cell.epoch)]]
  }

  /** Makes the cell free. A cell is never handed over to another thread. */
  #release(name: string, node: string, incarnation: string): readonly Row[] {
    const cell = this.#cells.get(name)
    if (cell?.owner?.id !== node || cell.owner.incarnation !== incarnation) return []
    cell.epoch += 1
    cell.owner = null
    return [[String(cell.epoch)]]
  }
}
