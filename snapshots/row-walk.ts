// One pass of an iterator over many small ranges. Adjacent ranges are read in pages. Between distant ranges, the
// iterator seeks and reads few rows ahead.
import type { DiskWalk, RowPage, Range } from './disk.ts'

const MIN_ROWS = 16
const MAX_ROWS = 1_000
const GROWTH = 4

export interface RowIterator {
  seek(key: string): void
  nextv(rows: number): Promise<[string, string][]>
  close(): Promise<void>
}

export class RowWalk implements DiskWalk {
  readonly #iterator: RowIterator
  #page: RowPage = []
  #at = 0
  /** Number of rows of the page that belong to no range. */
  #skipped = 0
  #rows = MIN_ROWS
  #isAtEnd = false

  constructor(iterator: RowIterator) {
    this.#iterator = iterator
  }

  async take({ gte, lt }: Required<Range>, most: number): Promise<RowPage> {
    const rows: RowPage[number][] = []
    for (;;) {
      for (; this.#at < this.#page.length && this.#page[this.#at]![0] < gte; this.#at += 1) this.#skipped += 1
      for (; this.#at < this.#page.length; this.#at += 1) {
        const row = this.#page[this.#at]!
        if (row[0] >= lt || rows.length === most) return rows
        rows.push(row)
      }
      if (this.#isAtEnd || rows.length === most) return rows
      await this.#read(rows.length === 0 ? gte : null)
    }
  }

  /** @param from the first key of the next page; null: the key after this page */
  async #read(from: string | null): Promise<void> {
    const isUsed = this.#skipped * 2 <= this.#page.length
    this.#rows = Math.max(MIN_ROWS, Math.min(MAX_ROWS, isUsed ? this.#rows * GROWTH : this.#rows / GROWTH))
    if (from !== null) this.#iterator.seek(from)
    this.#page = await this.#iterator.nextv(this.#rows)
    this.#at = 0
    this.#skipped = 0
    this.#isAtEnd = this.#page.length === 0
  }

  close(): Promise<void> {
    return this.#iterator.close()
  }
}
