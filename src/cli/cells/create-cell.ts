// `cells create`: creates an empty cell after all records have names, by which other cells find them.
import { EXIT_CODES } from '../../config/exit-codes.ts'
import { namesButOfTransactions } from '../../engine/index/envelope-names.ts'
import { cellsToName, markUnnamed, requireNames } from '../../../snapshots/postgres/searches.ts'
import { TABLES_VERSION } from '../../../snapshots/postgres/schema.ts'
import { CommandFailed } from '../command-failed.ts'
import { requireCellName } from './cell-name.ts'
import { whileFree } from './held-cells.ts'
import { later, newOwners, requireRelease, type SharedService } from './shared-service.ts'

const NAMING_MS = 120_000
const POLL_MS = 200

/** Returns the node that owns the new cell; null: it is already idle. Rejects with CommandFailed. */
export async function createCell(service: SharedService, cell: string): Promise<string | null> {
  const { rows, database } = service
  requireCellName(cell)
  const exists = (): CommandFailed => new CommandFailed(`there is a cell ${cell} already`, EXIT_CODES.usage)
  if ((await rows.cells()).some((known) => known.cell === cell)) throw exists()
  await requireRelease(rows, TABLES_VERSION)
  // Before the search for records without names, so that no such record can be written any more.
  await requireNames(database)
  await nameRecords(service)
  if (!(await rows.create(cell, TABLES_VERSION))) {
    await requireRelease(rows, TABLES_VERSION)
    throw exists()
  }
  const owners = await newOwners(rows, (each) => each.cell !== cell || each.owner !== null || each.idle)
  return owners.find((known) => known.cell === cell)!.owner
}

/**
 * An owner of an earlier release may have written records without names, even after a later release had written the
 * names of all records. An owner writes missing names when it claims its cell.
 */
async function nameRecords(service: SharedService): Promise<void> {
  const { database, rows } = service
  await markUnnamed(database, namesButOfTransactions)
  for (const cell of await cellsToName(database)) {
    await whileFree(service, [cell], noWork)
    await rows.wake(cell)
  }
  const lastMs = performance.now() + NAMING_MS
  for (;;) {
    const [unnamed] = await cellsToName(database)
    if (unnamed === undefined) return
    if (performance.now() > lastMs)
      throw new CommandFailed(`the owner of the cell ${unnamed} did not name its records in ${NAMING_MS / 1_000} s`)
    await later(POLL_MS)
  }
}

const noWork = (): Promise<null> => Promise.resolve(null)
