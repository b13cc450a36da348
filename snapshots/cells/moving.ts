// Moves a tenant from the directory of one cell to that of another, while no service runs. The steps are: record the
// move, copy all rows, switch to the copy with one synced write, delete the original rows. After a crash, the next open
// of the directories completes or undoes the move: before the switch it deletes the copy, after it the original rows.
// Each step is idempotent.
import type { Disk, DiskOp } from '../disk.ts'
import { MOVE_KEY, metaKey } from '../keys.ts'
import { decode } from '../rows.ts'
import { writeRow, type CellDirectories } from './directories.ts'
import { rowsOfTenant, type FactsOfTenant } from './rows-of-tenant.ts'

export interface TenantMove {
  /** Escaped, as in keys. */
  readonly tenant: string
  readonly from: string
  readonly to: string
  readonly facts: FactsOfTenant
  /** Names, in both cells, of a fact that each cell keeps for its tenants. */
  readonly fact: { readonly from: string; readonly to: string }
}

export interface MoveOptions {
  /** Merges the facts of both cells. Must be idempotent: it may be called again with its earlier result as `to`. */
  readonly merged: (from: unknown, to: unknown) => unknown
  /** Called when a step is durable. */
  readonly onStep?: (step: MoveStep) => void
}

export type MoveStep = 'noted' | 'copying' | 'copied' | 'switched' | 'deleting' | 'deleted'

type NotedMove = TenantMove & { readonly isDone: boolean }

const AT_ONCE = 1_000

/** The directories must be opened as `alone`, and an interrupted move must be finished first (`finishMove`). */
export async function moveTenantRows(
  directories: CellDirectories,
  move: TenantMove,
  options: MoveOptions,
): Promise<void> {
  const { onStep } = options
  const main = directories.main.disk
  await note(main, { ...move, isDone: false })
  onStep?.('noted')
  const [from, to] = [diskOf(directories, move.from), diskOf(directories, move.to)]
  for await (const ops of opsFor(from, move, ([key, value]) => ({ type: 'put', key, value }))) {
    await to.write(ops, { sync: true })
    onStep?.('copying')
  }
  onStep?.('copied')
  await note(main, { ...move, isDone: true })
  onStep?.('switched')
  await complete(directories, move, options)
}

/** Completes or undoes an interrupted move. Returns its tenant and the tenant's cell; null: there was none. */
export async function finishMove(
  directories: CellDirectories,
  options: MoveOptions,
): Promise<{ readonly tenant: string; readonly cell: string } | null> {
  const main = directories.main.disk
  const text = main.get(MOVE_KEY)
  if (text === undefined) return null
  const { isDone, ...move } = decode(MOVE_KEY, text) as NotedMove
  const { tenant, from, to } = move
  if (isDone) await complete(directories, move, options)
  else {
    // The original rows are complete, so their keys include every row that may have been copied.
    await remove(directories, move, { named: from, in: to }, options.onStep)
    await writeRow(main, MOVE_KEY, null)
  }
  return { tenant, cell: isDone ? to : from }
}

async function complete(
  directories: CellDirectories,
  move: TenantMove,
  { merged, onStep }: MoveOptions,
): Promise<void> {
  const { fact } = move
  const [from, to] = [diskOf(directories, move.from), diskOf(directories, move.to)]
  const value = merged(factIn(from, fact.from), factIn(to, fact.to))
  if (value !== undefined) await writeRow(to, metaKey(fact.to), JSON.stringify(value))
  await remove(directories, move, { named: move.to, in: move.from }, onStep)
  onStep?.('deleted')
  await writeRow(directories.main.disk, MOVE_KEY, null)
}

/** Deletes from the cell `in` the rows of the tenant that the cell `named` has. */
async function remove(
  directories: CellDirectories,
  move: TenantMove,
  cells: { readonly named: string; readonly in: string },
  onStep: MoveOptions['onStep'],
): Promise<void> {
  const disk = diskOf(directories, cells.in)
  for await (const ops of opsFor(diskOf(directories, cells.named), move, ([key]) => ({ type: 'del', key }))) {
    await disk.write(ops, { sync: true })
    onStep?.('deleting')
  }
}

async function* opsFor(
  disk: Disk,
  { tenant, facts }: TenantMove,
  opOf: (row: readonly [string, string]) => DiskOp,
): AsyncGenerator<DiskOp[], void, undefined> {
  let ops: DiskOp[] = []
  for await (const page of rowsOfTenant(disk, tenant, facts)) {
    for (const row of page) ops.push(opOf(row))
    if (ops.length < AT_ONCE) continue
    yield ops
    ops = []
  }
  if (ops.length > 0) yield ops
}

const note = (main: Disk, move: NotedMove): Promise<void> => writeRow(main, MOVE_KEY, JSON.stringify(move))

function factIn(disk: Disk, name: string): unknown {
  const key = metaKey(name)
  const text = disk.get(key)
  return text === undefined ? undefined : decode(key, text)
}

function diskOf(directories: CellDirectories, cell: string): Disk {
  const directory = directories.of(cell)
  if (directory === undefined) throw new RangeError(`there is no cell ${cell}`)
  return directory.disk
}
