// Redo log of an archived store: every batch contains one extra row with a copy of the batch. The archive can therefore
// lag behind the store, and needs no write of its own in the commit path. A crash leaves no gap, because batches that
// are not archived yet are in the store. The store itself records whether it is archived, so every process that writes
// to it continues the log.
import type { Disk, DiskOp } from '../disk.ts'
import { ARCHIVE_KEY, lastPart, redoAfter, redoKey } from '../keys.ts'
import { batchText } from './batch.ts'

/** Maximum number of redo rows that one batch removes. */
const REMOVED_AT_ONCE = 1_000

/** The identity of an archive: one unbroken sequence of batches of one store. */
export interface ArchiveLine {
  readonly line: string
  /** Sequence of its first batch. */
  readonly from: number
}

export interface Redo {
  /** null: the store is not archived. */
  readonly line: ArchiveLine | null
  /** Sequence of the newest batch handed to the disk. */
  readonly last: number
  /** Batches on disk with a higher sequence, ascending. */
  after(sequence: number, limit: number): Promise<{ readonly sequence: number; readonly text: string }[]>
  /** Batches up to `through` are on the archive's disk: later batches remove their rows. */
  archived(through: number): void
  /** Begins a line with the next batch and discards the batches of another line. Must run before any other write. */
  begin(line: string): Promise<void>
  /** Ends archiving of the store. Must run before any other write. */
  end(): Promise<void>
}

/** @param now Unix milliseconds */
export async function withRedo(disk: Disk, now: () => number): Promise<{ readonly disk: Disk; readonly redo: Redo }> {
  const log = new RedoLog(disk, now)
  await log.open()
  return { disk: { ...disk, write: (ops, options) => disk.write(log.withRedoRow(ops), options) }, redo: log }
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

  /**
   * Adds the redo row to a batch, and deletions of archived redo rows. The newest redo row is kept until there is a
   * newer one, because it holds the sequence.
   */
  withRedoRow(ops: DiskOp[]): DiskOp[] {
    if (this.#line === null) return ops
    this.#last += 1
    this.#lastMs = Math.max(this.#lastMs, this.#now())
    const all: DiskOp[] = [...ops, { type: 'put', key: redoKey(this.#last), value: batchText(this.#lastMs, ops) }]
    for (let left = REMOVED_AT_ONCE; left > 0 && this.#oldest <= this.#archived; left -= 1) {
      all.push({ type: 'del', key: redoKey(this.#oldest) })
      this.#oldest += 1
    }
    return all
  }

  async after(sequence: number, limit: number): Promise<{ sequence: number; text: string }[]> {
    const batches: { sequence: number; text: string }[] = []
    for await (const page of this.#disk.pages(redoAfter(sequence), limit)) {
      for (const [key, text] of page) batches.push({ sequence: Number(lastPart(key)), text })
    }
    return batches
  }

  archived(through: number): void {
    this.#archived = Math.min(Math.max(this.#archived, through), this.#last)
  }

  async begin(line: string): Promise<void> {
    await this.end()
    const archiveLine = { line, from: this.#last + 1 }
    await this.#disk.write([{ type: 'put', key: ARCHIVE_KEY, value: JSON.stringify(archiveLine) }], { sync: true })
    this.#line = archiveLine
    this.#oldest = archiveLine.from
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
