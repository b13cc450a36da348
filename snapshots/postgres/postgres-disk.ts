// PostgreSQL as the store's disk. `get` reads from memory, which holds all service-wide facts and inbox cursors, and
// other rows that were fetched or written recently.

import type { Disk, DiskOp, DiskSnapshot, DiskWalk, RowPage, Range, SharedDisk } from '../disk.ts'
import * as keys from '../keys.ts'
import type { NameForm } from '../name-forms.ts'
import { NotAtHand } from '../not-at-hand.ts'
import { RowWalk } from '../row-walk.ts'
import { claimsOf } from './claims.ts'
import { CellWriter, type CommitRetries } from './cell-writer.ts'
import type { Database } from './database.ts'
import type { CellsTogether } from './cells-together.ts'
import type { LostHistory } from './errors.ts'
import { Fetches } from './fetches.ts'
import { OtherCellNames, namesInTable } from './names.ts'
import type { AllCells, CellNames, OpenNames } from './open-names.ts'
import { iteratorOver, lastRowOf, pagesOf } from './range-reads.ts'
import { RowCache } from './row-cache.ts'
import { manyRowsOf } from './rows-by-key.ts'
import { openSnapshot } from './snapshot.ts'

/**
 * Needs no fence, because it changes no existing row. It can be retried. Two concurrent processes conflict at the first
 * key, so one of them writes all rows.
 */
const SETTLE = {
  name: 'holdfast-settle',
  text: `INSERT INTO holdfast.row (key, value, head)
SELECT r.key, r.value, 0 FROM unnest($1::text[], $2::text[]) WITH ORDINALITY AS r (key, value, at)
WHERE NOT EXISTS (SELECT 1 FROM holdfast.row AS known WHERE known.key = $3) ORDER BY r.at
ON CONFLICT DO NOTHING`,
}

type Settled = { readonly key: string; readonly text: string }

export interface PostgresDiskOptions {
  readonly database: Database
  readonly cell: string
  readonly claim?: () => Promise<number>
  /** Maximum size of the row cache. */
  readonly cacheCharacters?: number
  /** True while the database has other cells. Called for each lookup. Absent: there are none. */
  readonly hasNeighbours?: () => boolean
  /** The other cells that the process has open. Absent: none. */
  readonly openCells?: OpenCells
}

export interface OpenCells {
  readonly names: OpenNames
  /** Absent: each cell sends its own statements. */
  readonly together?: CellsTogether
  /**
   * All cells of the database if this process owns every one of them; null: other processes may own some, perhaps even
   * cells that are open here. Called for each lookup.
   */
  readonly all: () => AllCells | null
}

export class PostgresDisk implements Disk {
  readonly #database: Database
  readonly #writer: CellWriter
  readonly #facts = new Map<string, string>()
  readonly #cache: RowCache
  readonly #fetches: Fetches
  readonly #cell: string
  readonly #openCells: OpenCells | undefined
  #names: CellNames | undefined
  /** Snapshots that are being opened. A write waits for them, because they must not include it. */
  readonly #opening = new Set<Promise<unknown>>()
  /** Absent: the process sends no shared statements. */
  readonly beforeWrite?: () => Promise<void>
  readonly shared: SharedDisk

  constructor(options: PostgresDiskOptions) {
    this.#database = options.database
    this.#cell = options.cell
    this.#openCells = options.openCells
    const together = options.openCells?.together
    this.#writer = new CellWriter({ ...options, together })
    this.#cache = new RowCache(options.cacheCharacters)
    this.#fetches = new Fetches(options.database, this.#cache, together)
    if (together !== undefined) this.beforeWrite = () => together.beforeCommit()
    this.shared = {
      claim: () => this.#claim(),
      fetch: (wanted, anew) => this.#fetches.fetch(wanted, anew),
      tenants: () => this.#writer.tenants(),
      settle: (rows) => this.#settle(rows),
      closing: () => this.#writer.closing(),
      names: {
        missing: () => this.#writer.nameless(),
        complete: (tenants) => this.#writer.named(tenants),
        elsewhere: new OtherCellNames({
          ...namesInTable(options.database, options.cell),
          hasNeighbours: options.hasNeighbours,
          mayExist: (name) => this.#mayExistElsewhere(name),
        }),
        claims: claimsOf(options.database, options.cell, () => this.#writer.epoch),
      },
    }
  }

  write = async (ops: readonly DiskOp[]): Promise<void> => {
    if (this.#opening.size > 0) await Promise.allSettled(this.#opening)
    this.#names?.note(ops)
    await this.#writer.write(ops)
    for (const op of ops) this.#keep(op.key, op.type === 'put' ? op.value : undefined)
  }

  get retries(): CommitRetries {
    return this.#writer.retries
  }

  /** As `CellWriter.findLoss`. */
  findLoss(): Promise<LostHistory | null> {
    return this.#writer.findLoss()
  }

  get(key: string): string | undefined {
    if (keys.isAlwaysAtHand(key)) return this.#facts.get(key)
    const row = this.#cache.get(key)
    if (row === undefined) throw new NotAtHand([keys.coldOf(key)])
    return row.text
  }

  getMany(rowKeys: readonly string[]): Promise<readonly (string | undefined)[]> {
    return manyRowsOf(this.#database, rowKeys)
  }

  walk(within: Range): DiskWalk {
    return new RowWalk(iteratorOver(this.#database, within))
  }

  pages(range: Range, limit?: number): AsyncIterable<RowPage> {
    return pagesOf(this.#database, range, { limit, onDeleted: (deleted) => this.#writer.foundDeleted(deleted) })
  }

  async lastKey(range: Range): Promise<string | undefined> {
    return (await this.lastRow(range))?.[0]
  }

  lastRow(range: Range): Promise<RowPage[number] | undefined> {
    return lastRowOf(this.#database, range)
  }

  snapshot(): DiskSnapshot {
    const { snapshot, opened } = openSnapshot(this.#database)
    this.#opening.add(opened)
    opened.catch(() => undefined).finally(() => this.#opening.delete(opened))
    return snapshot
  }

  async close(): Promise<void> {
    this.#openCells?.names.closed(this.#cell, this.#names)
    this.#openCells?.together?.closed(this.#cell)
    await this.#writer.close()
    this.#database.close()
  }

  async #settle(rows: readonly Settled[]): Promise<void> {
    const rowKeys = rows.map(({ key }) => key)
    const [first = ''] = rowKeys
    await this.#database.read(SETTLE, [rowKeys, rows.map(({ text }) => text), first])
    const texts = await manyRowsOf(this.#database, rowKeys)
    for (const [at, text] of texts.entries()) this.#keep(rowKeys[at]!, text)
  }

  #keep(key: string, text: string | undefined): void {
    if (keys.isAlwaysAtHand(key)) {
      if (text === undefined) this.#facts.delete(key)
      else this.#facts.set(key, text)
    } else if (keys.isCold(key)) {
      this.#fetches.changed(key)
      this.#cache.put(key, text)
    }
  }

  #mayExistElsewhere(name: NameForm): boolean {
    const all = this.#openCells?.all() ?? null
    return all === null || (this.#openCells?.names.mayExistElsewhere(name, all, this.#names) ?? true)
  }

  async #claim(): Promise<number> {
    const epoch = await this.#writer.claim()
    this.#names = this.#openCells?.names.opened(this.#cell, this.#database)
    this.#openCells?.together?.opened(this.#cell)
    // Another owner may have changed the rows that were read before the claim.
    this.#cache.clear()
    this.#facts.clear()
    for (const range of keys.ALWAYS_AT_HAND)
      for await (const page of this.pages(range)) for (const [key, text] of page) this.#facts.set(key, text)
    return epoch
  }
}
