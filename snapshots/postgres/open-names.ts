// The names of the cells that one process has open, as filters. Only the owner of a cell writes its names. While all
// cells are open in one process, the filters can therefore rule out a name without a query. Nearly every request looks
// up names that other cells do not have: those of the accounts that it uses.
import type { DiskOp } from '../disk.ts'
import { isNameKey, nameRowOf } from '../keys.ts'
import { SeenKeys, type Hashes } from '../seen-keys.ts'
import type { Database } from './database.ts'

const NAMES = {
  name: 'holdfast-names-of-cell',
  text: `SELECT n.key FROM holdfast.name AS n JOIN holdfast.tenant AS t ON t.tenant = n.tenant AND t.cell = $1
WHERE n.key > $2 AND n.held ORDER BY n.key LIMIT $3`,
}
const PAGE_NAMES = 5_000

/** The names of one cell under one claim. */
export class CellNames {
  readonly #database: Pick<Database, 'read'>
  readonly #cell: string
  readonly #seen = new SeenKeys()
  #learning: Promise<void> | undefined

  /** Must be created after the claim and before the first write under it. */
  constructor(database: Pick<Database, 'read'>, cell: string) {
    this.#database = database
    this.#cell = cell
  }

  /** Must be called before the rows are written, so that a reader of the commit also finds its names. */
  note(ops: readonly DiskOp[]): void {
    for (const { type, key } of ops) if (type === 'put' && isNameKey(key)) this.#seen.add(nameRowOf(key).name)
  }

  /**
   * False: no record of the cell has the name with these hashes. The first call starts to load the existing names; a
   * process with only one open cell never needs them.
   */
  mayHave(hashes: Hashes): boolean {
    // Until all names are loaded, `mayHaveHashed` returns true. Loading fails only if the database is closed.
    this.#learning ??= this.#learn().catch(() => undefined)
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

/** The open cells of the process. */
export class OpenNames {
  readonly #cells = new Map<string, CellNames>()

  /** This process owns the cell until `closed`. */
  opened(cell: string, names: CellNames): void {
    this.#cells.set(cell, names)
  }

  /** Must be called before another process may own the cell. */
  closed(cell: string, names: CellNames | undefined): void {
    if (this.#cells.get(cell) === names) this.#cells.delete(cell)
  }

  /** False: no record of these cells, except `ownCell`, has the name with these hashes. */
  mayExistElsewhere(hashes: Hashes, cells: Iterable<string>, ownCell: string): boolean {
    for (const cell of cells) if (cell !== ownCell && this.#cells.get(cell)?.mayHave(hashes) !== false) return true
    return false
  }
}
