// Moves a tenant from one cell to another. Its rows stay the same; only the cell that may write them changes. During
// the move, the operator's command holds both cells: no node can claim them, so nothing changes between the checks of
// the command and the move. The hold ends with the move. If the command dies, the hold expires after some seconds and
// nothing has changed.
import { escapePart, metaKey } from '../keys.ts'
import { decode } from '../rows.ts'
import type { Connection, ResultRow, Value } from './connection.ts'
import type { Database } from './database.ts'
import { untilAnswered } from './lane.ts'

const MS = `interval '1 millisecond'`
const HELD = 'held_by = $1 AND held_until > now()'

/** Holds all of the cells or none. Waits for running commits, which hold a share lock. */
const HOLD = {
  text: `WITH free AS MATERIALIZED (
  SELECT cell FROM holdfast.cell WHERE cell = ANY ($3::text[]) AND (held_until IS NULL OR held_until < now())
  ORDER BY cell FOR UPDATE)
UPDATE holdfast.cell SET held_by = $1, held_until = now() + $2 * ${MS}
FROM free WHERE cell.cell = free.cell AND (SELECT count(*) FROM free) = cardinality($3::text[])
RETURNING cell.cell`,
}
const RENEW = {
  text: `UPDATE holdfast.cell SET held_until = now() + $2 * ${MS} WHERE ${HELD} RETURNING cell`,
}
const RELEASE = { text: 'UPDATE holdfast.cell SET held_by = NULL, held_until = NULL WHERE held_by = $1' }

const LOCK = {
  text: `SELECT cell FROM holdfast.cell WHERE ${HELD} AND node IS NULL AND lost_history IS NULL
  AND ((cell = $2 AND epoch = $3::bigint) OR (cell = $4 AND epoch = $5::bigint)) ORDER BY cell FOR UPDATE`,
}
const MOVE = { text: 'UPDATE holdfast.tenant SET cell = $3 WHERE tenant = $1 AND cell = $2 RETURNING tenant' }
const FACT = { text: 'SELECT value FROM holdfast.row WHERE key = $1' }
const WRITE_FACT = {
  text: `INSERT INTO holdfast.row (key, value, head) VALUES ($1, $2, 0)
ON CONFLICT (key) DO UPDATE SET value = excluded.value`,
}
/** Raises both epochs: peers discard what they have cached about the tenants of these cells. */
const RAISE = {
  text: 'UPDATE holdfast.cell SET epoch = epoch + 1, held_by = NULL, held_until = NULL WHERE held_by = $1 RETURNING cell',
}
const HOME = { text: 'SELECT cell FROM holdfast.tenant WHERE tenant = $1' }

export interface Hold {
  readonly token: string
  /** Duration of the hold unless it is renewed. */
  readonly ms: number
}

/** False: one of the cells is held already, or does not exist. */
export async function holdCells(database: Database, hold: Hold, cells: readonly string[]): Promise<boolean> {
  return (await database.query(HOLD, [hold.token, hold.ms, cells])).length > 0
}

/** False: the hold had expired. */
export async function renewHold(database: Database, { token, ms }: Hold): Promise<boolean> {
  return (await database.query(RENEW, [token, ms])).length > 0
}

export async function releaseCells(database: Database, token: string): Promise<void> {
  await database.query(RELEASE, [token])
}

/** A cell without an owner. */
export interface FreeCell {
  readonly cell: string
  /** Epoch when the cell was read as free. A different epoch means that a node has claimed it since. */
  readonly epoch: number
}

export interface Move {
  readonly tenant: string
  readonly from: FreeCell
  readonly to: FreeCell
  /** Token of the hold on both cells. */
  readonly token: string
  /** Names, in both cells, of a fact that each cell keeps for its tenants, and the function that merges the two. */
  readonly fact: { readonly from: string; readonly to: string; merged(from: unknown, to: unknown): unknown }
}

/**
 * Moves the tenant in one transaction. False: the hold had expired, or a node has claimed one of the cells; nothing was
 * changed. Retries after `NoAnswer` until the database is closed.
 */
export async function moveTenant(database: Database, move: Move): Promise<boolean> {
  return await untilAnswered(
    async () => {
      const isDone = await database.session((connection) => inTransaction(connection, move, database.boundMs))
      if (isDone) return true
      // An earlier attempt may have committed without an answer.
      const [home] = await database.query(HOME, [escapePart(move.tenant)])
      return home?.[0] === move.to.cell
    },
    (error) => database.noAnswer(error),
  )
}

async function inTransaction(connection: Connection, move: Move, boundMs: number): Promise<boolean> {
  const { tenant, from, to, token, fact } = move
  const query = (statement: { readonly text: string }, values: readonly Value[]): Promise<ResultRow[]> =>
    connection.query(statement, values, boundMs)
  const factOf = async (name: string): Promise<unknown> => {
    const [row] = await query(FACT, [metaKey(name)])
    return row?.[0] == null ? undefined : decode(metaKey(name), row[0])
  }
  try {
    await connection.script('BEGIN', boundMs)
    const locked = await query(LOCK, [token, from.cell, from.epoch, to.cell, to.epoch])
    const moved = locked.length === 2 ? await query(MOVE, [escapePart(tenant), from.cell, to.cell]) : []
    if (moved.length === 0) {
      await connection.script('ROLLBACK', boundMs)
      return false
    }
    const merged = fact.merged(await factOf(fact.from), await factOf(fact.to))
    if (merged !== undefined) await query(WRITE_FACT, [metaKey(fact.to), JSON.stringify(merged)])
    await query(RAISE, [token])
    await connection.script('COMMIT', boundMs)
    return true
  } catch (error) {
    connection.destroy()
    throw error
  }
}
