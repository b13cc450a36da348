// Statistics of the store's writes, for metrics.

import type { StoreStats } from './store.ts'

/** Bounds for the number of rows per batch. */
const BOUNDS_ROWS: readonly number[] = [1, 3, 10, 30, 100, 300, 1_000, 3_000, 10_000]
const BOUNDS_MS: readonly number[] = [0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000]

export class WriteStats {
  #commits = 0
  #batches = 0
  #rows = 0
  #sumMs = 0
  readonly #counts: number[] = new Array<number>(BOUNDS_MS.length + 1).fill(0)

  readonly #sizes: number[] = new Array<number>(BOUNDS_ROWS.length + 1).fill(0)

  answered(commits: number): void {
    this.#commits += commits
  }

  wrote(rows: number, tookMs: number): void {
    this.#batches += 1
    this.#rows += rows
    this.#sumMs += tookMs
    const bucket = BOUNDS_MS.findIndex((bound) => tookMs <= bound)
    this.#counts[bucket < 0 ? BOUNDS_MS.length : bucket]! += 1
    const size = BOUNDS_ROWS.findIndex((bound) => rows <= bound)
    this.#sizes[size < 0 ? BOUNDS_ROWS.length : size]! += 1
  }

  read(waiting: number): StoreStats {
    return {
      commits: this.#commits,
      batches: this.#batches,
      rows: this.#rows,
      waiting,
      batchRows: { bounds: BOUNDS_ROWS, counts: [...this.#sizes] },
      fsyncMs: { boundsMs: BOUNDS_MS, counts: [...this.#counts], sumMs: this.#sumMs },
    }
  }
}
