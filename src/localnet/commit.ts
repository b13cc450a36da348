// One group commit: all changes since the last batch, in their on-disk form. An account that changes many times within
// a group is written once.
//
// Rows by the first byte of the key: a account; b block (transactions of a slot); h newest transaction of an address
// without an account row; m identity of the chain and its archive; s segment of slots; t transactions of a group; w
// redo row (see `redo.ts`); x signature.

import type { StoredAccount } from './accounts.ts'
import { writeSegment, type Segment } from './segments.ts'
import { LENGTH_BYTES, lengthAndRow } from './slab.ts'

/** The part of a LevelDB batch that is used here. */
export interface Sink {
  put(key: Buffer, value: Buffer): unknown
  del(key: Buffer): unknown
}

const letter = (text: string): number => text.charCodeAt(0)
export const PREFIX = {
  account: letter('a'),
  block: letter('b'),
  head: letter('h'),
  segment: letter('s'),
  chunk: letter('t'),
  signature: letter('x'),
} as const

/** Maximum number of transactions per row; a location is chunk x 65536 + index. */
const CHUNK_ROWS = 4096
const CHUNK_BYTES = 1 << 20
const INDEXES = 65_536

export const locationOf = (chunk: number, index: number): number => chunk * INDEXES + index
export const chunkOf = (location: number): number => Math.floor(location / INDEXES)
export const indexOf = (location: number): number => location % INDEXES

export function bytesKey(prefix: number, key: string): Buffer {
  const bytes = Buffer.allocUnsafe(1 + key.length)
  bytes[0] = prefix
  bytes.write(key, 1, 'latin1')
  return bytes
}

export function numberKey(prefix: number, value: number): Buffer {
  const bytes = Buffer.allocUnsafe(7)
  bytes[0] = prefix
  bytes.writeUIntBE(value, 1, 6)
  return bytes
}

function doubles(...values: number[]): Buffer {
  const bytes = Buffer.allocUnsafe(values.length * 8)
  for (let i = 0; i < values.length; i += 1) bytes.writeDoubleLE(values[i]!, i * 8)
  return bytes
}

/** lamports u64 | head f64 | executable u8 | owner 32 | data */
function writeAccount(account: StoredAccount): Buffer {
  const bytes = Buffer.allocUnsafe(49 + account.data.length)
  bytes.writeBigUInt64LE(account.lamports, 0)
  bytes.writeDoubleLE(account.head, 8)
  bytes[16] = account.executable ? 1 : 0
  bytes.set(account.owner, 17)
  bytes.set(account.data, 49)
  return bytes
}

/** Rows of one slot in one group, each preceded by its length (u32). */
export interface Chunk {
  readonly id: number
  readonly slot: number
  readonly rows: Buffer[]
  bytes: number
}

/** The rows as one value; without copying if they are contiguous in memory. */
function chunkValue({ rows, bytes }: Chunk): Buffer {
  const first = rows[0]!
  const last = rows[rows.length - 1]!
  const together =
    first.buffer === last.buffer && last.byteOffset + last.length - first.byteOffset + LENGTH_BYTES === bytes
  return together
    ? Buffer.from(first.buffer, first.byteOffset - LENGTH_BYTES, bytes)
    : Buffer.concat(rows.map((row) => lengthAndRow(row)))
}

/** The rows of a stored chunk, in order. */
export function* chunkRows(bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at < bytes.length;) {
    const start = at + LENGTH_BYTES
    at = start + bytes.readUInt32LE(at)
    yield bytes.subarray(start, at)
  }
}

/** Chunks of a slot, and the number of transactions of the chain up to its end. */
export interface BlockRow {
  readonly slot: number
  readonly firstChunk: number
  lastChunk: number
  total: number
}

export function readBlockRow(slot: number, bytes: Buffer): BlockRow {
  return { slot, firstChunk: bytes.readDoubleLE(0), lastChunk: bytes.readDoubleLE(8), total: bytes.readDoubleLE(16) }
}

export class Commit {
  /** State of changed accounts before the group, for readers of durable state. The newest state is written. */
  readonly before = new Map<string, StoredAccount | null>()
  /** Keys whose account row must be written (or removed). */
  readonly #accounts = new Map<string, StoredAccount | null>()
  readonly #heads = new Map<string, number>()
  readonly chunks: Chunk[] = []
  readonly #blocks = new Map<number, BlockRow>()
  readonly #segments = new Map<number, Segment>()
  readonly #signatures: { readonly bytes: Buffer; readonly location: number }[] = []
  readonly #deleted: Buffer[] = []
  readonly #meta: { readonly key: Buffer; readonly value: Buffer }[] = []
  readonly #durable: (() => void)[] = []

  get isEmpty(): boolean {
    return this.#durable.length === 0 && this.#segments.size === 0
  }

  /** Runs after the batch is on disk, in the order of the calls. */
  whenDurable(run: () => void): void {
    this.#durable.push(run)
  }

  settle(): void {
    for (const run of this.#durable) run()
  }

  account(key: string, before: StoredAccount | null, after: StoredAccount | null): void {
    if (!this.before.has(key)) this.before.set(key, before)
    this.#accounts.set(key, after)
  }

  /** The newest transaction of an address. `account` is set if its row can store it. */
  head(key: string, location: number, account: StoredAccount | null): void {
    if (account) this.#accounts.set(key, account)
    else this.#heads.set(key, location)
  }

  /** Location of the next transaction. `nextChunk` provides a new id when the slot changes or the chunk is full. */
  nextLocation(slot: number, nextChunk: () => number): number {
    const last = this.chunks[this.chunks.length - 1]
    if (last?.slot === slot && last.rows.length < CHUNK_ROWS && last.bytes < CHUNK_BYTES)
      return locationOf(last.id, last.rows.length)
    const chunk = { id: nextChunk(), slot, rows: [], bytes: 0 }
    this.chunks.push(chunk)
    return locationOf(chunk.id, 0)
  }

  transaction(row: Buffer, location: number, signature: Buffer, block: BlockRow): void {
    const chunk = this.chunks[this.chunks.length - 1]!
    chunk.rows.push(row)
    chunk.bytes += LENGTH_BYTES + row.length
    this.#signatures.push({ bytes: signature, location })
    this.#blocks.set(block.slot, block)
  }

  segment(segment: Segment): void {
    this.#segments.set(segment.firstSlot, segment)
  }

  meta(key: Buffer, value: Buffer): void {
    this.#meta.push({ key, value })
  }

  /** Removes a row of an earlier group. */
  remove(key: Buffer): void {
    this.#deleted.push(key)
  }

  /** Adds all changes to a batch. */
  write(sink: Sink): void {
    for (const chunk of this.chunks) sink.put(numberKey(PREFIX.chunk, chunk.id), chunkValue(chunk))
    for (const { bytes, location } of this.#signatures) {
      const key = Buffer.allocUnsafe(65)
      key[0] = PREFIX.signature
      key.set(bytes, 1)
      sink.put(key, doubles(location))
    }
    for (const [key, account] of this.#accounts) {
      if (account) sink.put(bytesKey(PREFIX.account, key), writeAccount(account))
      else sink.del(bytesKey(PREFIX.account, key))
    }
    for (const [key, location] of this.#heads) sink.put(bytesKey(PREFIX.head, key), doubles(location))
    for (const { slot, firstChunk, lastChunk, total } of this.#blocks.values()) {
      sink.put(numberKey(PREFIX.block, slot), doubles(firstChunk, lastChunk, total))
    }
    for (const segment of this.#segments.values())
      sink.put(numberKey(PREFIX.segment, segment.firstSlot), writeSegment(segment))
    for (const { key, value } of this.#meta) sink.put(key, value)
    for (const key of this.#deleted) sink.del(key)
  }
}
