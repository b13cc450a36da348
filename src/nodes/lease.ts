// How a node judges its own lease: by its monotonic clock, from the start of the last renewal that succeeded. The
// database judges by its own clock, from when it performed that renewal, which is later.
import type { Clock } from '../time/clock.ts'

/** The node gives its lease up this much earlier than the database does. */
export const MARGIN_MS = 500
/**
 * The monotonic clock of a suspended machine stands still. A wall clock that ran ahead of it by more than this counts
 * as a suspension.
 */
const SUSPENDED_MS = 1_000

export class Lease {
  readonly #clock: Pick<Clock, 'now' | 'elapsed'>
  readonly #leaseMs: number
  #renewedAt: Instant | null = null

  constructor(clock: Pick<Clock, 'now' | 'elapsed'>, leaseMs: number) {
    this.#clock = clock
    this.#leaseMs = leaseMs
  }

  /** The instant at which a renewal begins: for `renewed`, if it succeeds. */
  mark(): Instant {
    return { elapsedMs: this.#clock.elapsed(), wallMs: this.#clock.now() }
  }

  /** A renewal that began at this instant has succeeded. */
  renewed(begun: Instant): void {
    if (this.#renewedAt === null || begun.elapsedMs >= this.#renewedAt.elapsedMs) this.#renewedAt = begun
  }

  /** Zero: not held. */
  get leftMs(): number {
    if (this.#renewedAt === null) return 0
    const { elapsedMs, wallMs } = this.#renewedAt
    const passedMs = this.#clock.elapsed() - elapsedMs
    if (this.#clock.now() - wallMs - passedMs > SUSPENDED_MS) return 0
    return Math.max(0, this.#leaseMs - MARGIN_MS - passedMs)
  }

  get isHeld(): boolean {
    return this.leftMs > 0
  }
}

export interface Instant {
  readonly elapsedMs: number
  readonly wallMs: number
}
