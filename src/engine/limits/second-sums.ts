// Cumulative sums per second. A query for the total after a second is one binary search; adding to the latest second,
// which is nearly every addition, is O(1).

export class SecondSums {
  readonly #seconds: number[] = []
  /** Total up to and including the second at the same index, with the dropped sums. */
  readonly #totals: bigint[] = []
  #dropped = 0n

  get size(): number {
    return this.#seconds.length
  }

  /**
   * @param amount negative to remove an amount again
   * @param keptSeconds sums further behind the latest second are dropped, because they are never queried
   */
  add(second: number, amount: bigint, keptSeconds: number): void {
    const last = this.#seconds.at(-1)
    if (last === undefined || second > last) {
      this.#totals.push((this.#totals.at(-1) ?? this.#dropped) + amount)
      this.#seconds.push(second)
      this.#drop(second - keptSeconds)
      return
    }
    const index = this.#from(second)
    if (this.#seconds[index] !== second) {
      this.#seconds.splice(index, 0, second)
      this.#totals.splice(index, 0, this.#upTo(index))
    }
    for (let at = index; at < this.#totals.length; at += 1) this.#totals[at]! += amount
  }

  /** Drops the oldest seconds whose amounts were all removed again. */
  trim(): void {
    let [low, high] = [0, this.#totals.length]
    while (low < high) {
      const middle = (low + high) >>> 1
      if (this.#totals[middle]! > this.#dropped) high = middle
      else low = middle + 1
    }
    this.#forget(low)
  }

  /** Total of the seconds after `second`. */
  after(second: number): bigint {
    const last = this.#totals.at(-1)
    return last === undefined ? 0n : last - this.#upTo(this.#from(second + 1))
  }

  #upTo(index: number): bigint {
    return index === 0 ? this.#dropped : this.#totals[index - 1]!
  }

  /** Index of the first second at or after `second`. */
  #from(second: number): number {
    let [low, high] = [0, this.#seconds.length]
    while (low < high) {
      const middle = (low + high) >>> 1
      if (this.#seconds[middle]! < second) low = middle + 1
      else high = middle
    }
    return low
  }

  /** Drops in large blocks, so that the cost per addition stays small. */
  #drop(before: number): void {
    this.#forget(this.#from(before))
  }

  #forget(count: number): void {
    if (count < 64 || count * 2 < this.#seconds.length) return
    this.#dropped = this.#totals[count - 1]!
    this.#seconds.splice(0, count)
    this.#totals.splice(0, count)
  }
}
