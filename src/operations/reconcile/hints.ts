// Accounts that may have changed on chain and wait for a read. Bounded: one hint for each address.
import type { Explanation } from './explained.ts'

/** Contents of a notification. */
export interface NotificationContents {
  /** 0: unknown. */
  readonly slot: number
  /** The account as the endpoint sent it, unchecked; undefined: not sent. */
  readonly value: unknown
}

export interface Hint extends NotificationContents {
  /** Time of the first notification that is not yet processed, on `Clock.elapsed`. */
  readonly since: number
  /** Number of reads so far that were of an older slot, or decided nothing. */
  readonly reads: number
  /** True if a notification contained a change that this service did not make. */
  readonly isUnexplained: boolean
}

/**
 * Notifications that own transactions may explain lead to a read if this is still so after this time. Otherwise an
 * account that is always active would hide deposits smaller than its payments in progress, until a payment is refused
 * for lack of them. For 500 such accounts this is less than one query a second.
 */
const POSSIBLE_MS = 10_000
/**
 * Maximum reads for one hint. With those of the following rounds, enough for a node that is some slots behind. A hint
 * whose slot never arrives is dropped afterwards.
 */
const MAX_READS = 8

export class Hints {
  readonly #hints = new Map<string, Hint>()

  get size(): number {
    return this.#hints.size
  }

  /** `now`: of `Clock.elapsed`. */
  add(address: string, { slot, value }: NotificationContents, now: number): void {
    const known = this.#hints.get(address)
    if (known === undefined) this.#hints.set(address, { slot, value, since: now, reads: 0, isUnexplained: false })
    else if (known.value === undefined || value === undefined)
      this.#hints.set(address, { ...known, slot: Math.max(slot, known.slot), value: undefined })
    else if (slot >= known.slot) this.#hints.set(address, { ...known, slot, value })
  }

  /** The hints to read now, at most `max`. Settled hints are dropped, possible ones wait. */
  take(max: number, now: number, explain: (address: string, hint: Hint) => Explanation): Map<string, Hint> {
    const due = new Map<string, Hint>()
    for (const [address, hint] of this.#hints) {
      if (due.size >= max) break
      const explanation = explain(address, hint)
      if (explanation === 'possible' && now - hint.since < POSSIBLE_MS) continue
      this.#hints.delete(address)
      const isUnexplained = hint.isUnexplained || (explanation === 'unexplained' && hint.value !== undefined)
      if (explanation !== 'settled') due.set(address, { ...hint, isUnexplained })
    }
    return due
  }

  /** Keeps the hints that need another read, queued behind the others. Returns their addresses. */
  repeat(due: ReadonlyMap<string, Hint>, isNeeded: (address: string, hint: Hint) => boolean): ReadonlySet<string> {
    const repeated = new Set<string>()
    for (const [address, hint] of due) {
      if (!isNeeded(address, hint) || hint.reads + 1 >= MAX_READS) continue
      this.#keep(address, { ...hint, value: undefined, reads: hint.reads + 1 })
      repeated.add(address)
    }
    return repeated
  }

  /** Keeps all hints after a query without an answer. */
  putBack(due: ReadonlyMap<string, Hint>): void {
    for (const [address, hint] of due) this.#keep(address, { ...hint, value: undefined })
  }

  /** Merges the hint with notifications that arrived in the meantime. */
  #keep(address: string, hint: Hint): void {
    const newer = this.#hints.get(address)
    this.#hints.set(address, newer === undefined ? hint : { ...hint, slot: Math.max(hint.slot, newer.slot) })
  }
}
