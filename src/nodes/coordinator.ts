// The threads of one process as nodes: who owns which cell, what cells have claimed, and what each has applied. It is
// in the first thread, and the others ask it over a port. Nothing of it outlives the process, nor needs to: a thread
// that ends takes the process with it. What must last, the epoch under which a cell is written, is in the cell's
// directory.
import { setTimeout as sleep } from 'node:timers/promises'
import type { CellCoordinator, CellOwner, CommonRow } from '../../snapshots/cells/coordinator.ts'

type Value = string | number | null
type Row = readonly (string | null)[]

/** No thread is ever judged by its lease. */
const LEASE_LEFT_MS = '3600000'
const LOOK_MS = 25

/** What a thread asks: the statements of `NodeRows` by their names, and what cells ask. */
export interface Coordinator extends CellCoordinator {
  nodeRows(statement: string, values: readonly Value[]): Promise<readonly Row[]>
}

/** Methods by their names, as a port carries them. */
export const QUESTIONS = [
  'nodeRows',
  'settle',
  'takeClaims',
  'leaveClaims',
  'rowsChanged',
  'changesAfter',
  'lastChangeOf',
  'heard',
  'unheardBy',
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
  /** Under which it was written last. */
  readonly epoch: number
}

export class ThreadCoordinator implements Coordinator {
  /** Of the first cell, which is owned by the thread of this coordinator; null: it is not open yet. */
  settler: Pick<CellCoordinator, 'settle'> | null = null
  readonly #nodes = new Map<string, KnownNode>()
  readonly #cells: ReadonlyMap<string, KnownCell>
  readonly #claims = new Map<string, Claim>()
  /** Number of the last change of each row of the followed tenant. */
  readonly #changes = new Map<string, number>()
  #lastChange = 0
  readonly #heard = new Map<string, CellOwner & { readonly change: number }>()

  /**
   * @param cells the first one first
   * @param nodes ids of all threads: cells are dealt out to them in turn
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
    while (this.settler === null) await sleep(LOOK_MS)
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
    const isOld = change >= this.#lastChange
    const keys = isOld ? [] : [...this.#changes].filter(([, at]) => at > change).map(([key]) => key)
    return Promise.resolve({ change: this.#lastChange, keys })
  }

  lastChangeOf(keys: readonly string[]): Promise<number> {
    return Promise.resolve(Math.max(0, ...keys.map((key) => this.#changes.get(key) ?? 0)))
  }

  heard(owner: CellOwner, change: number): Promise<void> {
    const known = this.#heard.get(owner.cell)
    if (known === undefined || known.epoch < owner.epoch || known.change < change)
      this.#heard.set(owner.cell, { ...owner, change })
    return Promise.resolve()
  }

  unheardBy(cell: string, change: number): Promise<readonly string[]> {
    const unheard = [...this.#cells.values()].filter((each) => {
      if (each.cell === cell || each.owner === null) return false
      const said = this.#heard.get(each.cell)
      return said?.epoch !== each.epoch || said.change < change
    })
    return Promise.resolve(unheard.map((each) => each.cell))
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
        return this.#claimed(first, second, third)
      case 'node-hand-over':
        return this.#released(first, second, third)
      default:
        throw new RangeError(`${statement} is not known to threads of one process`)
    }
  }

  /** A cell stays with its thread: it can be claimed once it is free, and by that one only. */
  #claimed(name: string, node: string, incarnation: string): readonly Row[] {
    const cell = this.#cells.get(name)
    const claimant = this.#nodes.get(node)
    if (cell?.owner !== null || cell.home !== node || claimant?.incarnation !== incarnation) return []
    cell.epoch += 1
    cell.owner = claimant
    return [[String(cell.epoch)]]
  }

  /** Always to nobody. */
  #released(name: string, node: string, incarnation: string): readonly Row[] {
    const cell = this.#cells.get(name)
    if (cell?.owner?.id !== node || cell.owner.incarnation !== incarnation) return []
    cell.epoch += 1
    cell.owner = null
    return [[String(cell.epoch)]]
  }
}
