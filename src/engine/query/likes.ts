// Cache of recent text searches: a repeated search, e.g. for the next page, examines only texts added since.
import { FIRST_CODE } from './dictionary.ts'

const MAX_SEARCHES = 16
/** Limit for all searches together. */
const MAX_CODES = 1_000_000

export interface LikeMatches {
  /** Codes of the matching texts, ascending. */
  readonly codes: number[]
  /** Texts with lower codes have been examined. */
  end: number
}

export class Likes {
  /** Least recently used first. */
  readonly #searches = new Map<string, LikeMatches>()

  /** Takes a search out of the cache. The caller owns it until `keep`: concurrent searches do not share it. */
  take(search: string): LikeMatches {
    const known = this.#searches.get(search)
    this.#searches.delete(search)
    return known ?? { codes: [], end: FIRST_CODE }
  }

  keep(search: string, found: LikeMatches): void {
    this.#searches.delete(search)
    this.#searches.set(search, found)
    let codes = 0
    for (const each of this.#searches.values()) codes += each.codes.length
    for (const [oldest, each] of this.#searches) {
      if (this.#searches.size <= MAX_SEARCHES && codes <= MAX_CODES) break
      this.#searches.delete(oldest)
      codes -= each.codes.length
    }
  }
}
