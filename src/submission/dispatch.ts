// Decides whether a transaction is handed to the lanes, or held back because its lane is suspended or it was recalled.
// A held transaction stays on the watch list, watched and counted; it is only not sent.
import type { Clock } from '../time/clock.ts'
import type { Lanes } from './lanes.ts'
import { Suspensions, type SendScope } from './suspensions.ts'
import { pendingSendOf, type WatchEntry } from './watch-entry.ts'
import type { WatchList } from './watch-list.ts'

export class Dispatch {
  readonly #list: WatchList
  readonly #lanes: Lanes
  readonly #clock: Clock
  readonly #suspensions = new Suspensions()

  constructor(list: WatchList, lanes: Lanes, clock: Clock) {
    this.#list = list
    this.#lanes = lanes
    this.#clock = clock
  }

  get suspensions(): number {
    return this.#suspensions.size
  }

  get held(): number {
    let count = 0
    for (const entry of this.#list.all) if (entry.held) count += 1
    return count
  }

  /**
   * Must be called for a transaction that an earlier process may have sent: its status is queried before it is sent.
   */
  enter(entry: WatchEntry): void {
    const isSendable = entry.submission.bytes !== null && entry.view.seen === null
    if (isSendable && this.#suspensions.holds(entry.submission)) hold(entry)
  }

  /** First send or resend. */
  send(entry: WatchEntry): void {
    if (entry.recalled || this.#suspensions.holds(entry.submission)) {
      hold(entry)
      return
    }
    const pendingSend = pendingSendOf(entry.submission)
    if (pendingSend === null) return
    entry.sending = true
    if (entry.attempts === 0) this.#lanes.submit(pendingSend)
    else this.#lanes.repeat(pendingSend)
  }

  suspend(scope: SendScope): void {
    this.#suspensions.add(scope)
    this.#takeBack((entry) => this.#suspensions.holds(entry.submission))
  }

  /**
   * @param review Receives the ids of transactions that this process has not sent. They stay held until they are
   * released.
   */
  resume(scope: SendScope, review?: (transactionIds: readonly string[]) => void): void {
    this.#suspensions.delete(scope)
    const unsent: string[] = []
    for (const entry of this.#list.all) {
      if (!entry.held || entry.recalled || this.#suspensions.holds(entry.submission)) continue
      if (review !== undefined && isUnsent(entry)) unsent.push(entry.submission.transactionId)
      else this.#free(entry)
    }
    if (unsent.length > 0) review?.(unsent)
  }

  /** Sends a transaction that `resume` left to a review, unless a suspension holds it again. */
  release(entry: WatchEntry): void {
    if (!entry.held || entry.recalled || this.#suspensions.holds(entry.submission)) return
    this.#free(entry)
  }

  /** Until `release`. */
  holdBack(entry: WatchEntry): void {
    this.drop(entry)
    hold(entry)
  }

  recall(entry: WatchEntry): void {
    entry.recalled = true
    this.#takeBack((each) => each === entry)
  }

  /** The transaction is never sent again. */
  drop(entry: WatchEntry): void {
    const { transactionId, bytes } = entry.submission
    if (bytes !== null) this.#lanes.withdraw((id) => id === transactionId)
  }

  #free(entry: WatchEntry): void {
    entry.held = false
    // A transaction that may have landed is queried first; the watcher sends it if that is still needed.
    if (entry.deep || entry.view.seen !== null) entry.sendAt = this.#clock.elapsed()
    else this.send(entry)
  }

  #takeBack(matches: (entry: WatchEntry) => boolean): void {
    const withdrawn = this.#lanes.withdraw((id) => {
      const entry = this.#list.get(id)
      return entry !== undefined && matches(entry)
    })
    for (const id of withdrawn) hold(this.#list.get(id)!)
  }
}

function isUnsent({ attempts, view }: WatchEntry): boolean {
  return attempts === 0 && view.seen === null
}

function hold(entry: WatchEntry): void {
  entry.sending = false
  entry.held = true
  entry.sendAt = Infinity
}
