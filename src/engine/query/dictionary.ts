// Dictionary of the distinct texts of a column. A text keeps its code forever. The strings are shared with the records.
import { TextIndex } from '../index/text-index.ts'

/** Codes for: no row; null; an array whose first member is null but has others. */
export const ABSENT = 0
export const NULL = 1
export const NULL_FIRST = 2
/** Code of the first text. */
export const FIRST_CODE = 3

export class Dictionary {
  readonly texts: string[] = ['', '', '']
  readonly #index = new TextIndex((code, text) => this.texts[code] === text)

  /** Number of codes, including the reserved ones. */
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
