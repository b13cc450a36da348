// Slows down credential guessing: an address with more than 500 failed authentications in the last minute waits before
// each further 401. Valid credentials are never delayed.
const WINDOW_MS = 60_000
const FREE = 500
const DELAY_MS = 500
/** Maximum number of addresses; the oldest is dropped beyond it. */
const MAX_ADDRESSES = 10_000

interface Count {
  sinceMs: number
  failures: number
}

export class Failures {
  readonly #counts = new Map<string, Count>()
  readonly #now: () => number
  readonly #wait: (ms: number) => Promise<void>
  /** Number of failures since the start. */
  total = 0

  constructor(now: () => number = () => performance.now(), wait: (ms: number) => Promise<void> = sleep) {
    this.#now = now
    this.#wait = wait
  }

  /** Resolves when the 401 may be sent. */
  async note(address: string): Promise<void> {
    this.total += 1
    const count = this.#count(address)
    count.failures += 1
    if (count.failures > FREE) await this.#wait(DELAY_MS)
  }

  #count(address: string): Count {
    const now = this.#now()
    const found = this.#counts.get(address)
    if (found !== undefined && now - found.sinceMs < WINDOW_MS) return found
    this.#counts.delete(address)
    const fresh = { sinceMs: now, failures: 0 }
    this.#counts.set(address, fresh)
    if (this.#counts.size > MAX_ADDRESSES) this.#counts.delete(this.#counts.keys().next().value as string)
    return fresh
  }
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => void setTimeout(resolve, ms).unref())
}
