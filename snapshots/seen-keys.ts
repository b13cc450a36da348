// Tells from memory that a key is not on disk. Nearly every request brings an idempotency key, and every transaction a message, that was
// never there before: LevelDB looks for such a key in every level, and takes each look in vain for a reason to rewrite the file it looked in
// first, until rewriting takes more of the machine than the writes themselves.
//
// Bloom filters, each for twice as many keys as the one before, at two bytes a key. What was added is never denied. Of other keys each filter
// takes (1 - e^(-4/16))^4, one in 400, for known: the disk is asked for those, as it is for all until every key on it was read once.
// Keys of one 32-bit hash are alike here: of ten million keys that takes another one in 400.

const FIRST_KEYS = 1 << 16
const BITS_PER_KEY = 16
/** Bits set for a key. */
const PROBES = 4

interface Filter {
  readonly words: Uint32Array
  readonly keys: number
}

export class SeenKeys {
  readonly #filters: Filter[] = [filterFor(FIRST_KEYS)]
  /** In the last filter. */
  #added = 0
  #complete = false

  /** Of what is on disk, all was added. */
  complete(): void {
    this.#complete = true
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
      const bit = placeOf(words, first, step, probe)
      words[bit >>> 5]! |= 1 << (bit & 31)
    }
  }

  /** False: it is certainly not on disk. */
  mayHave(key: string): boolean {
    if (!this.#complete) return true
    const [first, step] = hashesOf(key)
    return this.#filters.some(({ words }) => isIn(words, first, step))
  }
}

function filterFor(keys: number): Filter {
  return { words: new Uint32Array((keys * BITS_PER_KEY) / 32), keys }
}

function isIn(words: Uint32Array, first: number, step: number): boolean {
  for (let probe = 0; probe < PROBES; probe += 1) {
    const bit = placeOf(words, first, step, probe)
    if ((words[bit >>> 5]! & (1 << (bit & 31))) === 0) return false
  }
  return true
}

/** Two hashes make as many as are needed (Kirsch and Mitzenmacher, "Less Hashing, Same Performance"). Filters have a power of two of bits. */
function placeOf(words: Uint32Array, first: number, step: number, probe: number): number {
  return (first + Math.imul(step, probe)) & (words.length * 32 - 1)
}

/** FNV-1a over UTF-16 units, finished in two ways (the finalizers of MurmurHash3). The second is odd, so that no two probes are one. */
function hashesOf(key: string): readonly [first: number, step: number] {
  let hash = 0x811c9dc5
  for (let at = 0; at < key.length; at += 1) hash = Math.imul(hash ^ key.charCodeAt(at), 0x01000193)
  const first = mixed(hash, 0x85ebca6b, 0xc2b2ae35)
  return [first, mixed(hash ^ 0x5bd1e995, 0xcc9e2d51, 0x1b873593) | 1]
}

function mixed(hash: number, one: number, other: number): number {
  let mix = Math.imul(hash ^ (hash >>> 16), one)
  mix = Math.imul(mix ^ (mix >>> 13), other)
  return mix ^ (mix >>> 16)
}
