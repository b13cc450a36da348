// The fence: a statement changes rows of a cell only while the cell has the epoch of the claim. Every statement of an
// owner begins with this part and works on the rows of `owner`.

/** One cell and its epoch: the first two parameters. */
const ONE = '(VALUES ($1::text, $2::bigint)) AS a (cell, epoch)'

export interface FenceOptions {
  /** SQL of a table `a` with the columns `cell` and `epoch`, and with other columns that the statement needs. */
  readonly sources?: string
  /** A further condition that a cell must meet. */
  readonly condition?: string
  /** Skips a cell whose row is locked by a claim or a move. Default: waits for the lock. */
  readonly skipsLocked?: boolean
}

/**
 * The first clause of a statement: `owner` has the rows of `a` whose cells still have the epoch. The share lock delays
 * a takeover until the statement has ended.
 */
export function fenceClause({ sources = ONE, condition, skipsLocked = false }: FenceOptions = {}): string {
  return `WITH owner AS MATERIALIZED (
  SELECT a.* FROM ${sources} JOIN holdfast.cell AS c ON c.cell = a.cell AND c.epoch = a.epoch
  ${condition === undefined ? '' : `WHERE ${condition} `}FOR SHARE OF c${skipsLocked ? ' SKIP LOCKED' : ''})`
}
