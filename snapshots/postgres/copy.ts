// All rows of a database: reads them as one consistent copy, and fills an empty database with them.

import { randomUUID } from 'node:crypto'
import type { RowPage } from '../disk.ts'
import { withChanges } from '../record-changes.ts'
import { StaleEpoch, StoreError } from '../errors.ts'
import { CellWriter } from './cell-writer.ts'
import type { Database } from './database.ts'
import { LostHistory } from './errors.ts'
import { fenceClause } from './fence.ts'
import { isUnfinishedRestore, UNFINISHED_RESTORE } from './lost-history.ts'
import { pagesOf } from './range-reads.ts'
import { MAIN_CELL } from './schema.ts'

/** Rejects with `HalfRestored` if records are missing because a restore has not finished. */
export async function assertRestored(database: Database): Promise<void> {
  if ((await stateOf(database)).mark !== null) throw new HalfRestored()
}

/** All rows of one snapshot, in key order. Rejects instead of ending early, and as `assertRestored`. */
export async function* allRows(database: Database): AsyncGenerator<RowPage, void, undefined> {
  await assertRestored(database)
  yield* pagesOf(database, {})
}

export class NotEmpty extends StoreError {
  constructor() {
    super('the database has records already: a backup is restored into an empty one')
  }
}

export class NodesRun extends StoreError {
  /** @param nodes their ids, as one text */
  constructor(nodes: string) {
    super(`nodes run on the database (${nodes}): stop all of them first`)
  }
}

export class HalfRestored extends StoreError {
  constructor() {
    super('a restore into the database has not finished, so that records are missing: repeat the restore')
  }
}

const STATE = {
  text: `SELECT cell, epoch::text, lost_history,
  (SELECT string_agg(id, ', ' ORDER BY id) FROM holdfast.node WHERE expires_at > now()),
  (EXISTS (SELECT FROM holdfast.row WHERE key NOT LIKE 's!%' AND value IS NOT NULL))::text
FROM holdfast.cell ORDER BY cell`,
}

/**
 * Fences and marks all cells if none has changed since the state was read. A claim that waits for the lock finds the
 * mark.
 */
const MARK = {
  text: `WITH seen AS (
  SELECT c.cell FROM holdfast.cell AS c JOIN unnest($1::text[], $2::text[]::bigint[]) AS s (cell, epoch)
    ON s.cell = c.cell AND s.epoch = c.epoch
  ORDER BY c.cell FOR UPDATE OF c)
UPDATE holdfast.cell SET epoch = epoch + 1, node = NULL, incarnation = NULL, wanted = NULL, lost_history = $3
FROM seen WHERE cell.cell = seen.cell AND (SELECT count(*) FROM seen) = cardinality($1::text[])`,
}
const UNMARK = { text: 'UPDATE holdfast.cell SET lost_history = NULL WHERE lost_history = $1' }

const ROWS_AT_ONCE = 10_000
const CLEAR_ROWS = {
  text: `${fenceClause()}, gone AS (
  DELETE FROM holdfast.row USING owner WHERE key IN (
    SELECT key FROM holdfast.row WHERE key > $3 AND key NOT LIKE 's!%' ORDER BY key LIMIT ${String(ROWS_AT_ONCE)})
  RETURNING key)
SELECT max(key) FROM gone`,
}
const CLEAR_TENANTS = {
  text: `${fenceClause()} DELETE FROM holdfast.tenant USING owner WHERE tenant.cell = owner.cell`,
}

interface DatabaseState {
  /** Epochs by cell. */
  readonly epochs: ReadonlyMap<string, number>
  /** The mark of a restore that has not finished; null: there is none. */
  readonly mark: string | null
  readonly lost: LostHistory | null
  /** Ids of the live nodes, as one text; null: there is none. */
  readonly nodes: string | null
  readonly hasRecords: boolean
}

/**
 * Rejects with `NotEmpty`, `NodesRun` or `LostHistory` for a database that `fillDatabase` would refuse. Changes
 * nothing.
 */
export async function assertFillable(database: Database): Promise<void> {
  refuseUnlessFillable(await stateOf(database))
}

/**
 * Writes rows durably into a database without rows, in the given order. No node may run, and none claims a cell before
 * the last row is written. Rejects as `assertFillable`. After another failure the database stays as it is, marked,
 * until a fill of the same or other rows begins again: it removes the rows of the earlier one first.
 */
export async function fillDatabase(database: Database, pages: AsyncIterable<RowPage>): Promise<number> {
  const mark = `${UNFINISHED_RESTORE}: ${randomUUID()}`
  const { epoch, isRepeated } = await begin(database, mark)
  const writer = new CellWriter({
    ...{ database, cell: MAIN_CELL, writesNames: false },
    claim: () => Promise.resolve(epoch),
  })
  try {
    await writer.claim()
    if (isRepeated) await clear(database, epoch)
    else if ((await stateOf(database)).hasRecords) {
      // Of an owner without a lease that wrote until it was fenced.
      await database.read(UNMARK, [mark])
      throw new NotEmpty()
    }
    let rows = 0
    for await (const page of withChanges(pages)) {
      const ops = page.filter(([key]) => !key.startsWith('s!'))
      await writer.write(ops.map(([key, value]) => ({ type: 'put', key, value })))
      rows += ops.length
    }
    await database.read(UNMARK, [mark])
    const { mark: other, epochs } = await stateOf(database)
    if (other !== null) throw new StaleEpoch(epoch, epochs.get(MAIN_CELL) ?? 0)
    return rows
  } finally {
    await writer.close()
  }
}

/** Marks all cells. `isRepeated`: an earlier restore had not finished. */
async function begin(
  database: Database,
  mark: string,
): Promise<{ readonly epoch: number; readonly isRepeated: boolean }> {
  let isRepeated = false
  for (;;) {
    const state = await stateOf(database)
    const { epochs } = state
    if (state.mark === mark) return { epoch: epochs.get(MAIN_CELL) ?? 0, isRepeated }
    refuseUnlessFillable(state)
    isRepeated = state.mark !== null
    // Marks nothing if a cell has changed since, for example by an attempt that got no answer.
    await database.read(MARK, [[...epochs.keys()], [...epochs.values()].map(String), mark])
  }
}

/** Removes the rows of an earlier restore. */
async function clear(database: Database, epoch: number): Promise<void> {
  for (let after: string | null = ''; after !== null;) {
    const [row]: (readonly (string | null)[])[] = await database.read(CLEAR_ROWS, [MAIN_CELL, epoch, after])
    after = row?.[0] ?? null
  }
  await database.read(CLEAR_TENANTS, [MAIN_CELL, epoch])
}

function refuseUnlessFillable({ mark, lost, nodes, hasRecords }: DatabaseState): void {
  if (lost !== null) throw lost
  if (mark === null && hasRecords) throw new NotEmpty()
  if (nodes !== null) throw new NodesRun(nodes)
}

async function stateOf(database: Database): Promise<DatabaseState> {
  const rows = await database.read(STATE, [])
  const marks = rows.map(([cell, , mark]) => [cell ?? '', mark ?? null] as const).filter(([, mark]) => mark !== null)
  const restoring = marks.find(([, mark]) => isUnfinishedRestore(mark))
  const lost = marks.find(([, mark]) => !isUnfinishedRestore(mark))
  return {
    epochs: new Map(rows.map(([cell, epoch]) => [cell ?? '', Number(epoch)])),
    mark: restoring?.[1] ?? null,
    lost: lost === undefined ? null : new LostHistory(lost[0], lost[1] ?? ''),
    nodes: rows[0]?.[3] ?? null,
    hasRecords: rows[0]?.[4] === 'true',
  }
}
