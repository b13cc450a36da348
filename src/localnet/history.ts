// Reads executed transactions: by signature, by address (each row points to the previous row of every address that it
// names), by slot. Returns only durable rows. The newest rows are cached in memory.

import { decodeSignature } from './base58.ts'
import {
  chunkOf,
  chunkRows,
  indexOf,
  bytesKey,
  numberKey,
  locationOf,
  PREFIX,
  readBlockRow,
  type BlockRow,
} from './commit.ts'
import type { Ledger } from './ledger.ts'
import { LedgerRow } from './row-read.ts'

const ROWS_KEPT = 8192
const BLOCKS_KEPT = 1024
const CHUNKS_KEPT = 16

export class History {
  readonly #ledger: Ledger
  readonly #rows = new Map<number, LedgerRow>()
  readonly #blocks = new Map<number, BlockRow>()
  /** Rows of chunks recently read from disk. */
  readonly #chunks = new Map<number, LedgerRow[]>()
  /** Rows up to this location are on disk. */
  durable: number

  constructor(ledger: Ledger, durable: number) {
    this.#ledger = ledger
    this.durable = durable
  }

  /** Caches a new row. */
  add(row: LedgerRow, block: BlockRow): void {
    this.#rows.set(row.location, row)
    if (this.#rows.size > ROWS_KEPT) this.#rows.delete(this.#rows.keys().next().value!)
    if (!this.#blocks.has(block.slot)) this.#blocks.set(block.slot, block)
    if (this.#blocks.size > BLOCKS_KEPT) this.#blocks.delete(this.#blocks.keys().next().value!)
  }

  forget(rows: readonly LedgerRow[], slots: readonly number[]): void {
    for (const { location } of rows) {
      this.#rows.delete(location)
      this.#chunks.delete(chunkOf(location))
    }
    for (const slot of slots) this.#blocks.delete(slot)
  }

  at(location: number): LedgerRow | null {
    const cached = this.#rows.get(location)
    if (cached) return cached
    return this.#chunk(chunkOf(location))[indexOf(location)] ?? null
  }

  locationOf(signature: string): number | null {
    const bytes = decodeSignature(signature)
    if (bytes === null) return null
    return this.#ledger.get(bytesKey(PREFIX.signature, bytes.toString('latin1')))?.readDoubleLE(0) ?? null
  }

  transaction(signature: string, recentLocation: number | null): LedgerRow | null {
    const location = recentLocation ?? this.locationOf(signature)
    return location === null || location > this.durable ? null : this.at(location)
  }

  /** Newest first, starting at `head`. Bounds are locations, exclusive; `until` 0 for none. */
  ofAddress(
    key: string,
    head: number,
    limit: number,
    { before, until }: { readonly before: number; readonly until: number },
  ): LedgerRow[] {
    const rows: LedgerRow[] = []
    let location = head
    while (location > until && rows.length < limit) {
      const row = this.at(location)
      if (!row) break
      if (location < before && location <= this.durable) rows.push(row)
      location = row.previousOf(key) ?? 0
    }
    return rows
  }

  block(slot: number): BlockRow | null {
    const cached = this.#blocks.get(slot)
    if (cached) return cached
    const bytes = this.#ledger.get(numberKey(PREFIX.block, slot))
    return bytes && readBlockRow(slot, bytes)
  }

  /** Rows of a slot in execution order; null while some of them are not on disk. */
  ofBlock(block: BlockRow): LedgerRow[] | null {
    const rows: LedgerRow[] = []
    for (let id = block.firstChunk; id <= block.lastChunk; id += 1) {
      if (locationOf(id, 0) > this.durable) return null
      rows.push(...this.#chunk(id))
    }
    return rows
  }

  #chunk(id: number): LedgerRow[] {
    const cached = this.#chunks.get(id)
    if (cached) return cached
    const bytes = this.#ledger.get(numberKey(PREFIX.chunk, id))
    if (!bytes) return []
    const rows: LedgerRow[] = []
    for (const row of chunkRows(bytes)) rows.push(new LedgerRow(row, locationOf(id, rows.length)))
    this.#chunks.set(id, rows)
    if (this.#chunks.size > CHUNKS_KEPT) this.#chunks.delete(this.#chunks.keys().next().value!)
    return rows
  }
}
