// The disk of one cell among others: it writes its own directory, and reads those of the other cells, too, where a row
// may be in any of them. Every row is at hand; what is looked for under a name is fetched first.
import type { Disk, DiskOp, DiskSnapshot, DiskWalk, NameTable, Page, Range, SharedDisk } from '../disk.ts'
import { StaleEpoch, StoreError } from '../errors.ts'
import * as keys from '../keys.ts'
import { MAIN_CELL } from '../postgres/schema.ts'
import type { CellCoordinator, CommonRow } from './coordinator.ts'
import { writeRow, type CellDirectories, type CellDirectory } from './directories.ts'
import { unpackRow } from '../packed-row.ts'
import { mergedPages } from './merged-pages.ts'
import { namesInCells } from './names.ts'

/** Two cells have rows that only one may have. */
class WrittenElsewhere extends StoreError {}

export interface CellDiskOptions {
  readonly directories: CellDirectories
  readonly cell: string
  readonly coordinator: CellCoordinator
  /** The tenant that all cells follow. */
  readonly followed: string
  /** Resolves with the epoch of the claim. Absent: the present owner of the cell is fenced at once. */
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
  /** One at a time: the second call finds what the first has set. */
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
        // Cells are made of records that have their names.
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

  /** One at a time, and none after one that has failed. */
  write = (ops: DiskOp[]): Promise<void> => {
    const mine = this.#writing.then(() => this.#write(ops))
    this.#writing = mine
    mine.catch(() => undefined)
    return mine
  }

  get(key: string): string | undefined {
    const own = rowIn(this.#own, key)
    if (own !== undefined || isReadByOwner(key)) return own
    for (const other of this.#others) {
      const found = rowIn(other, key)
      if (found !== undefined) return found
    }
    return undefined
  }

  async getMany(wanted: readonly string[]): Promise<readonly (string | undefined)[]> {
    const found = [...(await this.#own.disk.getMany(wanted))]
    for (const { disk } of this.#others) {
      const missing = found.flatMap((text, at) => (text === undefined ? [at] : []))
      if (missing.length === 0) break
      const texts = await disk.getMany(missing.map((at) => wanted[at]!))
      for (const [index, at] of missing.entries()) found[at] = texts[index]
    }
    return found
  }

  walk(within: Range): DiskWalk {
    return this.#own.disk.walk(within)
  }

  pages(range: Range, limit?: number): AsyncIterable<Page> {
    return this.#own.disk.pages(range, limit)
  }

  lastKey(range: Range): Promise<string | undefined> {
    return this.#own.disk.lastKey(range)
  }

  lastRow(range: Range): Promise<Page[number] | undefined> {
    return this.#own.disk.lastRow(range)
  }

  /** One moment of each cell: what a cell has written of another tenant's business may be a moment older or newer. */
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
    for (const op of ops) this.#assertNotElsewhere(op)
    const isAlone = this.#others.length === 0
    // Before the rows: nobody may know of a commit and not find its keys.
    for (const { type, key } of ops) if (type === 'put') this.#own.keys.note(key)
    await this.#own.disk.write(isAlone ? ops.filter(({ key }) => !keys.isNameKey(key)) : ops, { sync: true })
    if (this.#followed === null || isAlone) return
    const followed = this.#followed
    const changed = ops.filter(({ key }) => key.startsWith(followed)).map(({ key }) => key)
    // Before the commit is acknowledged: a wait for the other cells begins after that.
    if (changed.length > 0) await this.#coordinator.rowsChanged(changed)
  }

  async #claimed(): Promise<number> {
    const epoch = await this.#claim()
    const { disk } = this.#own
    const stored = storedEpoch(disk)
    if (epoch <= stored) throw new StaleEpoch(epoch, stored)
    await writeRow(disk, keys.EPOCH_KEY, String(epoch))
    this.#epoch = epoch
    // Lookups read the disk until this is done. What fails fails for their callers, too.
    this.#own.keys.learn(disk, () => this.#isClosing).catch(() => undefined)
    return epoch
  }

  async #tenants(): Promise<string[]> {
    const tenants: string[] = []
    for await (const page of this.pages(keys.FENCES)) for (const [key] of page) tenants.push(key.slice(FENCE.length))
    return tenants
  }

  /** What all cells have in common is in the directory of the first, whose owner alone writes it. */
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
    const known = storedEpoch(this.#own.disk)
    if (known !== this.#epoch) throw new StaleEpoch(this.#epoch, known)
  }

  /** A tenant is in one cell, and a message belongs to one transaction. */
  #assertNotElsewhere(op: DiskOp): void {
    if (op.type !== 'put' || !IN_ONE_CELL.test(op.key)) return
    for (const other of this.#others) {
      const found = rowIn(other, op.key)
      const { cell } = other
      if (found !== undefined && (op.key.startsWith(FENCE) || found !== unpackRow(op.value)))
        throw new WrittenElsewhere(`the cell ${cell} has the row ${op.key} that ${this.#own.cell} was to write`)
    }
  }
}

/** Rows of tenants. */
const FENCE = 'f!'
const IN_ONE_CELL = /^[fh]!/
/** Nobody but the owner of the tenant reads these, and most of what is asked for does not exist. */
const isReadByOwner = (key: string): boolean => key.startsWith('i!')

function rowIn({ disk, keys: known }: CellDirectory, key: string): string | undefined {
  return known.mayHave(key) ? disk.get(key) : undefined
}

function storedEpoch(disk: Disk): number {
  return Number(disk.get(keys.EPOCH_KEY) ?? 0)
}
