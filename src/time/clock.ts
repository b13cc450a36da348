// Time, timers and chance, as everything of the chain floor receives them: with another clock the whole service runs in a simulator.

/** Opaque handle of a timer. */
export type Timer = object

export interface Clock {
  /** Wall time, Unix milliseconds. May jump both ways: only ever recorded, never subtracted. */
  now(): number
  /** Milliseconds since some fixed instant. Never goes back: every duration is measured with it. */
  elapsed(): number
  setTimeout(callback: () => void, delayMs: number): Timer
  clearTimeout(timer: Timer): void
  /** Runs the callback after the work of this turn of the event loop, before any timer of a later one. */
  soon(callback: () => void): void
  /** Uniform in [0, 1). For jitter only, never for secrets. */
  random(): number
}

export const systemClock: Clock = {
  now: () => Date.now(),
  elapsed: () => performance.now(),
  setTimeout: (callback, delayMs) => setTimeout(callback, delayMs),
  clearTimeout: (timer) => clearTimeout(timer as NodeJS.Timeout),
  soon: (callback) => void setImmediate(callback),
  random: () => Math.random(),
}

/** Resolves after `delayMs` on the given clock. */
export function sleep(clock: Clock, delayMs: number): Promise<void> {
  return new Promise((resolve) => {
    clock.setTimeout(resolve, delayMs)
  })
}
