// The data for faults: for each recent slot, the previous state of the accounts it changed, and its rows. It removes
// slots, and shows an account as of an earlier slot.

import type { StoredAccount } from './accounts.ts'
import type { LedgerRow } from './row-read.ts'
import type { Change } from './runtime.ts'

export interface SlotUndo {
  readonly slot: number
  /** State before the slot of each account it changed. */
  readonly before: Map<string, StoredAccount | null>
  readonly rows: LedgerRow[]
}

/** Final slots that are kept, for a node that lags. */
const KEPT_SLOTS = 1_000

export class UndoLog {
  #slots: SlotUndo[] = []

  add(slot: number, changes: readonly Change[], row: LedgerRow): void {
    let undo = this.#slots[this.#slots.length - 1]
    if (undo?.slot !== slot) {
      undo = { slot, before: new Map(), rows: [] }
      this.#slots.push(undo)
    }
    for (const { key, before } of changes) if (!undo.before.has(key)) undo.before.set(key, before)
    undo.rows.push(row)
  }

  /** Drops old slots. */
  settle(rootSlot: number): void {
    while (this.#slots[0] && this.#slots[0].slot <= rootSlot - KEPT_SLOTS) this.#slots.shift()
  }

  /** The state of an account at the end of a slot that is kept; undefined: unchanged since. */
  accountAt(key: string, slot: number): StoredAccount | null | undefined {
    const changed = this.#slots.find((undo) => undo.slot > slot && undo.before.has(key))
    return changed?.before.get(key)
  }

  /** Removes and returns the given slots, newest first. */
  take(slots: readonly number[]): SlotUndo[] {
    const taken = this.#slots.filter((undo) => slots.includes(undo.slot))
    this.#slots = this.#slots.filter((undo) => !slots.includes(undo.slot))
    return taken.reverse()
  }
}
