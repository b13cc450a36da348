// Whether an endpoint answers. A failure pauses it, each further one for longer; when the pause is over it is tried again, by one
// request at a time, and the first answer to a request made since the failure ends the matter.

export interface PauseSettings {
  /** After the first failure; doubles with each further one, up to the second. */
  readonly pauseMs: number
  readonly longestPauseMs: number
  /** The most that an endpoint's own `retry-after` is honoured for. */
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

  /** In a row. */
  get failures(): number {
    return this.#failures
  }

  get pausedUntil(): number {
    return this.#pausedUntil
  }

  /** No failure stands against it. */
  get sound(): boolean {
    return this.#failures === 0
  }

  isPaused(nowMs: number): boolean {
    return this.#failures > 0 && nowMs < this.#pausedUntil
  }

  /** `jitter`: in [0, 1), so that the pauses of many do not end together. */
  failed(startedAt: number, nowMs: number, jitter: number, retryAfterMs = 0): void {
    const asked = nowMs + Math.min(retryAfterMs, this.#settings.longestRetryAfterMs)
    // What was under way when it failed fails for the same reason, and counts once.
    if (this.#failures > 0 && startedAt < this.#pausedAt) {
      this.#pausedUntil = Math.max(this.#pausedUntil, asked)
      return
    }
    const pauseMs = Math.min(this.#settings.longestPauseMs, this.#settings.pauseMs * 2 ** this.#failures)
    this.#failures += 1
    this.#pausedAt = nowMs
    this.#pausedUntil = Math.max(nowMs + pauseMs * (1 + jitter / 4), asked)
  }

  /** True when this ends its trouble. An answer to a request from before the failure says nothing about now. */
  answered(startedAt: number): boolean {
    if (this.#failures === 0 || startedAt < this.#pausedAt) return false
    this.#failures = 0
    this.#pausedUntil = -Infinity
    return true
  }
}
