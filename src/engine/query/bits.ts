// A set of rows as a bitmap.

export class Bits {
  words: Uint32Array

  constructor(rows: number) {
    this.words = new Uint32Array((rows + 31) >>> 5)
  }

  has(row: number): boolean {
    return (((this.words[row >>> 5] ?? 0) >>> (row & 31)) & 1) === 1
  }

  add(row: number): void {
    const at = row >>> 5
    if (at >= this.words.length) this.#grow(at + 1)
    this.words[at]! |= 1 << (row & 31)
  }

  delete(row: number): void {
    const at = row >>> 5
    if (at < this.words.length) this.words[at]! &= ~(1 << (row & 31))
  }

  copy(): Bits {
    const copy = new Bits(0)
    copy.words = this.words.slice()
    return copy
  }

  /** Intersection; rows beyond the end of the other set are removed. */
  and({ words }: Bits): void {
    const mine = this.words
    for (let at = 0; at < mine.length; at += 1) mine[at]! &= words[at] ?? 0
  }

  /** Removes the rows of the other set. */
  without({ words }: Bits): void {
    const mine = this.words
    const end = Math.min(mine.length, words.length)
    for (let at = 0; at < end; at += 1) mine[at]! &= ~words[at]!
  }

  or({ words }: Bits): void {
    if (words.length > this.words.length) this.#grow(words.length)
    const mine = this.words
    for (let at = 0; at < words.length; at += 1) mine[at]! |= words[at]!
  }

  get size(): number {
    let size = 0
    const { words } = this
    for (let at = 0; at < words.length; at += 1) if (words[at] !== 0) size += ones(words[at]!)
    return size
  }

  /** All rows of the set, ascending. */
  rows(): Uint32Array {
    const { words } = this
    const rows = new Uint32Array(this.size)
    let filled = 0
    for (let at = 0; at < words.length; at += 1) {
      for (let rest = words[at]!; rest !== 0; rest &= rest - 1) {
        rows[filled] = (at << 5) + 31 - Math.clz32(rest & -rest)
        filled += 1
      }
    }
    return rows
  }

  #grow(words: number): void {
    const grown = new Uint32Array(Math.max(words, this.words.length + (this.words.length >>> 1)))
    grown.set(this.words)
    this.words = grown
  }
}

/** Population count of a 32-bit word (parallel summation). */
function ones(word: number): number {
  let sum = word - ((word >>> 1) & 0x55555555)
  sum = (sum & 0x33333333) + ((sum >>> 2) & 0x33333333)
  return Math.imul((sum + (sum >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
}
