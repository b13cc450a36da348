// One group commit: everything that happened since the last batch went off, as it will stand on disk. Accounts that change
// many times within a group are written once.
//
// Rows (first byte of the key): a account · b block (transactions of a slot) · h newest transaction of an address without an
// account row · m chain · s segment of slots · t transactions of a group · x signature.

import type { StoredAccount } from './accounts.ts'
import { asBuffer } from './accounts.ts'
import { writeSegment, type Segment } from './segments.ts'

export type Operation = { readonly type: 'put'; readonly key: Buffer; readonly value: Buffer } | { readonly type: 'del'; readonly key: Buffer }

const letter = (text: string): number => text.charCodeAt(0)
export const PREFIX = {
  account: letter('a'), block: letter('b'), head: letter('h'), meta: letter('m'), segment: letter('s'), chunk: letter('t'), signature: letter('x'),
} as const

/** Transactions of one row at most; a location is chunk x 65536 + index. */
export const CHUNK_ROWS = 4096
const CHUNK_BYTES = 1 << 20
const INDEXES = 65_536

export const locationOf = (chunk: number, index: number): number => chunk * INDEXES + index
export const chunkOf = (location: number): number => Math.floor(location / INDEXES)
export const indexOf = (location: number): number => location % INDEXES

export function keyed32(prefix: number, key: string): Buffer {
  const bytes = Buffer.allocUnsafe(1 + key.length)
  bytes[0] = prefix
  bytes.write(key, 1, 'latin1')
  return bytes
}

export function keyedNumber(prefix: number, value: number): Buffer {
  const bytes = Buffer.allocUnsafe(7)
  bytes[0] = prefix
  bytes.writeUIntBE(value, 1, 6)
  return bytes
}

/** lamports u64 | head f64 | executable u8 | owner 32 | data */
export function writeAccount(account: StoredAccount): Buffer {
  const bytes = Buffer.allocUnsafe(49 + account.data.length)
  bytes.writeBigUInt64LE(account.lamports, 0)
  bytes.writeDoubleLE(account.head, 8)
  bytes[16] = account.executable ? 1 : 0
  bytes.set(account.owner, 17)
  bytes.set(account.data, 49)
  return bytes
}

/** Rows of one slot in one group: count u16, end offset u32 each, rows. */
export interface Chunk {
  readonly id: number
  readonly slot: number
  readonly rows: Buffer[]
  bytes: number
}

function writeChunk(chunk: Chunk): Buffer {
  const { rows } = chunk
  const head = 2 + rows.length * 4
  const bytes = Buffer.allocUnsafe(head + chunk.bytes)
  bytes.writeUInt16LE(rows.length, 0)
  let end = head
  for (let i = 0; i < rows.length; i += 1) {
    const row = rows[i]!
    bytes.set(row, end)
    end += row.length
    bytes.writeUInt32LE(end, 2 + i * 4)
  }
  return bytes
}

/** Row `index` of a stored chunk, or null past its end. */
export function chunkRow(bytes: Buffer, index: number): Buffer | null {
  const count = bytes.readUInt16LE(0)
  if (index >= count) return null
  const start = index === 0 ? 2 + count * 4 : bytes.readUInt32LE(2 + (index - 1) * 4)
  return bytes.subarray(start, bytes.readUInt32LE(2 + index * 4))
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
  /** Accounts changed: state before the group, for readers of what is durable. The state to write is the newest one. */
  readonly before = new Map<string, StoredAccount | null>()
  /** Keys whose account row must be written (or removed). */
  readonly #accounts = new Map<string, StoredAccount | null>()
  readonly #heads = new Map<string, number>()
  readonly chunks: Chunk[] = []
  readonly #blocks = new Map<number, BlockRow | null>()
  readonly #segments = new Map<number, Segment>()
  readonly #signatures: { readonly bytes: Buffer; readonly location: number }[] = []
  readonly #extra: Operation[] = []
  readonly #durable: (() => void)[] = []

  get isEmpty(): boolean {
    return this.#durable.length === 0 && this.#segments.size === 0 && this.#extra.length === 0
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

  /** The newest transaction of an address; `account` when its own row can carry that. */
  head(key: string, location: number, account: StoredAccount | null): void {
    if (account) this.#accounts.set(key, account)
    else this.#heads.set(key, location)
  }

  /** Appends a transaction; `nextChunk` gives a fresh id when its slot or size calls for another chunk. Returns where it is. */
  nextLocation(slot: number, nextChunk: () => number): number {
    const last = this.chunks[this.chunks.length - 1]
    if (last?.slot === slot && last.rows.length < CHUNK_ROWS && last.bytes < CHUNK_BYTES) return locationOf(last.id, last.rows.length)
    const chunk = { id: nextChunk(), slot, rows: [], bytes: 0 }
    this.chunks.push(chunk)
    return locationOf(chunk.id, 0)
  }

  transaction(row: Buffer, location: number, signature: Buffer, block: BlockRow): void {
    const chunk = this.chunks[this.chunks.length - 1]!
    chunk.rows.push(row)
    chunk.bytes += row.length
    this.#signatures.push({ bytes: Buffer.from(signature), location })
    this.#blocks.set(block.slot, block)
  }

  segment(segment: Segment): void {
    this.#segments.set(segment.firstSlot, segment)
  }

  /** An operation after all others of the group so far. */
  extra(operation: Operation): void {
    this.#extra.push(operation)
  }

  operations(): Operation[] {
    const operations: Operation[] = []
    for (const chunk of this.chunks) operations.push({ type: 'put', key: keyedNumber(PREFIX.chunk, chunk.id), value: writeChunk(chunk) })
    for (const { bytes, location } of this.#signatures) {
      const key = Buffer.allocUnsafe(65)
      key[0] = PREFIX.signature
      key.set(bytes, 1)
      const value = Buffer.allocUnsafe(8)
      value.writeDoubleLE(location)
      operations.push({ type: 'put', key, value })
    }
    for (const [key, account] of this.#accounts) {
      const row = keyed32(PREFIX.account, key)
      operations.push(account ? { type: 'put', key: row, value: writeAccount(account) } : { type: 'del', key: row })
    }
    for (const [key, location] of this.#heads) {
      const value = Buffer.allocUnsafe(8)
      value.writeDoubleLE(location)
      operations.push({ type: 'put', key: keyed32(PREFIX.head, key), value })
    }
    for (const [slot, block] of this.#blocks) {
      if (!block) continue
      const value = Buffer.allocUnsafe(24)
      value.writeDoubleLE(block.firstChunk, 0)
      value.writeDoubleLE(block.lastChunk, 8)
      value.writeDoubleLE(block.total, 16)
      operations.push({ type: 'put', key: keyedNumber(PREFIX.block, slot), value })
    }
    for (const segment of this.#segments.values()) {
      operations.push({ type: 'put', key: keyedNumber(PREFIX.segment, segment.firstSlot), value: writeSegment(segment) })
    }
    operations.push(...this.#extra)
    return operations
  }
}
