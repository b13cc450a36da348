// The last reading of the chain that each record's balances were compared with. A transaction of another cell is
// unknown here until its message arrives, so a reading that includes it counts it as a movement by others. In memory
// only: after a start the record is compared again.
import type { Entry } from './entry.ts'

const slots = new WeakMap<Entry, number>()

/** Must be called in the turn in which the balances of the record follow the reading. */
export function noteReading(record: Entry, slot: number): void {
  slots.set(record, slot)
}

/** True if the balances of the record include every transaction that landed in this slot, also unknown ones. */
export function isReadAt(record: Entry, slot: number): boolean {
  return slot <= (slots.get(record) ?? -1)
}
