// The clock of the chain: the open slot, and the blockhashes of recent blocks (the last 151 are valid). Only time
// advances it, never load. After a pause it makes up for a few empty slots and continues from there, so a suspended
// machine does not age blockhashes.

import { blockhashOf, heightIn, Segments, timeIn, type Segment } from './segments.ts'
import { SLOT_HASHES_KEPT, type SlotHashEntry } from './sysvars.ts'

/** A blockhash is valid for the 151 blocks after its own. */
export const BLOCKHASH_BLOCKS = 151
/** Maximum number of empty slots that a late timer makes up for at once. */
const CATCH_UP_SLOTS = 8
/**
 * Slots reserved on disk ahead of the open one. A start skips at most this many, well below the life of a blockhash.
 */
export const RESERVED_SLOTS = 64
const DRIFT_MS = 2000

export interface TimelineOptions {
  readonly segments: Segments
  readonly openSlot: number
  readonly chainSeed: string
  readonly slotMs: number
  readonly finalitySlots: number
  /** Wall clock, Unix milliseconds. */
  readonly now: () => number
  /** Monotonic milliseconds. */
  readonly elapsed: () => number
  /** Stores a segment; `durable` is called when it is on disk. */
  readonly store: (segment: Segment, durable: () => void) => void
}

export interface RecentBlock extends SlotHashEntry {
  readonly height: number
}

export class Timeline {
  readonly #options: TimelineOptions
  readonly segments: Segments
  /** The newest closed blocks, oldest first. */
  #recent: RecentBlock[] = []
  readonly #heightByHash = new Map<string, number>()
  #open: number
  #segment: Segment
  /** Monotonic milliseconds at which the open slot began. */
  #openedAt: number
  #durableLimit: number
  #reserving = false
  #root = 0

  constructor(options: TimelineOptions) {
    this.#options = options
    this.segments = options.segments
    this.#open = options.openSlot
    this.#segment = options.segments.last
    this.#durableLimit = this.#segment.limit
    this.#openedAt = this.#options.elapsed()
    let slot = this.segments.parentOf(this.#open)
    const blocks: RecentBlock[] = []
    while (blocks.length < SLOT_HASHES_KEPT) {
      blocks.push(this.#block(slot))
      const parent = this.segments.parentOf(slot)
      if (parent === slot) break
      slot = parent
    }
    for (const block of blocks.reverse()) this.#remember(block)
    // Blocks of an earlier run are on disk and final.
    this.#root = this.latest.slot
  }

  get openSlot(): number {
    return this.#open
  }

  get openHeight(): number {
    return heightIn(this.#segment, this.#open)
  }

  /** Newest final slot. Never decreases. */
  get rootSlot(): number {
    return this.#root
  }

  get parentSlot(): number {
    return this.latest.slot
  }

  /** The newest closed block. */
  get latest(): RecentBlock {
    return this.#recent[this.#recent.length - 1]!
  }

  /** Closed blocks, newest first, at most 512. */
  newestFirst(): RecentBlock[] {
    return this.#recent.toReversed()
  }

  /** Unix seconds of a slot with a block, up to the open slot; null otherwise. */
  timeOf(slot: number): number | null {
    const segment = slot > this.#open ? null : this.segments.of(slot)
    return segment ? timeIn(segment, slot) : null
  }

  heightOf(slot: number): number | null {
    const segment = slot > this.#open ? null : this.segments.of(slot)
    return segment ? heightIn(segment, slot) : null
  }

  /** Blockhash (latin1) of a closed block; null for the open slot and slots without a block. */
  blockhash(slot: number): string | null {
    if (slot >= this.#open || !this.segments.of(slot)) return null
    return this.#block(slot).hash
  }

  /** Height of the block with this hash, if a transaction may still use it in the open slot; else null. */
  heightOfBlockhash(hash: string): number | null {
    const height = this.#heightByHash.get(hash)
    return height !== undefined && this.openHeight - height <= BLOCKHASH_BLOCKS ? height : null
  }

  hasSlotHash(slot: number): boolean {
    return this.#recent.some((block) => block.slot === slot)
  }

  /** Opens the slots that are due, at most a few at once. Calls `opened` after each. */
  poll(opened: () => void): void {
    const { slotMs } = this.#options
    const now = this.#options.elapsed()
    let due = Math.floor((now - this.#openedAt) / slotMs)
    if (due <= 0) return
    if (due > CATCH_UP_SLOTS) {
      due = CATCH_UP_SLOTS
      this.#openedAt = now - due * slotMs
    }
    for (; due > 0; due -= 1) {
      if (!this.#step()) {
        // The reservation is not on disk yet: the slot stays open meanwhile.
        this.#openedAt = now
        return
      }
      this.#openedAt += slotMs
      opened()
    }
  }

  /**
   * Opens `count` slots now, regardless of time. Returns how many were opened: a reservation may have to reach the disk
   * first.
   */
  advance(count: number, opened: () => void): number {
    let done = 0
    while (done < count && this.#step()) {
      done += 1
      opened()
    }
    this.#openedAt = this.#options.elapsed()
    return done
  }

  #step(): boolean {
    const next = this.#open + 1
    if (next + RESERVED_SLOTS / 2 > this.#durableLimit) this.#reserve(next)
    if (next > this.#durableLimit) return false
    this.#remember(this.#block(this.#open))
    const wallMs = this.#options.now()
    const dueMs = this.#segment.timeMs + (next - this.#segment.firstSlot) * this.#segment.stepMs
    const holds = this.#segment.stepMs === 0
    const behind = wallMs - dueMs > (holds ? 0 : DRIFT_MS)
    const ahead = !holds && dueMs - wallMs > DRIFT_MS
    if (behind || ahead) {
      const lastMs = dueMs - this.#segment.stepMs
      this.#begin({
        firstSlot: next,
        firstHeight: this.openHeight + 1,
        parentSlot: this.#open,
        timeMs: Math.max(lastMs, wallMs),
        stepMs: ahead ? 0 : this.#options.slotMs,
        seed: this.#segment.seed,
        limit: this.#segment.limit,
      })
    }
    this.#open = next
    this.#root = Math.max(this.#root, this.#slotBehind(this.#options.finalitySlots))
    return true
  }

  #begin(segment: Segment): void {
    this.segments.add(segment)
    this.#segment = segment
    this.#options.store(segment, () => undefined)
  }

  #reserve(next: number): void {
    if (this.#reserving) return
    this.#reserving = true
    const limit = next + RESERVED_SLOTS
    this.#segment = { ...this.#segment, limit }
    this.segments.add(this.#segment)
    this.#options.store(this.#segment, () => {
      this.#reserving = false
      this.#durableLimit = Math.max(this.#durableLimit, limit)
    })
  }

  /**
   * Removes the open slot and the closed blocks above the root, newest first, at most `count` in all, and opens a
   * higher slot on the remaining block. Returns the removed slots. The caller must first seal everything stored for
   * them.
   */
  forkAway(count: number): readonly number[] {
    const removed = [this.#open]
    while (removed.length < count && this.latest.slot > this.#root) {
      const block = this.#recent.pop()!
      this.#heightByHash.delete(block.hash)
      removed.push(block.slot)
    }
    const firstSlot = this.#open + 1
    const parent = this.latest
    const timeMs = Math.max((this.timeOf(this.#open) ?? 0) * 1000, this.#options.now())
    this.#open = firstSlot
    this.#begin({
      firstSlot,
      firstHeight: parent.height + 1,
      parentSlot: parent.slot,
      timeMs,
      stepMs: this.#options.slotMs,
      seed: this.#segment.seed,
      limit: Math.max(this.#segment.limit, firstSlot),
    })
    this.#durableLimit = Math.max(this.#durableLimit, firstSlot)
    return removed
  }

  /** Releases the reserved slots, so that the next start continues right after the open slot. */
  release(): void {
    this.#begin({ ...this.#segment, limit: this.#open })
  }

  /** The closed block `count` blocks below the open one, or the oldest known. */
  #slotBehind(count: number): number {
    return (this.#recent[this.#recent.length - count] ?? this.#recent[0]!).slot
  }

  #block(slot: number): RecentBlock {
    const segment = this.segments.of(slot)
    if (!segment) throw new Error(`slot ${slot} holds no block`)
    return { slot, height: heightIn(segment, slot), hash: blockhashOf(this.#options.chainSeed, segment, slot) }
  }

  #remember(block: RecentBlock): void {
    this.#recent.push(block)
    this.#heightByHash.set(block.hash, block.height)
    if (this.#recent.length > SLOT_HASHES_KEPT) this.#heightByHash.delete(this.#recent.shift()!.hash)
  }
}
