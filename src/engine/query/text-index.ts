// Finds numbers by their texts: a hash table that keeps the numbers only, 4 bytes a slot, and asks for the texts where they lie anyway.
// Beyond some thousands it is many small tables, so that none takes long to grow.

const SPLIT_AT = 1 << 14
const SHARDS = 256
const FIRST_SLOTS = 16

interface Shard {
  /** Number + 1; 0 is free. A power of two of them, at most three quarters taken. */
  slots: Uint32Array
  used: number
}

export class TextIndex {
  readonly #textOf: (number: number) => string
  #shards: Shard[] = [emptyShard()]
  #size = 0

  constructor(textOf: (number: number) => string) {
    this.#textOf = textOf
  }

  find(text: string): number | undefined {
    const hash = hashOf(text)
    const { slots } = this.#shardOf(hash)
    const mask = slots.length - 1
    for (let at = hash & mask; slots[at] !== 0; at = (at + 1) & mask) {
      const number = slots[at]! - 1
      if (this.#textOf(number) === text) return number
    }
    return undefined
  }

  /** The text must not be in yet. */
  add(text: string, number: number): void {
    if (this.#size === SPLIT_AT && this.#shards.length === 1) this.#split()
    const hash = hashOf(text)
    const shard = this.#shardOf(hash)
    if ((shard.used + 1) * 4 > shard.slots.length * 3) this.#resize(shard)
    place(shard.slots, hash, number)
    shard.used += 1
    this.#size += 1
  }

  /** Its text must still be there to be asked for. */
  delete(text: string): void {
    const hash = hashOf(text)
    const shard = this.#shardOf(hash)
    const { slots } = shard
    const mask = slots.length - 1
    let at = hash & mask
    while (slots[at] !== 0 && this.#textOf(slots[at]! - 1) !== text) at = (at + 1) & mask
    if (slots[at] === 0) return
    slots[at] = 0
    shard.used -= 1
    this.#size -= 1
    // What follows may have been pushed past the gap: it takes its place again.
    for (let next = (at + 1) & mask; slots[next] !== 0; next = (next + 1) & mask) {
      const number = slots[next]! - 1
      slots[next] = 0
      place(slots, hashOf(this.#textOf(number)), number)
    }
  }

  #shardOf(hash: number): Shard {
    return this.#shards.length === 1 ? this.#shards[0]! : this.#shards[hash >>> 24]!
  }

  #split(): void {
    const { slots } = this.#shards[0]!
    this.#shards = Array.from({ length: SHARDS }, emptyShard)
    for (const slot of slots) {
      if (slot === 0) continue
      const hash = hashOf(this.#textOf(slot - 1))
      const shard = this.#shardOf(hash)
      if ((shard.used + 1) * 4 > shard.slots.length * 3) this.#resize(shard)
      place(shard.slots, hash, slot - 1)
      shard.used += 1
    }
  }

  #resize(shard: Shard): void {
    const slots = new Uint32Array(shard.slots.length * 2)
    for (const slot of shard.slots) if (slot !== 0) place(slots, hashOf(this.#textOf(slot - 1)), slot - 1)
    shard.slots = slots
  }
}

function emptyShard(): Shard {
  return { slots: new Uint32Array(FIRST_SLOTS), used: 0 }
}

function place(slots: Uint32Array, hash: number, number: number): void {
  const mask = slots.length - 1
  let at = hash & mask
  while (slots[at] !== 0) at = (at + 1) & mask
  slots[at] = number + 1
}

/** FNV-1a over UTF-16 units, mixed once more so that high and low bits are equally good (the finalizer of MurmurHash3). */
function hashOf(text: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}
