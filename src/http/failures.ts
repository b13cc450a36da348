// Guessing is slow: who failed to authenticate often in the last minute waits before hearing of the next failure. By address, so that
// nobody else waits; a good key never does.
const WINDOW_MS = 60_000
const FREE = 500
const DELAY_MS = 500
/** Addresses remembered; beyond it the oldest is forgotten. */
const MAX_ADDRESSES = 10_000

interface Count {
  sinceMs: number
  failures: number
}

export class Failures {
  readonly #counts = new Map<string, Count>()
  readonly #now: () => number
  readonly #wait: (ms: number) => Promise<void>
  /** All there ever were. */
  total = 0

  constructor(now: () => number = () => performance.now(), wait: (ms: number) => Promise<void> = sleep) {
    this.#now = now
    this.#wait = wait
  }

  /** Resolves when the failure may be told. */
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
