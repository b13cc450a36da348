// What the simulated database holds: the tables of `snapshots/postgres/schema.ts`, in memory. Nothing of it is lost,
// whatever happens to the server.
import type { ResultRow } from '../../../snapshots/postgres/connection.ts'
import { SortedRows } from '../../snapshots/sorted-rows.ts'

/** In the place of a value: the row is deleted, and not yet removed. Values are JSON. */
const DELETED = '\u0000'
const MS_OF_FIRST_COMMIT = '00000000-0000-0000-0000-000000000000'

export interface NodeRow {
  readonly id: string
  readonly incarnation: string
  readonly url: string
  readonly release: string
  readonly draining: boolean
  readonly expiresAtMs: number
}

export interface CellState {
  readonly epoch: number
  readonly node: string | null
  readonly incarnation: string | null
  readonly wanted: string | null
  readonly lostHistory: string | null
}

/** The rows as a snapshot shows them. */
export class RowsView {
  readonly #rows: SortedRows

  constructor(rows: SortedRows) {
    this.#rows = rows
  }

  get(key: string): string | null {
    return valueOf(this.#rows.get(key))
  }

  /** With deleted rows, whose value is null. */
  between(from: string, isAfter: boolean, lt: string, limit: number): ResultRow[] {
    const rows = this.#rows.between({ gte: from, lt }, limit + 1)
    const page = isAfter && rows[0]?.[0] === from ? rows.slice(1) : rows
    return page.slice(0, limit).map(([key, value]) => [key, valueOf(value)])
  }

  last(gte: string, lt: string): ResultRow[] {
    for (let before = lt; ;) {
      const row = this.#rows.last({ gte, lt: before })
      if (row === undefined) return []
      if (row[1] !== DELETED) return [row]
      before = row[0]
    }
  }
}

export class Tables {
  readonly nodes = new Map<string, NodeRow>()
  /** Commit ids, by head. */
  readonly steps = new Map<number, string>([[0, MS_OF_FIRST_COMMIT]])
  head = 0
  cell: CellState = { epoch: 0, node: null, incarnation: null, wanted: null, lostHistory: null }
  #rows = new SortedRows()
  /** A snapshot reads `#rows`: the next change goes to a copy. */
  #isShared = false

  get rows(): RowsView {
    return new RowsView(this.#rows)
  }

  snapshot(): RowsView {
    this.#isShared = true
    return new RowsView(this.#rows)
  }

  put(keys: readonly (string | null)[], values: readonly (string | null)[]): void {
    this.#own().apply(keys.map((key, at) => ({ type: 'put', key: key ?? '', value: values[at] ?? DELETED })))
  }

  /** Removes those that are deleted. */
  remove(keys: readonly (string | null)[]): void {
    const rows = this.#own()
    for (const key of keys) if (key !== null && rows.get(key) === DELETED) rows.apply([{ type: 'del', key }])
  }

  #own(): SortedRows {
    if (this.#isShared) this.#rows = this.#rows.copy()
    this.#isShared = false
    return this.#rows
  }
}

function valueOf(value: string | undefined): string | null {
  return value === undefined || value === DELETED ? null : value
}
