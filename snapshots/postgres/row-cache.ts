// Rows of the database that are at hand, and the knowledge of keys that do not exist. This process is the only writer
// of them, so an entry is right until a commit of its own changes it.

/** At most this many characters, unless more was asked for within `KEPT_MS`. */
const MOST_CHARACTERS = 128 * 1024 * 1024
/** Requested rows are kept at least this long: the attempt that requested them is repeated and reads them. */
const KEPT_MS = 10_000
/** Of an entry, beside key and text. */
const ENTRY_CHARACTERS = 200

interface CachedRow {
  /** undefined: there is no such row. */
  readonly text: string | undefined
  atMs: number
}

export class RowCache {
  readonly #entries = new Map<string, CachedRow>()
  readonly #mostCharacters: number
  readonly #nowMs: () => number
  #characters = 0

  constructor(mostCharacters = MOST_CHARACTERS, nowMs: () => number = () => performance.now()) {
    this.#mostCharacters = mostCharacters
    this.#nowMs = nowMs
  }

  get size(): number {
    return this.#entries.size
  }

  /** undefined: not at hand. */
  get(key: string): { readonly text: string | undefined } | undefined {
    return this.#entries.get(key)
  }

  /** True if the entry is at hand and stays so for a while. */
  keeps(key: string): boolean {
    const known = this.#entries.get(key)
    if (known === undefined) return false
    known.atMs = this.#nowMs()
    this.#entries.delete(key)
    this.#entries.set(key, known)
    return true
  }

  put(key: string, text: string | undefined): void {
    this.#drop(key)
    const nowMs = this.#nowMs()
    this.#entries.set(key, { text, atMs: nowMs })
    this.#characters += charactersOf(key, text)
    for (const [oldest, { atMs }] of this.#entries) {
      if (this.#characters <= this.#mostCharacters || nowMs - atMs < KEPT_MS) break
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
