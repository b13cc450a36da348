// Limits measurements in the background, over all cells of a process: none while many transactions become final in any
// of the cells, otherwise one batch in each second, of which every cell has a share.

/** Reads per second: one JSON-RPC batch. */
const MAX_AT_ONCE = 100
const PERIOD_MS = 1_000

export class MeasuringLoad {
  readonly #elapsed: () => number
  #users = 0
  #periodStartMs = 0
  #arrived = 0
  #arrivedBefore = 0
  #taken = 0

  /** @param elapsed milliseconds of a clock that never goes back */
  constructor(elapsed: () => number) {
    this.#elapsed = elapsed
  }

  /** Registers a cell. Returns a function that ends the registration. */
  use(): () => void {
    this.#users += 1
    return () => {
      this.#users -= 1
    }
  }

  /** A transaction has become final. */
  arrived(): void {
    this.#passTime()
    this.#arrived += 1
  }

  /** Number of transactions that one cell may read now, of the `wanted` ones. */
  take(wanted: number): number {
    this.#passTime()
    if (Math.max(this.#arrived, this.#arrivedBefore) > MAX_AT_ONCE) return 0
    const share = Math.ceil(MAX_AT_ONCE / Math.max(1, this.#users))
    const granted = Math.min(wanted, share, MAX_AT_ONCE - this.#taken)
    this.#taken += granted
    return granted
  }

  #passTime(): void {
    const periods = Math.floor((this.#elapsed() - this.#periodStartMs) / PERIOD_MS)
    if (periods < 1) return
    this.#periodStartMs += periods * PERIOD_MS
    this.#arrivedBefore = periods === 1 ? this.#arrived : 0
    this.#arrived = 0
    this.#taken = 0
  }
}
