// The names in the cells that one process has open. The owner of a cell writes all of its names, so that no process has
// to ask the database for a name that none of the other cells has, while all of them are open in this process. Nearly
// every request looks for such names: of the accounts that it uses.
import type { DiskOp } from '../disk.ts'
import { isNameKey, nameRowOf } from '../keys.ts'
import { hashesOf, SeenKeys, type Hashes } from '../seen-keys.ts'
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

  /** Must be created when the claim is done, and before anything is written under it. */
  constructor(database: Pick<Database, 'read'>, cell: string) {
    this.#database = database
    this.#cell = cell
  }

  /** Must be called before the rows are written: a process that learns of the commit finds its names. */
  note(ops: readonly DiskOp[]): void {
    for (const { type, key } of ops) if (type === 'put' && isNameKey(key)) this.#seen.add(nameRowOf(key).name)
  }

  /**
   * False: certainly no record of the cell has the name of these hashes. The first call starts the reading of what was
   * written before: a process that has one cell open needs none.
   */
  mayHave(hashes: Hashes): boolean {
    // Until all are known, a question to the database shows it. It is asked only in vain once the database is closed.
    this.#learning ??= this.#learn().catch(() => undefined)
    return this.#seen.mayHaveHashed(hashes)
  }

  async #learn(): Promise<void> {
    for (let after = ''; ;) {
      const rows = await this.#database.read(NAMES, [this.#cell, after, PAGE_NAMES])
      for (const [name] of rows) this.#seen.add(name ?? '')
      // A name may go on in the next page.
      if (rows.length < PAGE_NAMES) break
      after = rows.at(-1)?.[0] ?? after
    }
    this.#seen.complete()
  }
}

/** Of the process. */
export class OpenNames {
  readonly #cells = new Map<string, CellNames>()

  /** The cell belongs to this process until `closed`. */
  opened(cell: string, names: CellNames): void {
    this.#cells.set(cell, names)
  }

  /** Must be called before another process may own the cell. */
  closed(cell: string, names: CellNames | undefined): void {
    if (this.#cells.get(cell) === names) this.#cells.delete(cell)
  }

  /**
   * False: certainly no record of these cells has the name, but for those of the cell that asks.
   * @param name as the table of names has it
   */
  mayExistElsewhere(name: string, cells: Iterable<string>, asking: string): boolean {
    const hashes = hashesOf(name)
    for (const cell of cells) if (cell !== asking && this.#cells.get(cell)?.mayHave(hashes) !== false) return true
    return false
  }
}
