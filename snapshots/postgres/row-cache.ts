// Cache of database rows, including keys known to be absent. This process is the only writer of these rows, so an entry
// is valid until a commit of this process changes the row.

/** Maximum size of the cache. Rows requested within `KEPT_MS` may exceed it. */
const MAX_CHARACTERS = 128 * 1024 * 1024
/** Minimum time to keep a requested row: the attempt that requested it runs again and reads it. */
const KEPT_MS = 10_000
/** Estimated overhead of an entry, in addition to key and text. */
const ENTRY_CHARACTERS = 200

interface CachedRow {
  /** undefined: the row does not exist. */
  readonly text: string | undefined
  atMs: number
}

export class RowCache {
  readonly #entries = new Map<string, CachedRow>()
  readonly #maxCharacters: number
  #characters = 0

  constructor(maxCharacters = MAX_CHARACTERS) {
    this.#maxCharacters = maxCharacters
  }

  get size(): number {
    return this.#entries.size
  }

  /** undefined: not in the cache. */
  get(key: string): { readonly text: string | undefined } | undefined {
    return this.#entries.get(key)
  }

  /** True if the cache has an entry for the key; keeps that entry for another `KEPT_MS`. */
  keeps(key: string): boolean {
    const known = this.#entries.get(key)
    if (known === undefined) return false
    known.atMs = performance.now()
    this.#entries.delete(key)
    this.#entries.set(key, known)
    return true
  }

  put(key: string, text: string | undefined): void {
    this.#drop(key)
    const nowMs = performance.now()
    this.#entries.set(key, { text, atMs: nowMs })
    this.#characters += charactersOf(key, text)
    for (const [oldest, { atMs }] of this.#entries) {
      if (this.#characters <= this.#maxCharacters || nowMs - atMs < KEPT_MS) break
      this.#drop(oldest)
    }
  }

  clear(): void {
    this.#entries.clear()
    this.#characters = 0
  }

  #drop(key: string): void {
    const known = this.#entries.get(key)
    if (known === undefined) return
    this.#entries.delete(key)
    this.#characters -= charactersOf(key, known.text)
  }
}

const charactersOf = (key: string, text: string | undefined): number =>
  key.length + (text?.length ?? 0) + ENTRY_CHARACTERS
