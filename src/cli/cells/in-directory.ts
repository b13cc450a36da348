// Commands for the cells of the data directory of a stopped service. Each cell has a LevelDB directory of its own.
import { isDatabase } from '../../../snapshots/whole-directory.ts'
import { withRedo } from '../../../snapshots/archive/redo.ts'
import { addCell, tenantsIn, type CellDirectories, type CellDirectory } from '../../../snapshots/cells/directories.ts'
import { moveTenantRows } from '../../../snapshots/cells/moving.ts'
import { areNamed, nameRecords } from '../../../snapshots/cells/naming.ts'
import { metaKey, recordsOf } from '../../../snapshots/keys.ts'
import { MAIN_CELL } from '../../../snapshots/postgres/schema.ts'
import { recordDecoder } from '../../../snapshots/rows.ts'
import type { Envelope } from '../../../snapshots/store.ts'
import { EXIT_CODES } from '../../config/exit-codes.ts'
import { readRotation } from '../../config/rotation-file.ts'
import { MASTER_KEY_CHECK } from '../../config/secrets.ts'
import { SYSTEM_TENANT } from '../../contract/tenancy.ts'
import { namesOfEnvelope } from '../../engine/index/envelope-names.ts'
import { cellPathsOf, moveOf, MOVE_OPTIONS, openCellsOf } from '../../service/level-cells.ts'
import { CommandFailed } from '../command-failed.ts'
import { requireCellName } from './cell-name.ts'
import { refuseTies, type TieRows } from './ties.ts'

export interface CellInDirectory {
  readonly cell: string
  readonly tenants: number
}

export async function cellsInDirectory(dataDir: string): Promise<CellInDirectory[]> {
  return await withDirectories(dataDir, async ({ all }) => {
    const counted = all.map(async (each) => ({ cell: each.cell, tenants: (await tenantsIn(each)).length }))
    return await Promise.all(counted)
  })
}

/** Rejects with CommandFailed. */
export async function createInDirectory(dataDir: string, cell: string): Promise<void> {
  requireCellName(cell)
  await withDirectories(dataDir, async (directories) => {
    const known = directories.all.find((each) => each.cell.toLowerCase() === cell.toLowerCase())
    if (known !== undefined) throw new CommandFailed(`there is a cell ${known.cell} already`, EXIT_CODES.usage)
    const main = directories.main.disk
    if (main.get(metaKey(MASTER_KEY_CHECK)) === undefined)
      throw new CommandFailed(`${dataDir} was never used: start the service once`, EXIT_CODES.usage)
    if (readRotation(dataDir) !== null)
      throw new CommandFailed('the master key is being rotated: end that first', EXIT_CODES.usage)
    const { redo } = await withRedo(main, () => Date.now())
    await redo.end()
    if (!areNamed(directories)) await nameRecords(directories, namesOfEnvelope)
    await addCell(directories, cellPathsOf(dataDir), cell)
  })
}

/** Returns the former cell of the tenant. If it rejects with CommandFailed, the tenant was not moved. */
export async function moveInDirectory(dataDir: string, tenant: string, to: string): Promise<string> {
  return await withDirectories(dataDir, async (directories) => {
    const refuse = (why: string): CommandFailed => new CommandFailed(why, EXIT_CODES.usage)
    if (tenant === SYSTEM_TENANT) throw refuse(`${SYSTEM_TENANT} stays in ${MAIN_CELL}: every cell follows it there`)
    const from = directories.of(directories.cellOf(tenant) ?? '')
    if (from === undefined) throw refuse(`there is no tenant ${tenant}`)
    if (directories.of(to) === undefined) throw refuse(`there is no cell ${to}: holdfast cells create ${to}`)
    if (from.cell === to) throw refuse(`${tenant} is in ${to} already`)
    await refuseTies(tieRowsIn(from), tenant, from.cell)
    await moveTenantRows(directories, moveOf(tenant, from.cell, to), MOVE_OPTIONS)
    return from.cell
  })
}

export async function withDirectories<Result>(
  dataDir: string,
  work: (directories: CellDirectories) => Promise<Result>,
): Promise<Result> {
  if (!isDatabase(cellPathsOf(dataDir).store))
    throw new CommandFailed(`${dataDir} contains no store`, EXIT_CODES.unavailable)
  const directories = await openCellsOf(dataDir, 'alone').catch((error: unknown) => {
    if (error instanceof Error && error.name === 'StoreLocked')
      throw new CommandFailed(`the service runs on ${dataDir}: stop it first`, EXIT_CODES.dataHeld)
    throw error
  })
  try {
    return await work(directories)
  } finally {
    await directories.close()
  }
}

function tieRowsIn(directory: CellDirectory): TieRows {
  const { disk } = directory
  const records = async (tenant: string, isWanted: (text: string) => boolean): Promise<Envelope[]> => {
    const records: Envelope[] = []
    const decode = recordDecoder(tenant)
    for await (const page of disk.pages(recordsOf(tenant)))
      for (const [key, text] of page) if (isWanted(text)) records.push(decode(key, text))
    return records
  }
  return {
    recordsMatching(tenant, pattern) {
      const form = new RegExp(pattern)
      return records(tenant, (text) => form.test(text))
    },
    rowsOf: (wanted) => disk.getMany(wanted),
    async loans() {
      const tenants = await tenantsIn(directory)
      return (await Promise.all(tenants.map((each) => records(each, (text) => text.startsWith('["loan"'))))).flat()
    },
  }
}
