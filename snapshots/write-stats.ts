// Counts what the store writes, for metrics.

import type { StoreStats } from './store.ts'

const BOUNDS_MS: readonly number[] = [0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000]

export class WriteStats {
  #commits = 0
  #batches = 0
  #rows = 0
  #lastBatchSize = 0
  #sumMs = 0
  #maxMs = 0
  readonly #counts: number[] = new Array<number>(BOUNDS_MS.length + 1).fill(0)

  answered(commits: number): void {
    this.#commits += commits
  }

  wrote(rows: number, tookMs: number): void {
    this.#batches += 1
    this.#rows += rows
    this.#lastBatchSize = rows
    this.#sumMs += tookMs
    this.#maxMs = Math.max(this.#maxMs, tookMs)
    const bucket = BOUNDS_MS.findIndex(bound => tookMs <= bound)
    this.#counts[bucket < 0 ? BOUNDS_MS.length : bucket]! += 1
  }

  read(waiting: number): StoreStats {
    return {
      commits: this.#commits,
      batches: this.#batches,
      rows: this.#rows,
      lastBatchSize: this.#lastBatchSize,
      waiting,
      fsyncMs: { boundsMs: BOUNDS_MS, counts: [...this.#counts], sumMs: this.#sumMs, maxMs: this.#maxMs },
    }
  }
}
