// Tracks the progress of an endpoint and its lag behind the others. Slots are compared per commitment level, and with
// the slots that the others had shown before the request was sent, so the computed lag is a lower bound.
import type { SlotSeen } from './context-slot.ts'
import { RecentPeak } from './recent-peak.ts'
import type { Commitment } from './rpc.ts'

/** Newest slot by level; -1: none seen. */
export type Levels = Readonly<Record<Commitment, number>>

const NO_LEVELS: Levels = { processed: -1, confirmed: -1, finalized: -1 }

export class EndpointSlots {
  readonly #keepMs: number
  #peaks: Readonly<Record<Commitment, RecentPeak>>
  #behind = 0
  #observedAt = -Infinity

  /** @param keepMs A slot is discarded when all later ones, for this long, have been lower. */
  constructor(keepMs: number) {
    this.#keepMs = keepMs
    this.#peaks = peaks(keepMs)
  }

  /** Discards all slots, because they were wrong. */
  forget(): void {
    this.#peaks = peaks(this.#keepMs)
  }

  get newest(): Levels {
    const { processed, confirmed, finalized } = this.#peaks
    return { processed: newestIn(processed), confirmed: newestIn(confirmed), finalized: newestIn(finalized) }
  }

  /** Lag in slots by the latest comparable response; 0: not behind. */
  get behind(): number {
    return this.#behind
  }

  /** Time of the last comparison, of `Clock.elapsed`. */
  get observedAt(): number {
    return this.#observedAt
  }

  /** @param others Newest slots that the other endpoints had shown when the request was sent. */
  observe({ level, slot }: SlotSeen, others: Levels, nowMs: number): void {
    this.#peaks[level].observe(slot, nowMs, nowMs)
    if (others[level] < 0) return
    this.#behind = Math.max(0, others[level] - slot)
    this.#observedAt = nowMs
  }
}

function peaks(keepMs: number): Readonly<Record<Commitment, RecentPeak>> {
  return { processed: new RecentPeak(keepMs), confirmed: new RecentPeak(keepMs), finalized: new RecentPeak(keepMs) }
}

function newestIn(peak: RecentPeak): number {
  return peak.mark?.value ?? -1
}

/** The newest of several, per level. */
export function newestOf(several: Iterable<Levels>): Levels {
  let { processed, confirmed, finalized } = NO_LEVELS
  for (const one of several) {
    processed = Math.max(processed, one.processed)
    confirmed = Math.max(confirmed, one.confirmed)
    finalized = Math.max(finalized, one.finalized)
  }
  return { processed, confirmed, finalized }
}
