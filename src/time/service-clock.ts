// The clock of time windows, approvals and everything that the service records: monotonic, whatever the machine's clock
// does, and started at an instant derived from the records and the chains. Moved forward only if both show that it is
// behind (`clock-correction.ts`).
import { sleep, type Clock, type Timer } from './clock.ts'

/** Tolerated difference from the machine's clock. Beyond it, nothing that depends on the time may be decided. */
export const TOLERATED_MS = 60_000

export class ServiceClock implements Clock {
  readonly #clock: Clock
  #startMs: number
  readonly #startElapsedMs: number

  /** @param startMs the current time, Unix milliseconds */
  constructor(clock: Clock, startMs: number) {
    this.#clock = clock
    this.#startMs = startMs
    this.#startElapsedMs = clock.elapsed()
  }

  now(): number {
    return this.#startMs + Math.floor(this.#clock.elapsed() - this.#startElapsedMs)
  }

  /** @param toMs later than the current time, Unix milliseconds */
  moveForward(toMs: number): void {
    this.#startMs += Math.max(0, toMs - this.now())
  }

  /** The machine's clock and this clock differ by more than tolerated; it is unknown which one is wrong. */
  isOff(): boolean {
    return Math.abs(this.#clock.now() - this.now()) > TOLERATED_MS
  }

  elapsed(): number {
    return this.#clock.elapsed()
  }

  setTimeout(callback: () => void, delayMs: number): Timer {
    return this.#clock.setTimeout(callback, delayMs)
  }

  clearTimeout(timer: Timer): void {
    this.#clock.clearTimeout(timer)
  }

  soon(callback: () => void): void {
    this.#clock.soon(callback)
  }

  random(): number {
    return this.#clock.random()
  }
}

/**
 * The time at which the service clock starts. The later of the last recorded instant and the time of the chain is a
 * lower bound that lags a little; so the machine's clock is used if it is not behind this bound and at most
 * `TOLERATED_MS` ahead of it. Without a chain (null) the machine's clock may be ahead by any amount.
 */
export function startOf(wallMs: number, lastMs: number | null, chainMs: number | null): number {
  const known = Math.max(lastMs ?? 0, chainMs ?? 0)
  if (wallMs < known) return known
  return chainMs === null || wallMs - known <= TOLERATED_MS ? wallMs : known
}

export interface TimedChain {
  slot(): Promise<number>
  /** Unix seconds. */
  blockTime(slot: number): Promise<number | null>
}

const PATIENCE = 10
const PAUSE_MS = 300

/**
 * Unix milliseconds of the chain's newest block; null when it is unavailable. Waits up to 3 s for a recent block of a
 * chain that has just been started.
 */
export async function timeOnChain(chain: TimedChain, clock: Clock): Promise<number | null> {
  let found: number | null = null
  for (let attempt = 0; attempt < PATIENCE; attempt += 1) {
    found = await readTime(chain)
    if (found === null || clock.now() - found <= TOLERATED_MS) return found
    await sleep(clock, PAUSE_MS)
  }
  return found
}

async function readTime(chain: TimedChain): Promise<number | null> {
  try {
    const seconds = await chain.blockTime(await chain.slot())
    return seconds === null || seconds <= 0 ? null : seconds * 1000
  } catch {
    return null
  }
}
