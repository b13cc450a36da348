// Answers from memory that a key is not on disk. Nearly every request brings a new idempotency key, and every
// transaction a new message. LevelDB searches all levels for an absent key and counts each failed seek towards
// compaction of the file it searched first, until compaction takes more time than the writes.
// Bloom filters, each for twice as many keys as the previous one, at two bytes per key. There are no false negatives.
// Each filter has a false positive rate of (1 - e^(-4/16))^4, one in 400; the disk is read for those, and for all keys
// until every key on it has been added once. Keys with equal 32-bit hashes are not distinguished: with ten million keys
// that adds another one in 400.

const FIRST_KEYS = 1 << 16
export const BITS_PER_KEY = 16
/** Bits set per key. */
export const PROBES = 4

/** Two hashes of a key. */
export type Hashes = readonly [first: number, step: number]

interface Filter {
  readonly words: Uint32Array
  readonly keys: number
}

export class SeenKeys {
  readonly #filters: Filter[] = [filterFor(FIRST_KEYS)]
  /** Number of keys in the last filter. */
  #added = 0
  #complete = false

  /** Must be called when all keys on disk have been added. */
  complete(): void {
    this.#complete = true
  }

  get isComplete(): boolean {
    return this.#complete
  }

  add(key: string): void {
    let last = this.#filters.at(-1)!
    if (this.#added === last.keys) {
      last = filterFor(last.keys * 2)
      this.#filters.push(last)
      this.#added = 0
    }
    this.#added += 1
    const [first, step] = hashesOf(key)
    const { words } = last
    for (let probe = 0; probe < PROBES; probe += 1) {
      const bit = bitOf(words, first, step, probe)
      words[bit >>> 5]! |= 1 << (bit & 31)
    }
  }

  /** False: the key is not on disk. */
  mayHave(key: string): boolean {
    return this.mayHaveHashed(hashesOf(key))
  }

  /** As `mayHave`, for a key that is looked up in several filters: hashing takes longer than the lookup. */
  mayHaveHashed([first, step]: Hashes): boolean {
    if (!this.#complete) return true
    for (const { words } of this.#filters) if (isIn(words, first, step)) return true
    return false
  }
}

function filterFor(keys: number): Filter {
  return { words: new Uint32Array((keys * BITS_PER_KEY) / 32), keys }
}

function isIn(words: Uint32Array, first: number, step: number): boolean {
  for (let probe = 0; probe < PROBES; probe += 1) {
    const bit = bitOf(words, first, step, probe)
    if ((words[bit >>> 5]! & (1 << (bit & 31))) === 0) return false
  }
  return true
}

/**
 * Derives any number of hashes from two (Kirsch and Mitzenmacher, "Less Hashing, Same Performance"). The number of bits
 * is a power of two.
 */
export function bitOf(words: Uint32Array, first: number, step: number, probe: number): number {
  return (first + Math.imul(step, probe)) & (words.length * 32 - 1)
}

/**
 * FNV-1a over UTF-16 units with two different finalizers (of MurmurHash3). The second hash is odd, so that no two
 * probes coincide.
 */
export function hashesOf(key: string): Hashes {
  let hash = 0x811c9dc5
  for (let at = 0; at < key.length; at += 1) hash = Math.imul(hash ^ key.charCodeAt(at), 0x01000193)
  const first = mixHash(hash, 0x85ebca6b, 0xc2b2ae35)
  return [first, mixHash(hash ^ 0x5bd1e995, 0xcc9e2d51, 0x1b873593) | 1]
}

function mixHash(hash: number, one: number, other: number): number {
  let mix = Math.imul(hash ^ (hash >>> 16), one)
  mix = Math.imul(mix ^ (mix >>> 13), other)
  return mix ^ (mix >>> 16)
}
