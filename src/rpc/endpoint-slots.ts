// How far an endpoint has come, and how far it is behind the others. Slots are compared level by level, and with what the others had
// shown before the question went out: what it is found to be behind by, it was behind by at least.
import type { SlotSeen } from './context-slot.ts'
import type { Commitment } from './rpc.ts'

/** Newest slot by level; -1: none seen. */
export type Levels = Readonly<Record<Commitment, number>>

export const NO_LEVELS: Levels = { processed: -1, confirmed: -1, finalized: -1 }

export class EndpointSlots {
  #newest: Levels = NO_LEVELS
  #behind = 0
  #observedAt = -Infinity

  get newest(): Levels {
    return this.#newest
  }

  /** Slots, by the latest answer that could be compared; 0: not behind. */
  get behind(): number {
    return this.#behind
  }

  /** When it was last compared, of `Clock.elapsed`. */
  get observedAt(): number {
    return this.#observedAt
  }

  /** `others`: the newest that the other endpoints had shown when the question went out. */
  observe({ level, slot }: SlotSeen, others: Levels, nowMs: number): void {
    this.raise(level, slot)
    if (others[level] < 0) return
    this.#behind = Math.max(0, others[level] - slot)
    this.#observedAt = nowMs
  }

  /** It has come at least this far. */
  raise(level: Commitment, slot: number): void {
    if (slot > this.#newest[level]) this.#newest = { ...this.#newest, [level]: slot }
  }
}

/** The best of several, level by level. */
export function newestOf(several: Iterable<Levels>): Levels {
  let { processed, confirmed, finalized } = NO_LEVELS
  for (const one of several) {
    processed = Math.max(processed, one.processed)
    confirmed = Math.max(confirmed, one.confirmed)
    finalized = Math.max(finalized, one.finalized)
  }
  return { processed, confirmed, finalized }
}
