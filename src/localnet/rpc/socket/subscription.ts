// One subscription: decides when results are delivered. At `finalized` no result is delivered before its slot is final.

import type { Commitment } from '../../contract.ts'

interface Held {
  readonly slot: number
  readonly result: unknown
}

export class Subscription {
  readonly id: number
  /** Name of its notifications, e.g. `accountNotification`. */
  readonly notification: string
  readonly commitment: Commitment
  readonly #deliver: (subscription: Subscription, result: unknown) => void
  #pending: Held[] = []

  constructor(
    id: number,
    notification: string,
    commitment: Commitment,
    deliver: (subscription: Subscription, result: unknown) => void,
  ) {
    this.id = id
    this.notification = notification
    this.commitment = commitment
    this.#deliver = deliver
  }

  /**
   * Delivers now, or holds the result until `slot` is final. `latestOnly`: only the last result of a slot is delivered
   * (account states).
   */
  offer(slot: number, result: unknown, latestOnly: boolean): void {
    if (this.commitment !== 'finalized') {
      this.deliver(result)
      return
    }
    if (latestOnly && this.#pending.at(-1)?.slot === slot) this.#pending.pop()
    this.#pending.push({ slot, result })
  }

  deliver(result: unknown): void {
    this.#deliver(this, result)
  }

  /** Delivers results whose slot has become final. */
  rooted(root: number): void {
    if (this.#pending.length === 0) return
    const ready = this.#pending.filter((held) => held.slot <= root)
    if (ready.length === 0) return
    this.#pending = this.#pending.filter((held) => held.slot > root)
    for (const pending of ready) this.deliver(pending.result)
  }

  /** Drops the results held for this slot. */
  forked(slot: number): void {
    this.#pending = this.#pending.filter((held) => held.slot !== slot)
  }
}
