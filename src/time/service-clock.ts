// The one clock that windows, approvals and everything else that the service writes down run on: monotonic since the start, whatever the
// machine's clock does meanwhile, and begun at an instant that others vouch for.
import { sleep, type Clock, type Timer } from './clock.ts'

/** The machine's clock may be that far from this one; further off, nothing that depends on the time may be decided. */
export const TOLERATED_MS = 60_000

export class ServiceClock implements Clock {
  readonly #clock: Clock
  readonly #startMs: number
  readonly #startElapsedMs: number

  /** @param startMs what time it is now, Unix milliseconds */
  constructor(clock: Clock, startMs: number) {
    this.#clock = clock
    this.#startMs = startMs
    this.#startElapsedMs = clock.elapsed()
  }

  now(): number {
    return this.#startMs + Math.floor(this.#clock.elapsed() - this.#startElapsedMs)
  }

  /** One of the two clocks is wrong, and nobody can tell which. */
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
 * When a clock starts: at the later of the last instant that was written down and the time of the chain, either of which lags a little; so
 * the machine's clock is taken while it is not behind that and not more than tolerated ahead. Where no chain says (null), it is as long ago
 * as the machine says.
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

/** Unix milliseconds at the chain's newest block; null when it does not say. A chain that has just been started is given time for a block. */
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
