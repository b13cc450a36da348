// Time, timers and randomness as a parameter: with another clock the whole service runs in a simulator.

/** Opaque handle of a timer. */
export type Timer = object

export interface Clock {
  /** Wall time in Unix milliseconds. May jump in both directions: use it for timestamps, never for durations. */
  now(): number
  /** Milliseconds since a fixed instant. Monotonic: every duration is measured with it. */
  elapsed(): number
  setTimeout(callback: () => void, delayMs: number): Timer
  clearTimeout(timer: Timer): void
  /** Runs the callback after the work of this turn of the event loop, before any timer of a later turn. */
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

/** The machine's clock, with its wall time moved forward. */
export function aheadClock(aheadMs: number): Clock {
  return aheadMs === 0 ? systemClock : { ...systemClock, now: () => Date.now() + aheadMs }
}

/** Resolves after `delayMs` on the given clock. */
export function sleep(clock: Clock, delayMs: number): Promise<void> {
  return new Promise((resolve) => {
    clock.setTimeout(resolve, delayMs)
  })
}
