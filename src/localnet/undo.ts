// The data for removing slots: for each non-final slot, the previous state of the accounts it changed, and its rows.

import type { StoredAccount } from './accounts.ts'
import type { LedgerRow } from './row-read.ts'
import type { Change } from './runtime.ts'

export interface SlotUndo {
  readonly slot: number
  /** State before the slot of each account it changed. */
  readonly before: Map<string, StoredAccount | null>
  readonly rows: LedgerRow[]
}

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

  /** Drops slots that became final. */
  settle(rootSlot: number): void {
    while (this.#slots[0] && this.#slots[0].slot <= rootSlot) this.#slots.shift()
  }

  /** Removes and returns the given slots, newest first. */
  take(slots: readonly number[]): SlotUndo[] {
    const taken = this.#slots.filter((undo) => slots.includes(undo.slot))
    this.#slots = this.#slots.filter((undo) => !slots.includes(undo.slot))
    return taken.reverse()
  }
}
