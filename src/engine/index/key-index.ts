// Finds entries by keys of which each has several. Nearly every key is one entry's alone: that costs some 14 bytes, for neither the key nor
// a set is kept, and the entry is asked for its keys when one is looked for. Keys of several entries are kept with a set of them.
import type { Entry } from '../records/entry.ts'
import { TextIndex } from './text-index.ts'

/** Entries whose keys are remembered, because they are asked for again and again. A power of two. */
const REMEMBERED = 4_096

export interface Numbered {
  /** Of an entry that is in. */
  entryAt(number: number): Entry
  /** Its keys as they are now. */
  keysAt(number: number): readonly string[]
}

export class KeyIndex {
  readonly #numbered: Numbered
  readonly #single = new TextIndex((number, key) => this.#keysOf(number).includes(key))
  readonly #several = new Map<string, Set<number>>()
  readonly #remembered = new Array<{ readonly number: number; readonly keys: readonly string[] } | undefined>(REMEMBERED)

  constructor(numbered: Numbered) {
    this.#numbered = numbered
  }

  /** To be called when the keys of an entry change, once those that were are out. */
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

  /** In no promised order: an entry that is taken out and comes back comes last. */
  get(key: string): Entry[] {
    const several = this.#several.get(key)
    if (several !== undefined) return Array.from(several, (number) => this.#numbered.entryAt(number))
    const number = this.#single.find(key)
    return number === undefined ? [] : [this.#numbered.entryAt(number)]
  }

  /** As `get`, one after the other: for whoever may stop early. Nothing may be added or taken out meanwhile. */
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
