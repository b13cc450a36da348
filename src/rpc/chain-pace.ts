// Bounds slots and block heights by time: no cluster produces blocks faster than `minSlotMs`. A claim of an endpoint is
// compared with earlier observations, on a monotonic clock. A claim beyond the bound is not used: it proves nothing,
// raises no minimum slot, and the caller receives a failure of the endpoint. Guarantee, for claims that jump:
// between two marks with equal `doubts` the observed height is wrong by at most `marginBlocks`. Conclusions from
// counted blocks (`expiry/prove.ts`) therefore start counting again after a doubt. An endpoint that advances steadily
// at up to one block per `minSlotMs` cannot be distinguished from a true one.
//
// Only responses at `processed` and `confirmed` move the bound: finalized progress is never ahead of them. A true jump
// (the machine was suspended, or a node caught up) is accepted when two endpoints claim it, or when no other claim was
// made for `patienceMs`. Observations that were too high are discarded after `patienceMs` of lower ones (`RecentPeak`).
//
// Slots and heights are judged separately, because most responses contain a slot only, and a plausible slot does not
// refute an implausible height.
import { RecentPeak, type Mark } from './recent-peak.ts'

export interface PaceSettings {
  /** Minimum time between two blocks of the cluster. */
  readonly minSlotMs: number
  /** Slots that an endpoint may advance at once: the lag at which an endpoint is still used. */
  readonly leapSlots: number
  /** Blocks to observe beyond the lifetime of a blockhash before its end is concluded from heights. */
  readonly marginBlocks: number
}

/** The highest slot and height in one response; null: there is none. */
export interface Claim {
  readonly slot: number | null
  readonly height: number | null
  /** At `finalized`: does not move the bound. */
  readonly isFinalized: boolean
}

type Part = 'slot' | 'height'

/** An implausible slot or height of one endpoint: the latest claim, and when such claims began. */
export interface DoubtedMark extends Mark {
  readonly since: number
}

/** The implausible claims of one endpoint since its last plausible ones. Null: the slot or the height is plausible. */
export interface EndpointDoubts {
  readonly slot: DoubtedMark | null
  readonly height: DoubtedMark | null
}

/** Observed height, and doubts so far, when the blocks of a transaction began to be counted. */
export interface PaceMark {
  readonly height: number
  readonly doubts: number
}

/** Number of blocks for which a blockhash is valid. */
const LIFETIME_BLOCKS = 150

export class ChainPace {
  readonly settings: PaceSettings
  readonly patienceMs: number
  readonly #slots: RecentPeak
  readonly #heights: RecentPeak
  /** Time of the last plausible claim. */
  readonly #observedAt = { slot: -Infinity, height: -Infinity }
  #doubts = 0

  constructor(settings: PaceSettings) {
    this.settings = settings
    this.patienceMs = LIFETIME_BLOCKS * settings.minSlotMs
    this.#slots = new RecentPeak(this.patienceMs)
    this.#heights = new RecentPeak(this.patienceMs)
  }

  /** Number of steps of the observed height that may not have been progress of the chain. */
  get doubts(): number {
    return this.#doubts
  }

  /** null before the first observation of a height. */
  get mark(): PaceMark | null {
    const height = this.#heights.mark
    return height === null ? null : { height: height.value, doubts: this.#doubts }
  }

  /**
   * True if observations show that every blockhash that was valid at `since` has expired: enough blocks were observed
   * that an undetected jump makes no difference, and there was no doubt meanwhile.
   */
  isLifetimePast(since: PaceMark | null, finalizedHeight: number): boolean {
    const newest = this.#heights.mark
    const isShown = newest === null || finalizedHeight <= newest.value + this.settings.leapSlots
    return isShown && since !== null && since.doubts === this.#doubts && finalizedHeight > this.#endOf(since)
  }

  /** True if blocks can still be counted from this mark: no doubt since, and it was not too high itself. */
  isUsable({ height, doubts }: PaceMark): boolean {
    const newest = this.#heights.mark
    return doubts === this.#doubts && newest !== null && height <= newest.value + this.settings.leapSlots
  }

  /** Finalized height that must be exceeded for a proof if blocks are counted from `since`. */
  proofHeight(since: PaceMark, lastValidBlockHeight: number): number {
    const end = this.#endOf(since)
    // A blockhash that was valid at `since` cannot be valid for longer.
    const isPossible = lastValidBlockHeight <= since.height + LIFETIME_BLOCKS + this.settings.leapSlots
    return isPossible ? Math.max(lastValidBlockHeight, end) : end
  }

  /** True if the cluster can have reached this slot by now. */
  isPossibleSlot(slot: number, nowMs: number): boolean {
    return this.#isWithin(this.#slots.mark, slot, nowMs)
  }

  isPossible({ slot, height }: Claim, nowMs: number): boolean {
    return this.#isWithin(this.#slots.mark, slot, nowMs) && this.#isWithin(this.#heights.mark, height, nowMs)
  }

  /**
   * Records a possible claim. A large step may hide a jump.
   *
   * @param startedAt When the request was sent.
   */
  observe({ slot, height, isFinalized }: Claim, startedAt: number, nowMs: number): void {
    if (isFinalized) return
    const known = this.#heights.mark
    if (known !== null && height !== null && height > known.value + this.settings.leapSlots) this.#doubts += 1
    if (slot !== null) {
      this.#observedAt.slot = nowMs
      this.#slots.observe(slot, startedAt, nowMs)
    }
    if (height !== null) {
      this.#observedAt.height = nowMs
      this.#heights.observe(height, startedAt, nowMs)
    }
  }

  /**
   * Records an implausible claim that is not at `finalized`. Returns the updated doubts about its endpoint; null:
   * none.
   */
  doubt(claim: Claim, doubts: EndpointDoubts | null, startedAt: number, nowMs: number): EndpointDoubts | null {
    const doubted = (part: Part): DoubtedMark | null => {
      const [value, before] = [claim[part], doubts?.[part] ?? null]
      if (value === null) return before
      if (this.#isWithin(this.#known(part).mark, value, nowMs)) return null
      const since = before !== null && this.#continues(before, value, nowMs) ? before.since : nowMs
      return { value, at: startedAt, since }
    }
    return endpointDoubts(doubted('slot'), doubted('height'))
  }

  /**
   * Returns the doubts about an endpoint that remain after a plausible claim: none about a value that the claim
   * contains. Finalized claims change nothing, because they do not move the bound.
   */
  doubtsAfter({ slot, height, isFinalized }: Claim, doubts: EndpointDoubts | null): EndpointDoubts | null {
    if (doubts === null || isFinalized) return doubts
    return endpointDoubts(slot === null ? doubts.slot : null, height === null ? doubts.height : null)
  }

  /**
   * Accepts the doubted slot or height as the progress of the cluster if another endpoint claims the same, or if no
   * other claim was made for `patienceMs`. Returns the remaining doubts; null: none.
   */
  settle(doubts: EndpointDoubts, others: readonly EndpointDoubts[], nowMs: number): EndpointDoubts | null {
    const remaining = (part: Part): DoubtedMark | null => {
      const mark = doubts[part]
      if (mark === null || !this.#isProven(part, mark, others, nowMs)) return mark
      this.#known(part).reset(mark.value, mark.at)
      return null
    }
    const [slot, height] = [remaining('slot'), remaining('height')]
    if (slot !== doubts.slot || height !== doubts.height) this.#doubts += 1
    return endpointDoubts(slot, height)
  }

  #isProven(part: Part, mark: DoubtedMark, others: readonly EndpointDoubts[], nowMs: number): boolean {
    const otherwiseAt = Math.max(mark.since, this.#observedAt[part])
    if (nowMs - otherwiseAt >= this.patienceMs) return true
    return others.some((other) => other[part] !== null && this.#agree(mark, other[part]))
  }

  #known(part: Part): RecentPeak {
    return part === 'slot' ? this.#slots : this.#heights
  }

  #endOf({ height }: PaceMark): number {
    return height + LIFETIME_BLOCKS + this.settings.marginBlocks
  }

  #isWithin(mark: Mark | null, value: number | null, nowMs: number): boolean {
    if (mark === null || value === null) return true
    const { minSlotMs, leapSlots } = this.settings
    return value <= mark.value + leapSlots + Math.max(0, nowMs - mark.at) / minSlotMs
  }

  #continues(mark: Mark, value: number, nowMs: number): boolean {
    return value >= mark.value - this.settings.leapSlots && this.#isWithin(mark, value, nowMs)
  }

  #agree(one: Mark, other: Mark): boolean {
    const { minSlotMs, leapSlots } = this.settings
    return Math.abs(one.value - other.value) <= leapSlots + Math.abs(one.at - other.at) / minSlotMs
  }
}

function endpointDoubts(slot: DoubtedMark | null, height: DoubtedMark | null): EndpointDoubts | null {
  return slot === null && height === null ? null : { slot, height }
}
