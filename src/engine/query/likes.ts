// What searches of texts found lately: a search that comes again, as for the next page, looks at new texts only.
import { FIRST_CODE } from './dictionary.ts'

const MOST_SEARCHES = 16
/** Of all searches together. */
const MOST_CODES = 1_000_000

export interface Found {
  /** Of the texts that match, ascending. */
  readonly codes: number[]
  /** Texts with codes below have been looked at. */
  end: number
}

export class Likes {
  /** Least recently used first. */
  readonly #found = new Map<string, Found>()

  /** What is known of a search. It is the caller's until it is given back: two searches at a time do not share it. */
  take(search: string): Found {
    const known = this.#found.get(search)
    this.#found.delete(search)
    return known ?? { codes: [], end: FIRST_CODE }
  }

  keep(search: string, found: Found): void {
    this.#found.delete(search)
    this.#found.set(search, found)
    let codes = 0
    for (const each of this.#found.values()) codes += each.codes.length
    for (const [oldest, each] of this.#found) {
      if (this.#found.size <= MOST_SEARCHES && codes <= MOST_CODES) break
      this.#found.delete(oldest)
      codes -= each.codes.length
    }
  }
}
