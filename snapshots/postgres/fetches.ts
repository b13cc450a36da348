// Rows by key: everything asked for while a statement is under way is asked by the next one.

import type { Database } from './database.ts'
import type { RowCache } from './row-cache.ts'

const ROWS = { name: 'holdfast-rows', text: 'SELECT key, value FROM holdfast.row WHERE key = ANY ($1::text[])' }
/** Of one statement. */
const MOST_KEYS = 5_000

export class Fetches {
  readonly #database: Database
  readonly #cache: RowCache
  #wanted = new Set<string>()
  #coming: Promise<void> | undefined
  #underway: Promise<void> | undefined
  /** Keys of the statement under way. */
  #asked: ReadonlySet<string> = new Set()
  /** Those of them that a commit has changed since: the cache has the newer row. */
  #overtaken = new Set<string>()

  constructor(database: Database, cache: RowCache) {
    this.#database = database
    this.#cache = cache
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
    const found = await rowsOf(this.#database, keys)
    for (const key of keys) if (!this.#overtaken.has(key)) this.#cache.put(key, found.get(key))
  }
}

/** The rows of these keys that exist. */
async function rowsOf(database: Database, keys: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>()
  for (const [key = null, value = null] of await database.read(ROWS, [keys]))
    if (key !== null && value !== null) found.set(key, value)
  return found
}

/** The rows of many keys, in their order. */
export async function manyRowsOf(
  database: Database,
  keys: readonly string[],
): Promise<readonly (string | undefined)[]> {
  const texts: (string | undefined)[] = []
  for (let at = 0; at < keys.length; at += MOST_KEYS) {
    const some = keys.slice(at, at + MOST_KEYS)
    const found = await rowsOf(database, some)
    for (const key of some) texts.push(found.get(key))
  }
  return texts
}
