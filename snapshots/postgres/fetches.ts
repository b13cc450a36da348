// Fetches rows by key. Requests that arrive while a statement is running share the next statement.

import type { CellsTogether } from './cells-together.ts'
import type { Database } from './database.ts'
import type { RowCache } from './row-cache.ts'
import { MAX_KEYS, rowsOf, type RowsByKey } from './rows-by-key.ts'

export class Fetches {
  readonly #database: Database
  readonly #cache: RowCache
  readonly #together: CellsTogether | undefined
  #pendingKeys = new Set<string>()
  #nextFetch: Promise<void> | undefined
  #runningFetch: Promise<void> | undefined
  /** Keys of the running fetch. */
  #runningKeys: ReadonlySet<string> = new Set()
  /** Keys of the running fetch that a commit has changed meanwhile: the cache already has the newer row. */
  #changedKeys = new Set<string>()

  /** @param together shares fetches with the other cells of the process */
  constructor(database: Database, cache: RowCache, together?: CellsTogether) {
    this.#database = database
    this.#cache = cache
    this.#together = together
  }

  /** Resolves when the cache answers for all keys. With `anew`, rows in the cache are read again. */
  async fetch(keys: readonly string[], anew = false): Promise<void> {
    let missing = false
    for (const key of keys) {
      if (this.#cache.keeps(key) && !anew) continue
      this.#pendingKeys.add(key)
      missing = true
    }
    if (!missing) return
    this.#nextFetch ??= this.#next()
    await this.#nextFetch
  }

  /** Must be called for each key of a durable commit, before the cache is changed. */
  changed(key: string): void {
    if (this.#runningKeys.has(key)) this.#changedKeys.add(key)
  }

  async #next(): Promise<void> {
    await this.#runningFetch?.catch(() => undefined)
    const keys = [...this.#pendingKeys]
    this.#pendingKeys = new Set()
    this.#nextFetch = undefined
    this.#runningFetch = this.#fetchRows(keys)
    await this.#runningFetch
  }

  async #fetchRows(keys: readonly string[]): Promise<void> {
    this.#runningKeys = new Set(keys)
    this.#changedKeys = new Set()
    try {
      for (let at = 0; at < keys.length; at += MAX_KEYS) await this.#cacheRows(keys.slice(at, at + MAX_KEYS))
    } finally {
      this.#runningKeys = new Set()
    }
  }

  async #cacheRows(keys: readonly string[]): Promise<void> {
    const rows = (await this.#together?.rowsOf(keys)) ?? (await this.#rowsOf(keys))
    for (const key of keys) if (!this.#changedKeys.has(key)) this.#cache.put(key, rows.get(key))
  }

  #rowsOf(keys: readonly string[]): Promise<RowsByKey> {
    return rowsOf((...query) => this.#database.read(...query), keys)
  }
}
