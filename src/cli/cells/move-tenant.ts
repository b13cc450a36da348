// `cells move`: moves a tenant to another cell. All checks run twice: first while both cells are served, so that a
// refusal causes no interruption, and again while both cells are held and nothing can be written.
import { EXIT_CODES } from '../../config/exit-codes.ts'
import { SYSTEM_TENANT } from '../../contract/tenancy.ts'
import { mergedMovements } from '../../engine/movements/merged.ts'
import { movementsFact, type KeptMovements } from '../../engine/movements/movements.ts'
import type { Database } from '../../../snapshots/postgres/database.ts'
import { TenantHomes } from '../../../snapshots/postgres/homes.ts'
import { manyRowsOf } from '../../../snapshots/postgres/rows-by-key.ts'
import { cellsToName, recordsMatching, recordsUnder } from '../../../snapshots/postgres/searches.ts'
import { moveTenant } from '../../../snapshots/postgres/moving.ts'
import { MAIN_CELL, TABLES_VERSION } from '../../../snapshots/postgres/schema.ts'
import { CommandFailed } from '../command-failed.ts'
import { whileFree, type HeldCells } from './held-cells.ts'
import { newOwners, requireRelease, type SharedService } from './shared-service.ts'
import { refuseTies, type TieRows } from './ties.ts'

const BOUND_MS = 5_000

/** Returns the former cell of the tenant. If it rejects with CommandFailed, that says whether the tenant was moved. */
export async function moveToCell(service: SharedService, tenant: string, to: string): Promise<string> {
  const { rows, database } = service
  const from = await startOf(service, tenant, to)
  await requireRelease(rows, TABLES_VERSION)
  const [unnamed] = await cellsToName(database)
  if (unnamed !== undefined)
    throw new CommandFailed(`records of the cell ${unnamed} have no names yet: its next owner gives them names`)
  const tieRows = tieRowsOf(database, from)
  await refuseTies(tieRows, tenant, from)
  await whileFree(service, [from, to], async (held) => {
    await refuseTies(tieRows, tenant, from)
    await move(database, tenant, held)
  })
  await newOwners(rows, ({ cell, owner, idle }) => (cell !== from && cell !== to) || owner !== null || idle).catch(
    (error: unknown) => {
      throw error instanceof CommandFailed
        ? new CommandFailed(`${tenant} is in ${to} now, but ${error.message}`)
        : error
    },
  )
  return from
}

async function startOf({ rows, database }: SharedService, tenant: string, to: string): Promise<string> {
  const refuse = (why: string): CommandFailed => new CommandFailed(why, EXIT_CODES.usage)
  if (tenant === SYSTEM_TENANT) throw refuse(`${SYSTEM_TENANT} stays in ${MAIN_CELL}: every cell follows it there`)
  const from = await new TenantHomes(database, BOUND_MS).cellOfTenant(tenant)
  if (from === undefined) throw refuse(`there is no tenant ${tenant}`)
  const cells = await rows.cells()
  if (!cells.some(({ cell }) => cell === to)) throw refuse(`there is no cell ${to}: holdfast cells create ${to}`)
  if (from === to) throw refuse(`${tenant} is in ${to} already`)
  for (const { cell, lostHistory } of cells)
    if ((cell === from || cell === to) && lostHistory !== null)
      throw new CommandFailed(`the cell ${cell} is marked (${lostHistory}): see the runbook`)
  return from
}

export function tieRowsOf(database: Database, cell: string): TieRows {
  return {
    recordsMatching: (tenant, pattern) => recordsMatching(database, tenant, pattern),
    rowsOf: (keys) => manyRowsOf(database, keys),
    loans: () => recordsUnder(database, cell, 'escrow\u0000'),
  }
}

async function move(database: Database, tenant: string, { token, free }: HeldCells): Promise<void> {
  const [from, to] = [free[0]!, free[1]!]
  const merged = (left: unknown, joined: unknown): unknown =>
    mergedMovements(left as KeptMovements | undefined, joined as KeptMovements | undefined)
  const fact = { from: factOf(from.cell), to: factOf(to.cell), merged }
  if (!(await moveTenant(database, { tenant, from, to, token, fact })))
    throw new CommandFailed('the database did not answer in time: nothing was moved')
}

const factOf = (cell: string): string => movementsFact(cell === MAIN_CELL ? undefined : cell)
