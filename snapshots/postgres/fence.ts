// The fence: what changes something for a cell happens only while the cell has the epoch of the claim. Every statement
// of an owner begins with this part, and does the rest for each row of it.

/** One cell and its epoch, as the first two parameters. */
const ONE = '(VALUES ($1::text, $2::bigint)) AS a (cell, epoch)'

export interface FenceOptions {
  /** A table `a` with the columns `cell` and `epoch`, and those that the statement takes from `owner`. */
  readonly asked?: string
  /** Holds for a cell, beside its epoch, or its row is left out. */
  readonly condition?: string
  /** A cell whose row is locked, by a claim or a move, is left out. Default: it is waited for. */
  readonly skipsLocked?: boolean
}

/**
 * Begins a statement: `owner` has the rows of `a` whose cells still have the epoch. The share lock holds a takeover
 * back until the statement has ended.
 */
export function fenced({ asked = ONE, condition, skipsLocked = false }: FenceOptions = {}): string {
  return `WITH owner AS MATERIALIZED (
  SELECT a.* FROM ${asked} JOIN holdfast.cell AS c ON c.cell = a.cell AND c.epoch = a.epoch
  ${condition === undefined ? '' : `WHERE ${condition} `}FOR SHARE OF c${skipsLocked ? ' SKIP LOCKED' : ''})`
}
