// Accounts that are said to have changed on chain, until somebody has looked at them. Bounded: one hint an address.
import type { Explanation } from './explained.ts'

/** As it was notified. */
export interface Notified {
  /** 0: not known. */
  readonly slot: number
  /** The account as the endpoint shows it, unchecked; undefined: not shown. */
  readonly value: unknown
}

export interface Hint extends Notified {
  /** When the first notification came that is not dealt with, of `Clock.elapsed`. */
  readonly since: number
  /** Looks at it so far that were as of an older slot, or decided nothing. */
  readonly looks: number
  /** A notification showed what is none of our doing. */
  readonly isUnexplained: boolean
}

/**
 * What may be our own transactions is looked at when it still is after this: an account that is busy all the time hides deposits smaller than
 * its payments under way, until a payment would be refused for want of them. Of 500 such accounts less than one question a second.
 */
const POSSIBLE_MS = 10_000
/** With those of the next rounds, enough for a node that is some slots behind; a slot that never comes is forgotten after it. */
const MAX_LOOKS = 8

export class Hints {
  readonly #hints = new Map<string, Hint>()

  get size(): number {
    return this.#hints.size
  }

  /** `now`: of `Clock.elapsed`. */
  add(address: string, { slot, value }: Notified, now: number): void {
    const known = this.#hints.get(address)
    if (known === undefined) this.#hints.set(address, { slot, value, since: now, looks: 0, isUnexplained: false })
    else if (known.value === undefined || value === undefined) this.#hints.set(address, { ...known, slot: Math.max(slot, known.slot), value: undefined })
    else if (slot >= known.slot) this.#hints.set(address, { ...known, slot, value })
  }

  /** Those to look at now, at most `most`. What is settled is dropped, what is possible waits. */
  take(most: number, now: number, explain: (address: string, hint: Hint) => Explanation): Map<string, Hint> {
    const due = new Map<string, Hint>()
    for (const [address, hint] of this.#hints) {
      if (due.size >= most) break
      const explanation = explain(address, hint)
      if (explanation === 'possible' && now - hint.since < POSSIBLE_MS) continue
      this.#hints.delete(address)
      const isUnexplained = hint.isUnexplained || (explanation === 'unexplained' && hint.value !== undefined)
      if (explanation !== 'settled') due.set(address, { ...hint, isUnexplained })
    }
    return due
  }

  /** Keeps those of them that need another look, for which they wait their turn behind the others; their addresses. */
  repeat(looked: ReadonlyMap<string, Hint>, isNeeded: (address: string, hint: Hint) => boolean): ReadonlySet<string> {
    const repeated = new Set<string>()
    for (const [address, hint] of looked) {
      if (!isNeeded(address, hint) || hint.looks + 1 >= MAX_LOOKS) continue
      this.#keep(address, { ...hint, value: undefined, looks: hint.looks + 1 })
      repeated.add(address)
    }
    return repeated
  }

  /** After a question without an answer. */
  putBack(looked: ReadonlyMap<string, Hint>): void {
    for (const [address, hint] of looked) this.#keep(address, { ...hint, value: undefined })
  }

  /** Beside what has been notified meanwhile. */
  #keep(address: string, hint: Hint): void {
    const newer = this.#hints.get(address)
    this.#hints.set(address, newer === undefined ? hint : { ...hint, slot: Math.max(hint.slot, newer.slot) })
  }
}
