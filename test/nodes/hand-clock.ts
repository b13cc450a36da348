// A clock that the test sets, for the parts of a node.
import type { Clock } from '../../src/time/clock.ts'

export class HandClock implements Clock {
  #elapsedMs = 0
  readonly #timers = new Map<object, { readonly atMs: number; readonly callback: () => void }>()

  now = (): number => 1_700_000_000_000 + this.#elapsedMs
  elapsed = (): number => this.#elapsedMs
  random = (): number => 0
  soon = (callback: () => void): void => void this.setTimeout(callback, 0)

  setTimeout(callback: () => void, delayMs: number): object {
    const timer = {}
    this.#timers.set(timer, { atMs: this.#elapsedMs + delayMs, callback })
    return timer
  }

  /** Timers that have neither fired nor been cleared. */
  get timers(): number {
    return this.#timers.size
  }

  clearTimeout(timer: object): void {
    this.#timers.delete(timer)
  }

  async pass(ms: number): Promise<void> {
    const endMs = this.#elapsedMs + ms
    for (;;) {
      await new Promise((resolve) => setImmediate(resolve))
      const [next] = [...this.#timers].sort(([, a], [, b]) => a.atMs - b.atMs)
      if (next === undefined || next[1].atMs > endMs) break
      this.#timers.delete(next[0])
      this.#elapsedMs = Math.max(this.#elapsedMs, next[1].atMs)
      next[1].callback()
    }
    this.#elapsedMs = endMs
  }
}
