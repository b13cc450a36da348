// Finds entries by keys; a key may have several entries. Nearly every key has one: it takes about 14 bytes, because the
// index stores neither the key nor a set, and reads the keys from the entry on lookup. A key with several entries is
// stored with a set.
import type { Entry } from '../records/entry.ts'
import { TextIndex, type HashList } from './text-index.ts'

/** Number of entries whose keys are cached, because they are requested repeatedly. A power of two. */
const REMEMBERED = 4_096

export interface EntryNumbering {
  /** The entry with this number; it must be in the index. */
  entryAt(number: number): Entry
  /** The current keys of the entry. */
  keysAt(number: number): readonly string[]
}

export class KeyIndex {
  readonly #numbered: EntryNumbering
  readonly #single = new TextIndex((number, key) => this.#keysOf(number).includes(key))
  readonly #several = new Map<string, Set<number>>()
  readonly #remembered = new Array<{ readonly number: number; readonly keys: readonly string[] } | undefined>(
    REMEMBERED,
  )

  constructor(numbered: EntryNumbering) {
    this.#numbered = numbered
  }

  /** Drops the cached keys of an entry. Must be called when its keys change, after the previous keys were deleted. */
  forget(number: number): void {
    this.#remembered[number % REMEMBERED] = undefined
  }

  add(key: string, number: number): void {
    const several = this.#several.get(key)
    if (several !== undefined) {
      several.add(number)
      return
    }
    const other = this.#single.claim(key, number)
    if (other === undefined || other === number) return
    this.#single.delete(key, other)
    this.#several.set(key, new Set([other, number]))
  }

  /** Adds numbers to a key that none of them has. */
  addMany(key: string, numbers: readonly number[]): void {
    if (numbers.length === 0) return
    this.add(key, numbers[0]!)
    if (numbers.length === 1) return
    this.add(key, numbers[1]!)
    const several = this.#several.get(key)!
    for (let at = 2; at < numbers.length; at += 1) several.add(numbers[at]!)
  }

  /**
   * Adds keys by their hashes to an empty index. Yields periodically.
   * @param keyOf the key of an entry that has the hash
   */
  *fill(list: HashList, keyOf: (number: number, hash: number) => string): Generator<undefined, undefined> {
    for (const { hash, number, present } of yield* this.#single.fill(list)) {
      const key = keyOf(number, hash)
      const several = this.#several.get(key)
      if (several !== undefined) several.add(number)
      else if (keyOf(present, hash) === key) {
        this.#single.delete(key, present)
        this.#several.set(key, new Set([present, number]))
      } else this.add(key, number)
      yield
    }
    return undefined
  }

  delete(key: string, number: number): void {
    const several = this.#several.get(key)
    if (several === undefined) {
      this.#single.delete(key, number)
      return
    }
    several.delete(number)
    const [only] = several
    if (several.size > 1 || only === undefined) return
    this.#several.delete(key)
    this.#single.add(key, only)
  }

  /** In no guaranteed order: an entry that is deleted and added again comes last. */
  get(key: string): Entry[] {
    const several = this.#several.get(key)
    if (several !== undefined) return Array.from(several, (number) => this.#numbered.entryAt(number))
    const number = this.#single.find(key)
    return number === undefined ? [] : [this.#numbered.entryAt(number)]
  }

  /** As `get`, lazily. The index must not change during the iteration. */
  *each(key: string): Generator<Entry, undefined, undefined> {
    const several = this.#several.get(key)
    const single = several === undefined ? this.#single.find(key) : undefined
    if (single !== undefined) yield this.#numbered.entryAt(single)
    for (const number of several ?? []) yield this.#numbered.entryAt(number)
    return undefined
  }

  first(key: string): Entry | undefined {
    const several = this.#several.get(key)
    const [number = this.#single.find(key)] = several ?? []
    return number === undefined ? undefined : this.#numbered.entryAt(number)
  }

  #keysOf(number: number): readonly string[] {
    const known = this.#remembered[number % REMEMBERED]
    if (known?.number === number) return known.keys
    const keys = this.#numbered.keysAt(number)
    this.#remembered[number % REMEMBERED] = { number, keys }
    return keys
  }
}
