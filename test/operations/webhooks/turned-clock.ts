// A clock that advances only when the test turns it: all settled promises run, then the earliest timer fires.
import type { Clock, Timer } from '../../../src/time/clock.ts'

interface Planned {
  readonly callback: () => void
  readonly atMs: number
}

export class TurnedClock implements Clock {
  nowMs = Date.parse('2026-11-21T12:00:00.000Z')
  readonly #timers = new Set<Planned>()

  now(): number {
    return this.nowMs
  }

  elapsed(): number {
    return this.nowMs
  }

  setTimeout(callback: () => void, delayMs: number): Timer {
    const timer = { callback, atMs: this.nowMs + Math.max(0, delayMs) }
    this.#timers.add(timer)
    return timer
  }

  clearTimeout(timer: Timer): void {
    this.#timers.delete(timer as Planned)
  }

  soon(callback: () => void): void {
    setImmediate(callback)
  }

  random(): number {
    return 0.5
  }

  /** Runs everything that needs no time. */
  async rest(): Promise<void> {
    for (let turn = 0; turn < 20; turn += 1) await new Promise<void>((resolve) => void setImmediate(resolve))
  }

  /** Advances to the earliest timer; false if there is none. */
  async turn(): Promise<boolean> {
    await this.rest()
    const next = [...this.#timers].sort((a, b) => a.atMs - b.atMs)[0]
    if (next === undefined) return false
    this.#timers.delete(next)
    this.nowMs = Math.max(this.nowMs, next.atMs)
    next.callback()
    await this.rest()
    return true
  }
}
