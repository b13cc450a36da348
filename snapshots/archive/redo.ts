// The redo log of a store that is archived: every batch has one row more, which says all that it writes. So the archive can trail behind without
// a write of its own on the way of a commit, and a crash leaves no gap: what it has not taken yet is in the store. Whether a store is archived
// is said by the store itself, so that nothing that opens it and writes is missed.
import type { Disk, DiskOp } from '../disk.ts'
import { ARCHIVE_KEY, lastPart, redoAfter, redoKey } from '../keys.ts'
import { batchText } from './batch.ts'

/** Rows that one batch more removes at most. */
const FORGOTTEN_AT_ONCE = 1_000

/** What an archive belongs to: one unbroken run of batches of one store. */
export interface ArchiveLine {
  readonly line: string
  /** Its first batch. */
  readonly from: number
}

export interface Redo {
  /** Null: the store is not archived. */
  readonly line: ArchiveLine | null
  /** Of the newest batch that was handed to the disk. */
  readonly last: number
  /** Batches with a higher sequence that are on disk, ascending. */
  after(sequence: number, limit: number): Promise<{ readonly sequence: number; readonly text: string }[]>
  /** The archive has these on its own disk: their rows go with later batches. */
  archived(through: number): void
  /** Begins a line: from the next batch on. What was kept of another one is forgotten. Before anything else is written. */
  begin(line: string): Promise<void>
  /** The store is archived no more. Before anything else is written. */
  end(): Promise<void>
}

/** @param now Unix milliseconds */
export async function withRedo(disk: Disk, now: () => number): Promise<{ readonly disk: Disk; readonly redo: Redo }> {
  const log = new RedoLog(disk, now)
  await log.open()
  return { disk: { ...disk, write: (ops, options) => disk.write(log.told(ops), options) }, redo: log }
}

class RedoLog implements Redo {
  readonly #disk: Disk
  readonly #now: () => number
  #line: ArchiveLine | null = null
  #last = 0
  #lastMs = 0
  #oldest = 1
  #archived = 0

  constructor(disk: Disk, now: () => number) {
    this.#disk = disk
    this.#now = now
  }

  get line(): ArchiveLine | null {
    return this.#line
  }

  get last(): number {
    return this.#last
  }

  async open(): Promise<void> {
    const stored = this.#disk.get(ARCHIVE_KEY)
    this.#line = stored === undefined ? null : (JSON.parse(stored) as ArchiveLine)
    const lastKey = await this.#disk.lastKey(redoAfter(0))
    this.#last = lastKey === undefined ? (this.#line?.from ?? 1) - 1 : Number(lastPart(lastKey))
    const [first] = await this.after(0, 1)
    this.#oldest = first?.sequence ?? this.#last + 1
  }

  /** The batch with what the log adds to it. The newest row stays until there is a newer one: it holds the count. */
  told(ops: DiskOp[]): DiskOp[] {
    if (this.#line === null) return ops
    this.#last += 1
    this.#lastMs = Math.max(this.#lastMs, this.#now())
    const all: DiskOp[] = [...ops, { type: 'put', key: redoKey(this.#last), value: batchText(this.#lastMs, ops) }]
    for (let left = FORGOTTEN_AT_ONCE; left > 0 && this.#oldest <= this.#archived; left -= 1) {
      all.push({ type: 'del', key: redoKey(this.#oldest) })
      this.#oldest += 1
    }
    return all
  }

  async after(sequence: number, limit: number): Promise<{ sequence: number; text: string }[]> {
    const found: { sequence: number; text: string }[] = []
    for await (const page of this.#disk.pages(redoAfter(sequence), limit)) {
      for (const [key, text] of page) found.push({ sequence: Number(lastPart(key)), text })
    }
    return found
  }

  archived(through: number): void {
    this.#archived = Math.min(Math.max(this.#archived, through), this.#last)
  }

  async begin(line: string): Promise<void> {
    await this.end()
    const begun = { line, from: this.#last + 1 }
    await this.#disk.write([{ type: 'put', key: ARCHIVE_KEY, value: JSON.stringify(begun) }], { sync: true })
    this.#line = begun
    this.#oldest = begun.from
  }

  async end(): Promise<void> {
    if (this.#line !== null) await this.#disk.write([{ type: 'del', key: ARCHIVE_KEY }], { sync: true })
    this.#line = null
    for await (const page of this.#disk.pages(redoAfter(0))) {
      await this.#disk.write(
        page.map(([key]) => ({ type: 'del', key })),
        { sync: true },
      )
    }
  }
}
