// The cells of a data directory. Opening them repairs what an interrupted command left. For a service without threads,
// empty cells are removed, so that one remains. Commands that support only one cell are refused.
import { existsSync, rmSync } from 'node:fs'
import { CodedError } from '../config/coded-error.ts'
import { dataLayout } from '../config/data-layout.ts'
import { EXIT_CODES } from '../config/exit-codes.ts'
import { SettingsError } from '../config/settings-error.ts'
import { CHECKPOINT_EVERY, earlierCheckpointName, lastCheckpointName } from '../engine/audit/audit-row.ts'
import { namesOfEnvelope } from '../engine/index/envelope-names.ts'
import { mergedMovements } from '../engine/movements/merged.ts'
import { movementsFact, type KeptMovements } from '../engine/movements/movements.ts'
import { lastMessageName } from '../engine/outbox/outbox.ts'
import {
  foldersIn,
  openCellDirectories,
  tenantsIn,
  writeRow,
  type CellDirectories,
  type CellPaths,
} from '../../snapshots/cells/directories.ts'
import { finishMove, type MoveOptions, type TenantMove } from '../../snapshots/cells/moving.ts'
import { areNamed, nameRecords, removeNames } from '../../snapshots/cells/naming.ts'
import { cellKey, escapePart, NAMES_KEY } from '../../snapshots/keys.ts'
import { MAIN_CELL } from '../../snapshots/postgres/schema.ts'

export const MOVE_OPTIONS: MoveOptions = {
  merged: (from, to) => mergedMovements(from as KeptMovements | undefined, to as KeptMovements | undefined),
}

export function cellPathsOf(dataDir: string): CellPaths {
  const { store, cells } = dataLayout(dataDir)
  return { store, cells }
}

/** Opens all cells. Finishes an interrupted move, and writes the names of all records if there are several cells. */
export async function openCellsOf(
  dataDir: string,
  opening: 'alone' | 'first',
  lockWaitMs = 0,
): Promise<CellDirectories> {
  const directories = await openCellDirectories(cellPathsOf(dataDir), opening, lockWaitMs)
  try {
    await finishMove(directories, MOVE_OPTIONS)
    if (directories.all.length > 1 && !areNamed(directories)) await nameRecords(directories, namesOfEnvelope)
    return directories
  } catch (error) {
    await directories.close()
    throw error
  }
}

export function moveOf(tenant: string, from: string, to: string): TenantMove {
  const earlier = earlierCheckpointName(tenant)
  const checkpoints = [lastCheckpointName(tenant), ...(earlier === undefined ? [] : [earlier])]
  const factOf = (cell: string): string => movementsFact(cell === MAIN_CELL ? undefined : cell)
  return {
    tenant: escapePart(tenant),
    ...{ from, to },
    facts: {
      names: [lastMessageName(tenant), ...checkpoints],
      numbered: checkpoints.map((name) => ({ name, every: CHECKPOINT_EVERY })),
    },
    fact: { from: factOf(from), to: factOf(to) },
  }
}

/**
 * Removes all other cells, for a service with one cell. Does nothing if there are none.
 * @throws SettingsError while another cell has tenants
 */
export async function becomeOneCell(dataDir: string, lockWaitMs: number): Promise<void> {
  const { cells } = cellPathsOf(dataDir)
  if (!existsSync(cells)) return
  const directories = await openCellsOf(dataDir, 'alone', lockWaitMs)
  try {
    for (const directory of directories.others(MAIN_CELL)) {
      const [tenant] = await tenantsIn(directory)
      if (tenant === undefined) continue
      const what = `the cell ${directory.cell} has tenants, as ${tenant}`
      throw new SettingsError([`HOLDFAST_WORKERS must be above 1 while ${what}: holdfast cells move ${tenant} main`])
    }
    const main = directories.main.disk
    await writeRow(main, NAMES_KEY, null)
    for (const { cell } of directories.others(MAIN_CELL)) await writeRow(main, cellKey(cell), null)
    await removeNames(directories.main)
  } finally {
    await directories.close()
  }
  rmSync(cells, { recursive: true, force: true })
}

export const hasSeveralCells = (dataDir: string): boolean => foldersIn(cellPathsOf(dataDir).cells).length > 0

/**
 * For commands that read or write the first cell only and would miss the others.
 * @throws CodedError
 */
export function refuseSeveralCells(dataDir: string, what: string): void {
  if (!hasSeveralCells(dataDir)) return
  throw new CodedError(`${what} works with one cell only, and ${dataDir} has several`, EXIT_CODES.settings)
}
