// The disk of one of several cells. It writes the directory of its cell. Reads of rows that may belong to any cell also
// search the directories of the other cells. Every row is available without a fetch, except lookups by name.
import type { Disk, DiskOp, DiskSnapshot, DiskWalk, NameTable, RowPage, Range, SharedDisk } from '../disk.ts'
import { StaleEpoch, StoreError } from '../errors.ts'
import * as keys from '../keys.ts'
import { MAIN_CELL } from '../postgres/schema.ts'
import type { CellCoordinator, CommonRow } from './coordinator.ts'
import { writeRow, type CellDirectories, type CellDirectory } from './directories.ts'
import { unpackRow } from '../packed-row.ts'
import { mergedPages } from './merged-pages.ts'
import { namesInCells } from './names.ts'

/** The row to be written exists in another cell, and only one cell may have it. */
class RowOfOtherCell extends StoreError {}

export interface CellDiskOptions {
  readonly directories: CellDirectories
  readonly cell: string
  readonly coordinator: CellCoordinator
  /** The tenant whose records all cells follow. */
  readonly followed: string
  /** Resolves with the epoch of the claim. Absent: the current owner of the cell is fenced at once. */
  readonly claim?: () => Promise<number>
}

export class CellDisk implements Disk {
  readonly #own: CellDirectory
  readonly #others: readonly CellDirectory[]
  readonly #coordinator: CellCoordinator
  readonly #claim: () => Promise<number>
  readonly #followed: string | null
  readonly #main: Disk
  readonly packs: boolean
  #epoch = 0
  #writing: Promise<void> = Promise.resolve()
  /** Serializes calls of `settle`, so that the second call finds the rows of the first. */
  #settling: Promise<void> = Promise.resolve()
  #isClosing = false
  readonly shared: SharedDisk & { readonly names: NameTable }

  constructor({ directories, cell, coordinator, followed, claim }: CellDiskOptions) {
    const own = directories.of(cell)
    if (own === undefined) throw new StoreError(`there is no cell ${cell}`)
    this.#own = own
    this.#others = directories.others(cell)
    this.#main = directories.main.disk
    this.packs = own.disk.packs === true
    this.#coordinator = coordinator
    this.#followed = cell === MAIN_CELL ? (keys.recordsOf(followed).gte ?? null) : null
    this.#claim = claim ?? (() => Promise.resolve(storedEpoch(own.disk) + 1))
    this.shared = {
      claim: () => this.#claimed(),
      fetch: () => Promise.resolve(),
      tenants: () => this.#tenants(),
      settle: (rows) => this.settle(rows),
      closing: () => {
        this.#isClosing = true
      },
      names: {
        // Cells are only created after all records have names.
        missing: () => Promise.resolve([]),
        complete: () => Promise.resolve(),
        elsewhere: namesInCells(this.#others),
        claims: {
          take: (names, token) => coordinator.takeClaims({ cell, epoch: this.#epoch }, names, token),
          leave: (token) => coordinator.leaveClaims(token),
        },
      },
    }
  }

  /** Serializes writes. After a failed write, all later ones fail. */
  write = (ops: DiskOp[]): Promise<void> => {
    const result = this.#writing.then(() => this.#write(ops))
    this.#writing = result
    result.catch(() => undefined)
    return result
  }

  get(key: string): string | undefined {
    const own = rowIn(this.#own, key)
    if (own !== undefined || isReadByOwner(key)) return own
    for (const other of this.#others) {
      const text = rowIn(other, key)
      if (text !== undefined) return text
    }
    return undefined
  }

  async getMany(rowKeys: readonly string[]): Promise<readonly (string | undefined)[]> {
    const texts = [...(await this.#own.disk.getMany(rowKeys))]
    for (const { disk } of this.#others) {
      const missing = texts.flatMap((text, at) => (text === undefined ? [at] : []))
      if (missing.length === 0) break
      const otherTexts = await disk.getMany(missing.map((at) => rowKeys[at]!))
      for (const [index, at] of missing.entries()) texts[at] = otherTexts[index]
    }
    return texts
  }

  walk(within: Range): DiskWalk {
    return this.#own.disk.walk(within)
  }

  pages(range: Range, limit?: number): AsyncIterable<RowPage> {
    return this.#own.disk.pages(range, limit)
  }

  lastKey(range: Range): Promise<string | undefined> {
    return this.#own.disk.lastKey(range)
  }

  lastRow(range: Range): Promise<RowPage[number] | undefined> {
    return this.#own.disk.lastRow(range)
  }

  /** One snapshot per cell. The snapshots are not taken atomically, so rows of different cells may differ in age. */
  snapshot(): DiskSnapshot {
    const each = [this.#own, ...this.#others].map(({ disk }) => disk.snapshot())
    return {
      async get(key) {
        for (const snapshot of each) {
          const text = await snapshot.get(key)
          if (text !== undefined) return text
        }
        return undefined
      },
      pages: (range, limit) =>
        mergedPages(
          each.map((snapshot) => snapshot.pages(range, limit)),
          limit,
        ),
      async close() {
        await Promise.all(each.map((snapshot) => snapshot.close()))
      },
    }
  }

  /** The caller that opened the directories closes them. */
  close(): Promise<void> {
    return Promise.resolve()
  }

  async #write(ops: DiskOp[]): Promise<void> {
    this.#assertOwner()
    for (const op of ops) this.#assertOwnRow(op)
    const isAlone = this.#others.length === 0
    // Before the rows are written, so that a thread that learns of the commit finds its keys.
    for (const { type, key } of ops) if (type === 'put') this.#own.keys.note(key)
    await this.#own.disk.write(isAlone ? ops.filter(({ key }) => !keys.isNameKey(key)) : ops, { sync: true })
    if (this.#followed === null || isAlone) return
    const followed = this.#followed
    const changed = ops.filter(({ key }) => key.startsWith(followed)).map(({ key }) => key)
    // Before the commit is acknowledged, because callers may then wait until the other cells have applied it.
    if (changed.length > 0) await this.#coordinator.rowsChanged(changed)
  }

  async #claimed(): Promise<number> {
    const epoch = await this.#claim()
    const { disk } = this.#own
    const stored = storedEpoch(disk)
    if (epoch <= stored) throw new StaleEpoch(epoch, stored)
    await writeRow(disk, keys.EPOCH_KEY, String(epoch))
    this.#epoch = epoch
    // Until the keys are loaded, lookups read the disk. A disk error is ignored here, because lookups report it.
    this.#own.keys.learn(disk, () => this.#isClosing).catch(() => undefined)
    return epoch
  }

  async #tenants(): Promise<string[]> {
    const tenants: string[] = []
    for await (const page of this.pages(keys.FENCES)) for (const [key] of page) tenants.push(key.slice(FENCE.length))
    return tenants
  }

  /** Facts that all cells share are in the directory of the first cell, and only its owner writes them. */
  async settle(rows: readonly CommonRow[]): Promise<void> {
    const [first] = rows
    if (first === undefined || this.#main.get(first.key) !== undefined) return
    if (this.#own.cell === MAIN_CELL) this.#settling = this.#settling.then(() => this.#settleHere(first, rows))
    else this.#settling = this.#coordinator.settle(rows)
    await this.#settling
  }

  async #settleHere(first: CommonRow, rows: readonly CommonRow[]): Promise<void> {
    if (this.#main.get(first.key) !== undefined) return
    await this.write(rows.map(({ key, text }) => ({ type: 'put', key, value: text })))
  }

  #assertOwner(): void {
    const stored = storedEpoch(this.#own.disk)
    if (stored !== this.#epoch) throw new StaleEpoch(this.#epoch, stored)
  }

  /** A tenant belongs to one cell, and a message to one transaction. */
  #assertOwnRow(op: DiskOp): void {
    if (op.type !== 'put' || !IN_ONE_CELL.test(op.key)) return
    for (const other of this.#others) {
      const text = rowIn(other, op.key)
      const { cell } = other
      if (text !== undefined && (op.key.startsWith(FENCE) || text !== unpackRow(op.value)))
        throw new RowOfOtherCell(`the cell ${cell} has the row ${op.key} that ${this.#own.cell} was to write`)
    }
  }
}

/** Prefix of the fence rows, one per tenant. */
const FENCE = 'f!'
const IN_ONE_CELL = /^[fh]!/
/** Idempotency records: only the owner of the tenant reads them, and most lookups find nothing. */
const isReadByOwner = (key: string): boolean => key.startsWith('i!')

function rowIn({ disk, keys: known }: CellDirectory, key: string): string | undefined {
  return known.mayHave(key) ? disk.get(key) : undefined
}

function storedEpoch(disk: Disk): number {
  return Number(disk.get(keys.EPOCH_KEY) ?? 0)
}
