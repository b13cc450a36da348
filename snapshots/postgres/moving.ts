// A tenant goes from one cell to another: no row of it changes, only which cell may write them. While it goes, an
// operator's command holds both cells, so that nobody owns them; what it decides is of a moment at which nothing can be
// written. The hold ends with the move, or some seconds after the command has died: then everything is as before.
import { escapePart, metaKey } from '../keys.ts'
import { decode } from '../rows.ts'
import type { Connection, ResultRow, Value } from './connection.ts'
import type { Database } from './database.ts'
import { untilAnswered } from './lane.ts'

const MS = `interval '1 millisecond'`
const HELD = 'held_by = $1 AND held_until > now()'

/** All or none. It waits for commits under way, which hold a share lock. */
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
const GO = { text: 'UPDATE holdfast.tenant SET cell = $3 WHERE tenant = $1 AND cell = $2 RETURNING tenant' }
const FACT = { text: 'SELECT value FROM holdfast.row WHERE key = $1' }
const KEEP = {
  text: `INSERT INTO holdfast.row (key, value, head) VALUES ($1, $2, 0)
ON CONFLICT (key) DO UPDATE SET value = excluded.value`,
}
/** What doors remember of the tenants of both cells is forgotten with the epochs. */
const RAISE = {
  text: 'UPDATE holdfast.cell SET epoch = epoch + 1, held_by = NULL, held_until = NULL WHERE held_by = $1 RETURNING cell',
}
const HOME = { text: 'SELECT cell FROM holdfast.tenant WHERE tenant = $1' }

export interface Hold {
  readonly token: string
  /** How long it lasts, unless it is renewed. */
  readonly ms: number
}

/** False: one of the cells is held already, or there is none of its name. */
export async function holdCells(database: Database, hold: Hold, cells: readonly string[]): Promise<boolean> {
  return (await database.query(HOLD, [hold.token, hold.ms, cells])).length > 0
}

/** False: the hold was over. */
export async function renewHold(database: Database, { token, ms }: Hold): Promise<boolean> {
  return (await database.query(RENEW, [token, ms])).length > 0
}

export async function releaseCells(database: Database, token: string): Promise<void> {
  await database.query(RELEASE, [token])
}

/** A cell that nobody owns. */
export interface FreeCell {
  readonly cell: string
  /** As of when it became free: under another one, somebody has owned it since. */
  readonly epoch: number
}

export interface Move {
  readonly tenant: string
  readonly from: FreeCell
  readonly to: FreeCell
  /** Of the hold of both cells. */
  readonly token: string
  /** A fact that each cell has for its tenants, by its names in both. */
  readonly fact: { readonly from: string; readonly to: string; merged(from: unknown, to: unknown): unknown }
}

/**
 * In one transaction. False: the hold was over, or somebody has owned one of the cells since; then nothing has changed.
 * Asked again after no answer, as long as the database is not closed.
 */
export async function moveTenant(database: Database, move: Move): Promise<boolean> {
  return await untilAnswered(
    async () => {
      const isDone = await database.session((connection) => inTransaction(connection, move, database.boundMs))
      if (isDone) return true
      // An earlier try may have been done without an answer.
      const [home] = await database.query(HOME, [escapePart(move.tenant)])
      return home?.[0] === move.to.cell
    },
    (error) => database.noAnswer(error),
  )
}

async function inTransaction(connection: Connection, move: Move, boundMs: number): Promise<boolean> {
  const { tenant, from, to, token, fact } = move
  const ask = (statement: { readonly text: string }, values: readonly Value[]): Promise<ResultRow[]> =>
    connection.query(statement, values, boundMs)
  const factOf = async (name: string): Promise<unknown> => {
    const [row] = await ask(FACT, [metaKey(name)])
    return row?.[0] == null ? undefined : decode(metaKey(name), row[0])
  }
  try {
    await connection.script('BEGIN', boundMs)
    const locked = await ask(LOCK, [token, from.cell, from.epoch, to.cell, to.epoch])
    const gone = locked.length === 2 ? await ask(GO, [escapePart(tenant), from.cell, to.cell]) : []
    if (gone.length === 0) {
      await connection.script('ROLLBACK', boundMs)
      return false
    }
    const merged = fact.merged(await factOf(fact.from), await factOf(fact.to))
    if (merged !== undefined) await ask(KEEP, [metaKey(fact.to), JSON.stringify(merged)])
    await ask(RAISE, [token])
    await connection.script('COMMIT', boundMs)
    return true
  } catch (error) {
    connection.destroy()
    throw error
  }
}
