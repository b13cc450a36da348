// The chain's slots without a row per slot. A segment defines from which slot on slots have which height, time and
// seed; everything about an empty slot (height, parent, time, blockhash) follows from it. A new segment begins at every
// start, after a pause or a jump of the clock, and after slots were removed (slots between a segment's parent and its
// first slot have no block).

import { hash } from 'node:crypto'

export interface Segment {
  readonly firstSlot: number
  readonly firstHeight: number
  /** Slot of the block before the first; equal to `firstSlot` for the very first segment. */
  readonly parentSlot: number
  /**
   * Unix milliseconds at the first slot, and milliseconds per slot after it (0 holds the time until the clock has
   * caught up).
   */
  readonly timeMs: number
  readonly stepMs: number
  /** 32 random bytes of the run that created the segment, latin1: no run can repeat another's blockhashes. */
  readonly seed: string
  /** Slots up to this one may have been opened; a start continues after it. */
  readonly limit: number
}

const SEGMENT_BYTES = 80

export function writeSegment(segment: Segment): Buffer {
  const bytes = Buffer.alloc(SEGMENT_BYTES)
  const { firstSlot, firstHeight, parentSlot, timeMs, stepMs, limit } = segment
  for (const [i, value] of [firstSlot, firstHeight, parentSlot, timeMs, stepMs, limit].entries())
    bytes.writeDoubleLE(value, i * 8)
  bytes.write(segment.seed, 48, 'latin1')
  return bytes
}

export function readSegment(bytes: Buffer): Segment {
  const at = (i: number): number => bytes.readDoubleLE(i * 8)
  const seed = bytes.toString('latin1', 48, 80)
  return { firstSlot: at(0), firstHeight: at(1), parentSlot: at(2), timeMs: at(3), stepMs: at(4), limit: at(5), seed }
}

/** Blockhash (latin1, 32 bytes) of a slot: sha256 of the chain's seed, the run's seed, the slot and the height. */
export function blockhashOf(chainSeed: string, segment: Segment, slot: number): string {
  const height = heightIn(segment, slot)
  const input = Buffer.alloc(80)
  input.write(chainSeed, 0, 'latin1')
  input.write(segment.seed, 32, 'latin1')
  input.writeDoubleLE(slot, 64)
  input.writeDoubleLE(height, 72)
  return hash('sha256', input, 'binary')
}

export function heightIn(segment: Segment, slot: number): number {
  return segment.firstHeight + slot - segment.firstSlot
}

/** Unix seconds. */
export function timeIn(segment: Segment, slot: number): number {
  return Math.floor((segment.timeMs + (slot - segment.firstSlot) * segment.stepMs) / 1000)
}

/** Segments in ascending order of their first slot. */
export class Segments {
  readonly list: Segment[]

  constructor(list: Segment[]) {
    this.list = list
  }

  get last(): Segment {
    return this.list[this.list.length - 1]!
  }

  /**
   * Adds a segment. It replaces segments with the same first slot, and those that begin after its parent, which belong
   * to abandoned forks.
   */
  add(segment: Segment): void {
    while (this.list.length > 0 && this.last.firstSlot > segment.parentSlot) this.list.pop()
    if (this.list.length > 0 && this.last.firstSlot === segment.firstSlot) this.list.pop()
    this.list.push(segment)
  }

  /** Index of the segment in which `slot` has a block, or -1 for a slot without a block. */
  indexOf(slot: number): number {
    let low = 0
    let high = this.list.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if (this.list[middle]!.firstSlot <= slot) low = middle + 1
      else high = middle
    }
    const next = this.list[low]
    if (low === 0 || (next && slot > next.parentSlot)) return -1
    return low - 1
  }

  of(slot: number): Segment | null {
    return this.list[this.indexOf(slot)] ?? null
  }

  /** Slot of the previous block; the first block is its own parent. */
  parentOf(slot: number): number {
    const segment = this.of(slot)
    return segment?.firstSlot === slot ? segment.parentSlot : slot - 1
  }
}
