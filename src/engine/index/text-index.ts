// Hash table from texts to numbers. It stores numbers and hashes only (8 bytes per slot) and asks a callback whether a
// text belongs to a number. Above 16,384 entries it splits into 256 tables, so that no single growth takes long.

const SPLIT_AT = 1 << 14
const SHARDS = 256
const FIRST_SLOTS = 16

interface Shard {
  /**
   * Pairs of number + 1 (0: free slot) and hash. The number of pairs is a power of two; at most three quarters are
   * used.
   */
  slots: Uint32Array
  used: number
}

/** Texts by their hashes, each with its number. */
export interface HashList {
  readonly hashes: Uint32Array
  readonly numbers: Uint32Array
  readonly count: number
}

/** A text that was not added, because a text with the same hash is present. */
interface Alike {
  readonly hash: number
  readonly number: number
  /** The number of the first one with the hash. */
  readonly present: number
}

export class TextIndex {
  readonly #isOf: (number: number, text: string) => boolean
  #shards: Shard[] = [emptyShard()]
  #size = 0

  /** @param isOf true if `text` is the text of the number, or one of several that the number was added under */
  constructor(isOf: (number: number, text: string) => boolean) {
    this.#isOf = isOf
  }

  find(text: string): number | undefined {
    const hash = textHash(text)
    const { slots } = this.#shardOf(hash)
    const at = this.#placeOf(slots, hash, text)
    return slots[at] === 0 ? undefined : slots[at]! - 1
  }

  /** The text must not be present. */
  add(text: string, number: number): void {
    this.#add(textHash(text), number)
  }

  /** Adds the text unless it is present; then returns the number it is present with. */
  claim(text: string, number: number): number | undefined {
    const hash = textHash(text)
    const { slots } = this.#shardOf(hash)
    const at = this.#placeOf(slots, hash, text)
    if (slots[at] !== 0) return slots[at]! - 1
    this.#add(hash, number)
    return undefined
  }

  /**
   * Adds many texts by their hashes, table by table, so that each table grows once and stays in the processor's cache
   * meanwhile. If the hash of a text is already present, the text may be present too: it is returned instead of added.
   * Yields periodically.
   */
  *fill(list: HashList): Generator<undefined, Alike[]> {
    const alike: Alike[] = []
    if (this.#shards.length === 1 && this.#size + list.count > SPLIT_AT) this.#split()
    const { hashes, numbers, ends } = inShards(list, this.#shards.length)
    yield
    let begin = 0
    for (const [index, shard] of this.#shards.entries()) {
      const end = ends[index]!
      const before = shard.used
      fillShard(shard, hashes.subarray(begin, end), numbers.subarray(begin, end), alike)
      this.#size += shard.used - before
      begin = end
      yield
    }
    return alike
  }

  /** Removes a text that was added with this number. Does not call `isOf`. */
  delete(text: string, number: number): void {
    const hash = textHash(text)
    const shard = this.#shardOf(hash)
    const { slots } = shard
    const last = slots.length - 2
    let at = (hash * 2) & last
    while (slots[at] !== 0 && !(slots[at + 1] === hash && slots[at] === number + 1)) at = (at + 2) & last
    if (slots[at] === 0) return
    slots[at] = 0
    shard.used -= 1
    this.#size -= 1
    // Later entries of the cluster may have been displaced past the gap: place them again.
    for (at = (at + 2) % slots.length; slots[at] !== 0; at = (at + 2) % slots.length) {
      const number = slots[at]!
      slots[at] = 0
      place(slots, number, slots[at + 1]!)
    }
  }

  /** Slot of the text, or the free slot that ends its probe sequence. */
  #placeOf(slots: Uint32Array, hash: number, text: string): number {
    const last = slots.length - 2
    let at = (hash * 2) & last
    while (slots[at] !== 0 && !(slots[at + 1] === hash && this.#isOf(slots[at]! - 1, text))) at = (at + 2) & last
    return at
  }

  #add(hash: number, number: number): void {
    if (this.#size === SPLIT_AT && this.#shards.length === 1) this.#split()
    put(this.#shardOf(hash), number + 1, hash)
    this.#size += 1
  }

  #shardOf(hash: number): Shard {
    return this.#shards.length === 1 ? this.#shards[0]! : this.#shards[hash >>> 24]!
  }

  #split(): void {
    const { slots } = this.#shards[0]!
    this.#shards = Array.from({ length: SHARDS }, emptyShard)
    for (let at = 0; at < slots.length; at += 2)
      if (slots[at] !== 0) put(this.#shardOf(slots[at + 1]!), slots[at]!, slots[at + 1]!)
  }
}

function emptyShard(): Shard {
  return { slots: new Uint32Array(2 * FIRST_SLOTS), used: 0 }
}

function put(shard: Shard, number: number, hash: number): void {
  shard.used += 1
  reserve(shard, shard.used)
  place(shard.slots, number, hash)
}

/** Makes room for this many pairs. */
function reserve(shard: Shard, pairs: number): void {
  let { length } = shard.slots
  while (pairs * 8 > length * 3) length *= 2
  if (length === shard.slots.length) return
  const slots = new Uint32Array(length)
  for (let at = 0; at < shard.slots.length; at += 2)
    if (shard.slots[at] !== 0) place(slots, shard.slots[at]!, shard.slots[at + 1]!)
  shard.slots = slots
}

/** The list sorted by shard, with the end of each shard's part. */
function inShards(list: HashList, shards: number): Omit<HashList, 'count'> & { readonly ends: Uint32Array } {
  const { count } = list
  const [hashes, numbers] = [new Uint32Array(count), new Uint32Array(count)]
  // Shifting by 32 requires two shifts.
  const [first, second] = shards === 1 ? [31, 1] : [24, 0]
  const next = new Uint32Array(shards + 1)
  for (let at = 0; at < count; at += 1) next[((list.hashes[at]! >>> first) >>> second) + 1]! += 1
  for (let shard = 0; shard < shards; shard += 1) next[shard + 1]! += next[shard]!
  for (let at = 0; at < count; at += 1) {
    const hash = list.hashes[at]!
    const shard = (hash >>> first) >>> second
    const to = next[shard]!
    next[shard] = to + 1
    hashes[to] = hash
    numbers[to] = list.numbers[at]!
  }
  return { hashes, numbers, ends: next }
}

function fillShard(shard: Shard, hashes: Uint32Array, numbers: Uint32Array, alike: Alike[]): void {
  reserve(shard, shard.used + hashes.length)
  for (let at = 0; at < hashes.length; at += 1) {
    const [hash, number] = [hashes[at]!, numbers[at]!]
    const present = numberOf(shard.slots, hash)
    if (present !== undefined) alike.push({ hash, number, present })
    else put(shard, number + 1, hash)
  }
}

/** The number of the first text with the hash. */
function numberOf(slots: Uint32Array, hash: number): number | undefined {
  const last = slots.length - 2
  let at = (hash * 2) & last
  while (slots[at] !== 0 && slots[at + 1] !== hash) at = (at + 2) & last
  return slots[at] === 0 ? undefined : slots[at]! - 1
}

function place(slots: Uint32Array, number: number, hash: number): void {
  const last = slots.length - 2
  let at = (hash * 2) & last
  while (slots[at] !== 0) at = (at + 2) & last
  slots[at] = number
  slots[at + 1] = hash
}

/** The state of the hash before the first part of a text. */
export const EMPTY_TEXT = 0x811c9dc5

/** Continues with a part of a text. */
export function extendHash(hash: number, text: string, from = 0, to = text.length): number {
  let next = hash
  for (let at = from; at < to; at += 1) next = Math.imul(next ^ text.charCodeAt(at), 0x01000193)
  return next
}

/** The hash of all parts passed to `extendHash`. */
export function finalHash(state: number): number {
  let hash = Math.imul(state ^ (state >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}

/**
 * FNV-1a over UTF-16 units, then the finalizer of MurmurHash3, so that high and low bits are equally well distributed.
 * `extendHash` and `finalHash` compute it piece by piece, so that the parts of a text need not be joined first.
 */
export function textHash(text: string): number {
  return finalHash(extendHash(EMPTY_TEXT, text))
}
