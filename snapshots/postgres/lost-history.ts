// What an owner does when the database has lost commits that it had acknowledged: it marks all cells, so that no
// process claims one before an operator has decided.

import type { ResultRow, Statement, Value } from './connection.ts'
import { LostHistory, type NoAnswer } from './errors.ts'
import { untilAnswered } from './lane.ts'

/**
 * Start of `cell.lost_history` from the beginning of a restore into the database until its end: records are missing, as
 * after a loss. Only a complete restore removes it.
 */
export const UNFINISHED_RESTORE = 'a restore has not finished'

/** @param mark `cell.lost_history` */
export const isUnfinishedRestore = (mark: string | null): boolean => mark?.startsWith(UNFINISHED_RESTORE) === true

/** How long an owner waits for the mark before its process ends without it. */
const MARKING_MS = 15_000

/**
 * Marks all cells: if one cell has lost commits, the whole database has lost them, and a cell without later writes
 * could not detect its own loss. Locks the cells in the order that a hold uses.
 */
const LOST = {
  text: `UPDATE holdfast.cell SET lost_history =
  CASE WHEN cell.cell = $1 THEN $2 ELSE 'those of the cell ' || $1 || ' are lost: ' || $2 END
FROM (SELECT cell FROM holdfast.cell WHERE lost_history IS NULL ORDER BY cell FOR UPDATE) AS unmarked
WHERE cell.cell = unmarked.cell`,
}

type Query = (statement: Statement, values: readonly Value[]) => Promise<readonly ResultRow[]>

export interface Loss {
  readonly cell: string
  readonly detail: string
}

/**
 * Marks all cells and returns the error with which the process must end. It also says if the cells could not be marked.
 * @param noAnswer called before each retry; throws to give up
 */
export async function markLost(
  query: Query,
  { cell, detail }: Loss,
  noAnswer: (error: NoAnswer) => void,
): Promise<LostHistory> {
  const begunMs = performance.now()
  try {
    await untilAnswered(
      () => query(LOST, [cell, detail]),
      (error) => {
        if (performance.now() - begunMs > MARKING_MS) throw error
        noAnswer(error)
      },
    )
    return new LostHistory(cell, detail)
  } catch (error) {
    return new LostHistory(cell, `${detail}. The cells are not marked, so another node may claim them`, error as Error)
  }
}
