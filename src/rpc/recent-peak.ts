// The highest value observed recently, and when it was first observed. A wrong value is discarded once all observations
// of a period have been lower, so recovery needs no restart. Without observations nothing is discarded.

export interface Mark {
  readonly value: number
  /** Of `Clock.elapsed`. */
  readonly at: number
}

export class RecentPeak {
  readonly #keepMs: number
  #before: Mark | null = null
  #latest: Mark | null = null
  #begunAt = 0

  /** @param keepMs A peak is discarded after one to two such periods of lower values. */
  constructor(keepMs: number) {
    this.#keepMs = keepMs
  }

  get mark(): Mark | null {
    if (this.#before === null || this.#latest === null) return this.#latest ?? this.#before
    return this.#latest.value > this.#before.value ? this.#latest : this.#before
  }

  /** @param at When the request was sent whose answer is `value`; at most `nowMs`. */
  observe(value: number, at: number, nowMs: number): void {
    if (this.#latest !== null && nowMs - this.#begunAt >= this.#keepMs) {
      this.#before = this.#latest
      this.#latest = null
    }
    if (this.#latest === null) this.#begunAt = nowMs
    if (this.#latest !== null && value <= this.#latest.value) return
    // The value was reached when it was first observed, not now.
    this.#latest = this.#before?.value === value ? this.#before : { value, at }
  }

  /** Discards everything else. */
  reset(value: number, at: number): void {
    this.#before = null
    this.#latest = { value, at }
    this.#begunAt = at
  }
}
