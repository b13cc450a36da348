// Tracks whether an endpoint answers. A failure pauses the endpoint, each further failure for longer. After the pause
// one request at a time tries it again; the first answer to a request sent after the failure resolves the failure.

export interface PauseSettings {
  /** Pause after the first failure; doubles with each further one, up to `longestPauseMs`. */
  readonly pauseMs: number
  readonly longestPauseMs: number
  /** Upper bound for the endpoint's own `retry-after`. */
  readonly longestRetryAfterMs: number
}

/** All times are of `Clock.elapsed`. */
export class EndpointHealth {
  readonly #settings: PauseSettings
  #failures = 0
  #pausedAt = -Infinity
  #pausedUntil = -Infinity

  constructor(settings: PauseSettings) {
    this.#settings = settings
  }

  /** Failures in a row. */
  get failures(): number {
    return this.#failures
  }

  get pausedUntil(): number {
    return this.#pausedUntil
  }

  /** True if no failure is unresolved. */
  get sound(): boolean {
    return this.#failures === 0
  }

  isPaused(nowMs: number): boolean {
    return this.#failures > 0 && nowMs < this.#pausedUntil
  }

  /** @param jitter In [0, 1), so that the pauses of several services do not end together. */
  failed(startedAt: number, nowMs: number, jitter: number, retryAfterMs = 0): void {
    const retryAt = nowMs + Math.min(retryAfterMs, this.#settings.longestRetryAfterMs)
    // Requests that were in flight at the failure fail for the same reason; together they count once.
    if (this.#failures > 0 && startedAt < this.#pausedAt) {
      this.#pausedUntil = Math.max(this.#pausedUntil, retryAt)
      return
    }
    const pauseMs = Math.min(this.#settings.longestPauseMs, this.#settings.pauseMs * 2 ** this.#failures)
    this.#failures += 1
    this.#pausedAt = nowMs
    this.#pausedUntil = Math.max(nowMs + pauseMs * (1 + jitter / 4), retryAt)
  }

  /** Returns true if the answer resolves the failure. An answer to a request sent before the failure does not. */
  answered(startedAt: number): boolean {
    if (this.#failures === 0 || startedAt < this.#pausedAt) return false
    this.#failures = 0
    this.#pausedUntil = -Infinity
    return true
  }
}
