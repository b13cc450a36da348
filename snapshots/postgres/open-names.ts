// The names of the cells that one process has open, as filters. Only the owner of a cell writes its names. While all
// cells are open in one process, the filters can therefore rule out a name without a query. Nearly every request looks
// up names that other cells do not have: those of the accounts that it uses.
import type { DiskOp } from '../disk.ts'
import { isNameKey, nameRowOf } from '../keys.ts'
import type { NameForm } from '../name-forms.ts'
import { SeenKeys, type Hashes } from '../seen-keys.ts'
import type { Database } from './database.ts'

const NAMES = {
  name: 'holdfast-names-of-cell',
  text: `SELECT n.key FROM holdfast.name AS n JOIN holdfast.tenant AS t ON t.tenant = n.tenant AND t.cell = $1
WHERE n.key > $2 AND n.held ORDER BY n.key LIMIT $3`,
}
const PAGE_NAMES = 5_000

/** From this number of names on, the known holders are forgotten. */
const MAX_NAMES = 10_000

/** The names of one cell under one claim. */
export class CellNames {
  readonly #database: Pick<Database, 'read'>
  readonly #cell: string
  readonly #onName: (name: string, cell: CellNames) => void
  readonly #seen = new SeenKeys()
  #learning: Promise<void> | undefined

  constructor(database: Pick<Database, 'read'>, cell: string, onName: (name: string, cell: CellNames) => void) {
    this.#database = database
    this.#cell = cell
    this.#onName = onName
  }

  /** Must be called before the rows are written, so that a reader of the commit also finds its names. */
  note(ops: readonly DiskOp[]): void {
    for (const { type, key } of ops) {
      if (type !== 'put' || !isNameKey(key)) continue
      const { name } = nameRowOf(key)
      this.#seen.add(name)
      this.#onName(name, this)
    }
  }

  /**
   * True: all existing names are loaded. The first call starts to load them; a process with only one open cell never
   * needs them.
   */
  isKnown(): boolean {
    // Loading fails only if the database is closed.
    this.#learning ??= this.#learn().catch(() => undefined)
    return this.#seen.isComplete
  }

  /** False: no record of the cell has the name with these hashes. True for every name until the names are known. */
  mayHave(hashes: Hashes): boolean {
    return this.#seen.mayHaveHashed(hashes)
  }

  async #learn(): Promise<void> {
    for (let after = ''; ;) {
      const rows = await this.#database.read(NAMES, [this.#cell, after, PAGE_NAMES])
      for (const [name] of rows) this.#seen.add(name ?? '')
      // The last name may have more records: `n.key > $2` skips them, because one occurrence is enough.
      if (rows.length < PAGE_NAMES) break
      after = rows.at(-1)?.[0] ?? after
    }
    this.#seen.complete()
  }
}

/** The cells of the database by name: a map or a set. */
export type AllCells = Pick<ReadonlySet<string>, 'keys'>

/** The open cells of the process. */
export class OpenNames {
  readonly #cells = new Map<string, CellNames>()
  /**
   * The open cells that may have a name, by name: of the names that were looked up lately. Asking the filters of ten
   * cells for the fifteen names of a transfer takes longer than finding its records.
   */
  readonly #holders = new Map<string, CellNames[]>()
  /** The latest cells that were found to be all open. */
  #allOpen: AllCells | undefined

  /** This process owns the cell until `closed`. Must be called after the claim and before the first write under it. */
  opened(cell: string, database: Pick<Database, 'read'>): CellNames {
    const names = new CellNames(database, cell, (name, holder) => {
      const holders = this.#holders.get(name)
      if (holders?.includes(holder) === false) holders.push(holder)
    })
    this.#cells.set(cell, names)
    this.#forget()
    return names
  }

  /** Must be called before another process may own the cell. */
  closed(cell: string, names: CellNames | undefined): void {
    if (this.#cells.get(cell) !== names) return
    this.#cells.delete(cell)
    this.#forget()
  }

  /** False: no record of these cells, except those of `own`, has the name. */
  mayExistElsewhere(name: NameForm, cells: AllCells, own: CellNames | undefined): boolean {
    if (!this.#areOpen(cells)) return true
    const holders = this.#holders.get(name.text) ?? this.#find(name)
    return holders === undefined || holders.some((cell) => cell !== own)
  }

  #areOpen(cells: AllCells): boolean {
    if (cells === this.#allOpen) return true
    for (const cell of cells.keys()) if (!this.#cells.has(cell)) return false
    this.#allOpen = cells
    return true
  }

  /** undefined: the names of a cell are not loaded yet. */
  #find({ text, hashes }: NameForm): CellNames[] | undefined {
    const open = [...this.#cells.values()]
    // Asks every cell, so that all of them load their names.
    if (open.map((cell) => cell.isKnown()).includes(false)) return undefined
    if (this.#holders.size >= MAX_NAMES) this.#holders.clear()
    const holders = open.filter((cell) => cell.mayHave(hashes))
    this.#holders.set(text, holders)
    return holders
  }

  #forget(): void {
    this.#holders.clear()
    this.#allOpen = undefined
  }
}
