// Rows by key: everything asked for while a statement is under way is asked by the next one.

import type { CellsTogether } from './cells-together.ts'
import type { Database } from './database.ts'
import type { RowCache } from './row-cache.ts'
import { MOST_KEYS, rowsOf, type RowsByKey } from './rows-by-key.ts'

export class Fetches {
  readonly #database: Database
  readonly #cache: RowCache
  readonly #together: CellsTogether | undefined
  #wanted = new Set<string>()
  #coming: Promise<void> | undefined
  #underway: Promise<void> | undefined
  /** Keys of the statement under way. */
  #asked: ReadonlySet<string> = new Set()
  /** Those of them that a commit has changed since: the cache has the newer row. */
  #overtaken = new Set<string>()

  /** @param together asks with other cells of the process */
  constructor(database: Database, cache: RowCache, together?: CellsTogether) {
    this.#database = database
    this.#cache = cache
    this.#together = together
  }

  /** Resolves when the cache answers for all keys; with `anew` as the database does after this call. */
  async fetch(keys: readonly string[], anew = false): Promise<void> {
    let missing = false
    for (const key of keys) {
      if (this.#cache.keeps(key) && !anew) continue
      this.#wanted.add(key)
      missing = true
    }
    if (!missing) return
    this.#coming ??= this.#next()
    await this.#coming
  }

  /** Must be called for each key when its commit is durable, before the cache is changed. */
  changed(key: string): void {
    if (this.#asked.has(key)) this.#overtaken.add(key)
  }

  async #next(): Promise<void> {
    await this.#underway?.catch(() => undefined)
    const keys = [...this.#wanted]
    this.#wanted = new Set()
    this.#coming = undefined
    this.#underway = this.#ask(keys)
    await this.#underway
  }

  async #ask(keys: readonly string[]): Promise<void> {
    this.#asked = new Set(keys)
    this.#overtaken = new Set()
    try {
      for (let at = 0; at < keys.length; at += MOST_KEYS) await this.#put(keys.slice(at, at + MOST_KEYS))
    } finally {
      this.#asked = new Set()
    }
  }

  async #put(keys: readonly string[]): Promise<void> {
    const found = (await this.#together?.rowsOf(keys)) ?? (await this.#rowsOf(keys))
    for (const key of keys) if (!this.#overtaken.has(key)) this.#cache.put(key, found.get(key))
  }

  #rowsOf(keys: readonly string[]): Promise<RowsByKey> {
    return rowsOf((...asked) => this.#database.read(...asked), keys)
  }
}
