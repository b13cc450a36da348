// Short-lived claims of names that two cells must not use at the same time: an external id, or a message that keys of
// two cells can sign. A cell takes the claim, queues its unit of work before the claim expires, and releases the claim
// when that unit is durable. The next cell to claim the name therefore reads what this cell wrote.
import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { ClaimTable } from './disk.ts'
import { ReadUnanswered } from './errors.ts'

/** Validity of a claim: long enough for work that fetches other rows after the claim. */
const HELD_MS = 2_000
/** When a claim is released: by then, all work that saw it as valid has been queued. */
const RELEASE_AFTER_MS = HELD_MS + 100
/** A claim of another cell is released within this time, unless that cell cannot reach the database. */
const WAIT_MS = 10_000
const RETRY_MS = 25

export interface ClaimOptions {
  readonly table: ClaimTable
  /** Resolves when everything queued so far is durable. */
  readonly written: () => Promise<void>
}

export class CellClaims {
  readonly #options: ClaimOptions
  readonly #untilMs = new Map<string, number>()

  constructor(options: ClaimOptions) {
    this.#options = options
  }

  /** True if no other cell has the claim, or can get it before the work queued in this turn is durable. */
  holds(name: string): boolean {
    return (this.#untilMs.get(name) ?? 0) > performance.now()
  }

  /**
   * Claims the names, and waits while another cell has claimed one of them. Resolves with a function that makes `holds`
   * return true. The caller calls it after reading what other cells wrote before. Rejects with `ReadUnanswered`.
   */
  async take(names: readonly string[]): Promise<() => void> {
    const untilMs = new Map<string, number>()
    const deadlineMs = performance.now() + WAIT_MS
    let remaining = names
    for (;;) {
      const token = randomUUID()
      const taken = new Set(await this.#options.table.take(remaining, token))
      for (const name of taken) untilMs.set(name, performance.now() + HELD_MS)
      if (taken.size > 0) setTimeout(() => void this.#release(taken, token), RELEASE_AFTER_MS).unref()
      remaining = remaining.filter((name) => !taken.has(name))
      if (remaining.length === 0) return () => this.#hold(untilMs)
      if (performance.now() > deadlineMs)
        throw new ReadUnanswered('another cell has claimed the same, and has not finished')
      await pause(RETRY_MS)
    }
  }

  #hold(untilMs: ReadonlyMap<string, number>): void {
    for (const [name, ms] of untilMs) this.#untilMs.set(name, Math.max(ms, this.#untilMs.get(name) ?? 0))
  }

  /** A claim that cannot be released, because the database does not answer, ends with the ownership of the cell. */
  async #release(names: ReadonlySet<string>, token: string): Promise<void> {
    for (const name of names) if (!this.holds(name)) this.#untilMs.delete(name)
    try {
      await this.#options.written()
      await this.#options.table.leave(token)
    } catch {
      // The store is closed or has failed.
    }
  }
}
