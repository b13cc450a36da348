// A node's own view of its lease: it counts from the start of the last successful renewal, by its monotonic clock. The
// database counts from when it executed that renewal, which is later, by its own clock.
import type { Clock } from '../time/clock.ts'

/** The node treats its lease as expired this much earlier than the database does. */
export const MARGIN_MS = 500
/**
 * The monotonic clock stops while the machine is suspended. If the wall clock advanced by more than this in addition,
 * the machine was suspended.
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

  /** The start of a renewal, to be passed to `renewed` if the renewal succeeds. */
  mark(): Instant {
    return { elapsedMs: this.#clock.elapsed(), wallMs: this.#clock.now() }
  }

  /** Extends the lease after a successful renewal. */
  renewed(begun: Instant): void {
    if (this.#renewedAt === null || begun.elapsedMs >= this.#renewedAt.elapsedMs) this.#renewedAt = begun
  }

  /** The lease counts as expired until the next renewal. */
  end(): void {
    this.#renewedAt = null
  }

  /** 0: the lease has expired. */
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
