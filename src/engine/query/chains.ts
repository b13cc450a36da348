// Links the rows of each code in a doubly linked list: 8 bytes per row. Listing the rows of one code does not touch
// other rows.

export class Chains {
  #heads: Uint32Array = new Uint32Array(512)
  /** Row + 1; 0 ends the list. */
  #next: Uint32Array
  #previous: Uint32Array

  constructor(rows: number) {
    this.#next = new Uint32Array(rows)
    this.#previous = new Uint32Array(rows)
  }

  lengthen(rows: number): void {
    this.#next = longer(this.#next, rows)
    this.#previous = longer(this.#previous, rows)
  }

  link(row: number, code: number): void {
    if (code >= this.#heads.length) this.#heads = longer(this.#heads, Math.max(code + 1, this.#heads.length * 2))
    const head = this.#heads[code]!
    this.#next[row] = head
    this.#previous[row] = 0
    if (head !== 0) this.#previous[head - 1] = row + 1
    this.#heads[code] = row + 1
  }

  unlink(row: number, code: number): void {
    const next = this.#next[row]!
    const previous = this.#previous[row]!
    if (next !== 0) this.#previous[next - 1] = previous
    if (previous !== 0) this.#next[previous - 1] = next
    else this.#heads[code] = next
  }

  /**
   * Writes the rows of the code to `rows`, from index `at` on. Returns the index after the last.
   * @param most the list is known to have no more rows
   */
  collect(code: number, rows: Uint32Array, at: number, most: number): number {
    let end = at
    let link = this.#heads[code] ?? 0
    for (let left = most; link !== 0; link = this.#next[link - 1]!) {
      rows[end] = link - 1
      end += 1
      left -= 1
      if (left === 0) break
    }
    return end
  }
}

function longer(array: Uint32Array, length: number): Uint32Array {
  const grown = new Uint32Array(length)
  grown.set(array)
  return grown
}
