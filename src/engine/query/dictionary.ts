// The distinct texts of a column, each with a number of its own for good. The texts themselves are the records' own strings.
import { TextIndex } from '../index/text-index.ts'

/** What stands where there is no row; for null; for an array that begins with null and has other members. */
export const ABSENT = 0
export const NULL = 1
export const NULL_FIRST = 2
/** The first text's. */
export const FIRST_CODE = 3

export class Dictionary {
  readonly texts: string[] = ['', '', '']
  readonly #index = new TextIndex((code, text) => this.texts[code] === text)

  /** Codes given so far. */
  get size(): number {
    return this.texts.length
  }

  find(text: string): number | undefined {
    return this.#index.find(text)
  }

  codeOf(text: string): number {
    const known = this.#index.find(text)
    if (known !== undefined) return known
    const code = this.texts.length
    this.texts.push(text)
    this.#index.add(text, code)
    return code
  }
}
