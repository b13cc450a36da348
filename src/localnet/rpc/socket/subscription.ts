// One subscription: what it delivers, and when. Guarantee: at `finalized` nothing is delivered before its slot is final, and what
// a fork threw away never is.

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
  #held: Held[] = []

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

  /** Delivers now, or keeps until `slot` is final. `latestOnly`: of one slot only the last matters (account states). */
  offer(slot: number, result: unknown, latestOnly: boolean): void {
    if (this.commitment !== 'finalized') {
      this.deliver(result)
      return
    }
    if (latestOnly && this.#held.at(-1)?.slot === slot) this.#held.pop()
    this.#held.push({ slot, result })
  }

  deliver(result: unknown): void {
    this.#deliver(this, result)
  }

  /** Delivers what has become final. */
  rooted(root: number): void {
    if (this.#held.length === 0) return
    const ready = this.#held.filter((held) => held.slot <= root)
    if (ready.length === 0) return
    this.#held = this.#held.filter((held) => held.slot > root)
    for (const held of ready) this.deliver(held.result)
  }

  /** Forgets what happened in a slot that is no more. */
  forked(slot: number): void {
    this.#held = this.#held.filter((held) => held.slot !== slot)
  }
}
