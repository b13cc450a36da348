// Tracks the transactions that moved a record's balance during a chain read. The result of the read must be evaluated
// with these transactions, including those that began and ended in between.
import type { Entry } from './entry.ts'

export interface MoveWatch {
  /** Ids of transactions since the watch began. */
  readonly moved: ReadonlySet<string>
  end(): void
}

const watches = new WeakMap<Entry, Set<Set<string>>>()

/** The caller must call `end` on the returned watch. */
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

/** Must be called for every outcome that moves a balance. */
export function noteMove(record: Entry, transactionId: string): void {
  for (const moved of watches.get(record) ?? []) moved.add(transactionId)
}
