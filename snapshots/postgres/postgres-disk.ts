// PostgreSQL as the store's disk. `get` answers from memory: service-wide facts and inbox cursors are all there, other
// rows when they were fetched or written lately.

import type { Disk, DiskOp, DiskSnapshot, DiskWalk, Page, Range, SharedDisk } from '../disk.ts'
import * as keys from '../keys.ts'
import { NotAtHand } from '../not-at-hand.ts'
import { RowWalk } from '../row-walk.ts'
import { claimsOf } from './claims.ts'
import { CellWriter, type CommitRetries } from './cell-writer.ts'
import type { Database } from './database.ts'
import type { CellsTogether } from './cells-together.ts'
import { Fetches } from './fetches.ts'
import { NamesElsewhere, namesInTable } from './names.ts'
import { CellNames, type OpenNames } from './open-names.ts'
import { iteratorOver, lastRowOf, pagesOf } from './range-reads.ts'
import { RowCache } from './row-cache.ts'
import { manyRowsOf } from './rows-by-key.ts'
import { openSnapshot } from './snapshot.ts'

/**
 * Under no fence: it changes nothing that exists, and may be asked again. Two processes at the same time meet at the
 * first key, so that all rows are of one of them.
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
  /** Bound of the rows at hand. */
  readonly cacheCharacters?: number
  /** True while the database has other cells. Asked at each question. Default: never. */
  readonly hasNeighbours?: () => boolean
  /** The cells beside this one that the process has open. Default: none. */
  readonly openCells?: OpenCells
}

export interface OpenCells {
  readonly names: OpenNames
  /** Absent: each cell asks the database by itself. */
  readonly together?: CellsTogether
  /**
   * All cells of the database; null: some may belong to other processes by now, also of those that are open here.
   * Asked at each question.
   */
  readonly all: () => Iterable<string> | null
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
  /** Snapshots being opened: a write waits for them, or they would see it. */
  readonly #opening = new Set<Promise<unknown>>()
  readonly shared: SharedDisk

  constructor(options: PostgresDiskOptions) {
    this.#database = options.database
    this.#cell = options.cell
    this.#openCells = options.openCells
    this.#writer = new CellWriter({ ...options, together: options.openCells?.together })
    this.#cache = new RowCache(options.cacheCharacters)
    this.#fetches = new Fetches(options.database, this.#cache, options.openCells?.together)
    this.shared = {
      claim: () => this.#claim(),
      fetch: (wanted, anew) => this.#fetches.fetch(wanted, anew),
      tenants: () => this.#writer.tenants(),
      settle: (rows) => this.#settle(rows),
      closing: () => this.#writer.closing(),
      names: {
        missing: () => this.#writer.nameless(),
        complete: (tenants) => this.#writer.named(tenants),
        elsewhere: new NamesElsewhere({
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

  get(key: string): string | undefined {
    if (keys.isAlwaysAtHand(key)) return this.#facts.get(key)
    const known = this.#cache.get(key)
    if (known === undefined) throw new NotAtHand([keys.coldOf(key)])
    return known.text
  }

  getMany(wanted: readonly string[]): Promise<readonly (string | undefined)[]> {
    return manyRowsOf(this.#database, wanted)
  }

  walk(within: Range): DiskWalk {
    return new RowWalk(iteratorOver(this.#database, within))
  }

  pages(range: Range, limit?: number): AsyncIterable<Page> {
    return pagesOf(this.#database, range, { limit, onDeleted: (found) => this.#writer.foundDeleted(found) })
  }

  async lastKey(range: Range): Promise<string | undefined> {
    return (await this.lastRow(range))?.[0]
  }

  lastRow(range: Range): Promise<Page[number] | undefined> {
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
    const wanted = rows.map(({ key }) => key)
    const [first = ''] = wanted
    await this.#database.read(SETTLE, [wanted, rows.map(({ text }) => text), first])
    const found = await manyRowsOf(this.#database, wanted)
    for (const [at, text] of found.entries()) this.#keep(wanted[at]!, text)
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

  #mayExistElsewhere(name: string): boolean {
    const all = this.#openCells?.all() ?? null
    return all === null || (this.#openCells?.names.mayExistElsewhere(name, all, this.#cell) ?? true)
  }

  async #claim(): Promise<number> {
    const epoch = await this.#writer.claim()
    this.#names = new CellNames(this.#database, this.#cell)
    this.#openCells?.names.opened(this.#cell, this.#names)
    this.#openCells?.together?.opened(this.#cell)
    // What was read before belongs to the time of another owner.
    this.#cache.clear()
    this.#facts.clear()
    for (const range of keys.ALWAYS_AT_HAND)
      for await (const page of this.pages(range)) for (const [key, text] of page) this.#facts.set(key, text)
    return epoch
  }
}
