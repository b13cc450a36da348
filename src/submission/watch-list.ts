// The watched transactions: active ones (to be queried, sent or proven), and parked ones, which wait until their slot
// is final.
import type { Admission } from './admission.ts'
import type { WatchSettings } from '../rpc/cluster-settings.ts'
import type { WatchEntry } from './watch-entry.ts'

export class WatchList {
  readonly #admission: Admission
  readonly #settings: WatchSettings
  readonly #entries = new Map<string, WatchEntry>()
  readonly #active = new Set<WatchEntry>()
  readonly #parked = new ParkedBySlot<WatchEntry>()
  readonly #landed: (transactionId: string) => void

  /** @param landed Called when a transaction is confirmed, and when it is removed. */
  constructor(
    admission: Admission,
    settings: WatchSettings,
    landed: (transactionId: string) => void = () => undefined,
  ) {
    this.#admission = admission
    this.#settings = settings
    this.#landed = landed
  }

  get size(): number {
    return this.#entries.size
  }

  /** In order of arrival. */
  get all(): Iterable<WatchEntry> {
    return this.#entries.values()
  }

  get awake(): Iterable<WatchEntry> {
    return this.#active
  }

  get(transactionId: string): WatchEntry | undefined {
    return this.#entries.get(transactionId)
  }

  holds(entry: WatchEntry): boolean {
    return this.#entries.get(entry.submission.transactionId) === entry
  }

  add(entry: WatchEntry): void {
    const { transactionId } = entry.submission
    this.#entries.set(transactionId, entry)
    this.#active.add(entry)
    if (entry.counted) this.#admission.enter(transactionId, entry.submission)
  }

  remove(entry: WatchEntry): void {
    this.#entries.delete(entry.submission.transactionId)
    if (!this.#active.delete(entry)) this.#parked.drop(entry)
    this.#count(entry, false)
  }

  wake(entry: WatchEntry): void {
    this.#parked.drop(entry)
    this.#active.add(entry)
  }

  /** Active entries whose query is due, at most `most`. */
  due(nowMs: number, most: number): WatchEntry[] {
    const due: WatchEntry[] = []
    for (const entry of this.#active) {
      if (entry.askAt > nowMs || entry.signature === null) continue
      due.push(entry)
      if (due.length === most) break
    }
    return due
  }

  /** When the next query of an active entry is due; Infinity if none is planned. */
  nextAskAt(): number {
    let at = Infinity
    for (const entry of this.#active) if (entry.askAt < at && entry.signature !== null) at = entry.askAt
    return at
  }

  /** Files an entry by its newest status: removed when final, parked when confirmed, active otherwise. */
  settle(entry: WatchEntry, forgotten: boolean, finalizedSlot: number, nowMs: number): void {
    const { seen } = entry.view
    if (seen?.commitment === 'finalized') {
      this.remove(entry)
      return
    }
    if (forgotten) {
      entry.sendAt = nowMs
      entry.sendDelayMs = this.#settings.resendMs
      entry.askDelayMs = this.#settings.pollMs
    }
    const confirmed = seen?.commitment === 'confirmed'
    this.#count(entry, !confirmed)
    if (!confirmed || entry.deep || seen.slot <= finalizedSlot) return
    this.#parked.put(entry, seen.slot)
    this.#active.delete(entry)
  }

  /** Activates the entries whose slot is now final; their query is due at once. */
  wakeFinal(finalizedSlot: number, nowMs: number): void {
    for (const entry of this.#parked.take(finalizedSlot)) {
      entry.askAt = nowMs
      this.#active.add(entry)
    }
  }

  #count(entry: WatchEntry, counted: boolean): void {
    if (entry.counted === counted) return
    entry.counted = counted
    const { transactionId } = entry.submission
    if (counted) this.#admission.enter(transactionId, entry.submission)
    else {
      this.#admission.leave(transactionId)
      this.#landed(transactionId)
    }
  }
}

/** Entries by the slot that has to be final. Few slots wait at a time (about 32), each with many entries. */
class ParkedBySlot<T> {
  readonly #slots = new Map<number, Set<T>>()

  put(thing: T, slot: number): void {
    const parked = this.#slots.get(slot)
    if (parked === undefined) this.#slots.set(slot, new Set([thing]))
    else parked.add(thing)
  }

  /** Removes and returns everything of slots up to and including this one. */
  take(finalizedSlot: number): T[] {
    const taken: T[] = []
    for (const [slot, parked] of this.#slots) {
      if (slot > finalizedSlot) continue
      for (const thing of parked) taken.push(thing)
      this.#slots.delete(slot)
    }
    return taken
  }

  drop(thing: T): void {
    for (const [slot, parked] of this.#slots) {
      if (parked.delete(thing) && parked.size === 0) this.#slots.delete(slot)
    }
  }
}
