// What cells must not do twice is claimed first: an external id, or a message that keys of two cells can sign. A claim
// holds for a moment. Within it, the unit of work that needs it is queued; it is given up when that unit is durable, so
// that the next cell to claim the same finds what was written.
import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { ClaimTable } from './disk.ts'
import { ReadUnanswered } from './errors.ts'

/** Long enough for work that fetches other things after its claim. */
const HELD_MS = 2_000
/** No work that saw the claim has still to be queued then. */
const LEFT_AFTER_MS = HELD_MS + 100
/** A claim of another cell ends within this, unless its database is away. */
const WAIT_MS = 10_000
const LOOK_AGAIN_MS = 25

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

  /** True if no other cell has the claim, nor gets it before what is queued in this turn is durable. */
  holds(name: string): boolean {
    return (this.#untilMs.get(name) ?? 0) > performance.now()
  }

  /**
   * Waits while another cell holds one of them. They are held once the caller, who then has read what others wrote
   * before, calls what this resolves with. Rejects with `ReadUnanswered`.
   */
  async take(names: readonly string[]): Promise<() => void> {
    const untilMs = new Map<string, number>()
    const deadlineMs = performance.now() + WAIT_MS
    let wanted = names
    for (;;) {
      const token = randomUUID()
      const taken = new Set(await this.#options.table.take(wanted, token))
      for (const name of taken) untilMs.set(name, performance.now() + HELD_MS)
      if (taken.size > 0) setTimeout(() => void this.#leave(taken, token), LEFT_AFTER_MS).unref()
      wanted = wanted.filter((name) => !taken.has(name))
      if (wanted.length === 0) return () => this.#hold(untilMs)
      if (performance.now() > deadlineMs)
        throw new ReadUnanswered('another cell has claimed the same, and has not finished')
      await pause(LOOK_AGAIN_MS)
    }
  }

  #hold(untilMs: ReadonlyMap<string, number>): void {
    for (const [name, ms] of untilMs) this.#untilMs.set(name, Math.max(ms, this.#untilMs.get(name) ?? 0))
  }

  /** What is not left, because the database is away, ends with the ownership of the cell. */
  async #leave(names: ReadonlySet<string>, token: string): Promise<void> {
    for (const name of names) if (!this.holds(name)) this.#untilMs.delete(name)
    try {
      await this.#options.written()
      await this.#options.table.leave(token)
    } catch {
      // The store is closed, or has failed.
    }
  }
}
