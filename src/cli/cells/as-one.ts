// Copies all cells of a data directory into one store, for commands that read the whole directory. The service must be
// stopped, so that the copy is consistent.
import { existsSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDatabase, type RawDatabase } from '../../../snapshots/backup/database.ts'
import type { CellDirectories } from '../../../snapshots/cells/directories.ts'
import type { RowPage } from '../../../snapshots/disk.ts'
import { isNameKey, metaKey, SCHEMA_KEY } from '../../../snapshots/keys.ts'
import { MAIN_CELL } from '../../../snapshots/postgres/schema.ts'
import { decode } from '../../../snapshots/rows.ts'
import { dataLayout } from '../../config/data-layout.ts'
import type { Settings } from '../../config/settings.ts'
import { movementsFact } from '../../engine/movements/movements.ts'
import { MOVE_OPTIONS } from '../../service/level-cells.ts'
import { temporaryFolder } from '../temporary.ts'
import { withDirectories } from './in-directory.ts'

export async function withCellsAsOne<T>(settings: Settings, work: (settings: Settings) => Promise<T>): Promise<T> {
  const { dataDir } = settings
  using copy = temporaryFolder(join(tmpdir(), 'holdfast-copy-'))
  await withDirectories(dataDir, (directories) => copyTo(directories, dataLayout(copy.path).store))
  const [from, to] = [dataLayout(dataDir), dataLayout(copy.path)]
  for (const each of ['chain', 'masterKey', 'secrets', 'players', 'sandbox'] as const)
    if (existsSync(from[each])) symlinkSync(from[each], to[each])
  return await work({ ...settings, dataDir: copy.path })
}

async function copyTo(directories: CellDirectories, path: string): Promise<void> {
  const store = await openDatabase(path, { make: true })
  try {
    for (const { cell, disk } of directories.all)
      for await (const page of disk.pages({})) await put(store, page.filter(isOfStore(cell)))
    await put(store, factsOf(directories))
    await store.put([], { sync: true })
  } finally {
    await store.close()
  }
}

/** True for rows of a store with one cell, which has no names and no rows about cells. */
const isOfStore =
  (cell: string) =>
  ([key]: RowPage[number]): boolean => {
    if (key.startsWith('s!')) return cell === MAIN_CELL && key === SCHEMA_KEY
    return !isNameKey(key) && (cell === MAIN_CELL || key !== factKey(cell))
  }

/** The merged movement facts of all cells. */
function factsOf({ all }: CellDirectories): RowPage {
  const values = all.map(({ cell, disk }) => {
    const text = disk.get(factKey(cell))
    return text === undefined ? undefined : decode(factKey(cell), text)
  })
  const merged = values.reduce((known, value) => MOVE_OPTIONS.merged(value, known))
  return merged === undefined ? [] : [[factKey(MAIN_CELL), JSON.stringify(merged)]]
}

const factKey = (cell: string): string => metaKey(movementsFact(cell === MAIN_CELL ? undefined : cell))

async function put(store: RawDatabase, rows: RowPage): Promise<void> {
  await store.put(
    rows.map(([key, value]) => [Buffer.from(key), Buffer.from(value)] as const),
    { sync: false },
  )
}
