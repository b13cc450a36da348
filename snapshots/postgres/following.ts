// Reads the records of a tenant that another cell owns, and acknowledges to that cell what was applied. A reading is
// one statement, so it is consistent. Its number is that of the last commit that it includes.
import type { Envelope } from '../store.ts'
import { appliedKey, recordsOf } from '../keys.ts'
import { recordDecoder } from '../rows.ts'
import type { Database } from './database.ts'
import { fenceClause } from './fence.ts'

const CHANGES = {
  name: 'holdfast-changes',
  text: `WITH moment AS (SELECT max(head) AS head FROM holdfast.step WHERE cell = $1)
SELECT moment.head, r.key, r.value FROM moment LEFT JOIN holdfast.row AS r
  ON moment.head > $2::bigint AND r.head > $2::bigint AND r.key >= $3 AND r.key < $4 ORDER BY r.key`,
}
/** Fenced by the epoch of the reader, so a former owner acknowledges nothing. A late copy cannot lower the number. */
const ACKNOWLEDGE = {
  name: 'holdfast-heard',
  text: `${fenceClause()},
said AS (
  INSERT INTO holdfast.row AS heard (key, value, head)
  SELECT $3, json_build_array($2::bigint, $4::bigint)::text, 0 FROM owner
  ON CONFLICT (key) DO UPDATE SET value = excluded.value
  WHERE ((heard.value::json->>0)::bigint, (heard.value::json->>1)::bigint) < ($2::bigint, $4::bigint))
SELECT 1 FROM owner`,
}
const LAST_CHANGE = {
  name: 'holdfast-last-change',
  text: 'SELECT max(head) FROM holdfast.row WHERE key = ANY ($1::text[])',
}
/** Cells whose owners have a valid lease. Only the clock of the database decides expiry. */
const LISTENERS = {
  name: 'holdfast-listeners',
  text: `SELECT cell.cell, cell.epoch, heard.value FROM holdfast.cell
JOIN holdfast.node ON node.id = cell.node AND node.incarnation = cell.incarnation AND node.expires_at > now()
LEFT JOIN holdfast.row AS heard ON heard.key = 's!heard!' || cell.cell
WHERE cell.cell <> $1`,
}

export interface FollowedTenant {
  readonly tenant: string
  /** The cell that owns the tenant. */
  readonly cell: string
}

export interface CommitRead {
  readonly head: number
  readonly records: readonly Envelope[]
}

/** The current state of the records that changed after a commit. `after` -1: all records. */
export async function recordsAfter(
  database: Database,
  { tenant, cell }: FollowedTenant,
  after: number,
): Promise<CommitRead> {
  const { gte = '', lt = '' } = recordsOf(tenant)
  const rows = await database.read(CHANGES, [cell, after, gte, lt])
  const decode = recordDecoder(tenant)
  const records = rows.flatMap(([, key, text]) => (key == null || text == null ? [] : [decode(key, text)]))
  return { head: Number(rows[0]?.[0] ?? -1), records }
}

/** Records that a cell has applied a reading. False: another process owns the cell by now. */
export async function acknowledge(
  database: Database,
  reader: { readonly cell: string; readonly epoch: number },
  head: number,
): Promise<boolean> {
  const values = [reader.cell, reader.epoch, appliedKey(reader.cell), head]
  return (await database.read(ACKNOWLEDGE, values)).length > 0
}

/** The last commit that changed one of these rows; -1: none of them exists. Reads no other row. */
export async function lastChangeOf(database: Pick<Database, 'read'>, keys: readonly string[]): Promise<number> {
  const [row] = await database.read(LAST_CHANGE, [keys])
  return Number(row?.[0] ?? -1)
}

/**
 * The other cells with a live owner that have not applied a commit of this cell. Cells without one need not be waited
 * for: an owner stops when its lease expires, and the next owner reads the tenant before it acts.
 */
export async function cellsBehind(database: Database, cell: string, head: number): Promise<readonly string[]> {
  const rows = await database.read(LISTENERS, [cell])
  return rows.flatMap(([listener, epoch, text]) => {
    const [underEpoch = 0, applied = -1] = text == null ? [] : (JSON.parse(text) as number[])
    return underEpoch === Number(epoch) && applied >= head ? [] : [listener ?? '']
  })
}
