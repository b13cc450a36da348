// Which transactions moved the balance of a record while somebody was reading the chain: an answer that was on its way has to be judged with
// them, also when they were made and ended in between.
import type { Entry } from './entry.ts'

export interface MoveWatch {
  /** Ids of transactions, since the watch began. */
  readonly moved: ReadonlySet<string>
  end(): void
}

const watches = new WeakMap<Entry, Set<Set<string>>>()

/** The caller ends it. */
export function watchMoves(record: Entry): MoveWatch {
  const moved = new Set<string>()
  const open = watches.get(record) ?? new Set()
  watches.set(record, open.add(moved))
  return {
    moved,
    end() {
      open.delete(moved)
      if (open.size === 0) watches.delete(record)
    },
  }
}

/** To be called with every outcome that moves a balance. */
export function noteMove(record: Entry, transactionId: string): void {
  for (const moved of watches.get(record) ?? []) moved.add(transactionId)
}
