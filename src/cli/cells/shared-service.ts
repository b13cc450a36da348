// Shared code of the commands for a service with several nodes: opens its database, and waits for its cells.
import type { Command } from 'commander'
import { EXIT_CODES } from '../../config/exit-codes.ts'
import type { Settings } from '../../config/settings.ts'
import type { NodeRows } from '../../nodes/node-rows.ts'
import type { Database } from '../../../snapshots/postgres/database.ts'
import { CommandFailed } from '../command-failed.ts'

const BOUND_MS = 5_000
const WAIT_MS = 5_000
const POLL_MS = 200
const QUIET = { warn: () => undefined }
/** How long a hand-over may take: it waits for open requests, and the new owner loads its records. */
export const HAND_OVER_MS = 120_000

export interface SharedService {
  readonly rows: NodeRows
  readonly database: Database
}

export function common(command: Command): Command {
  return command
    .option('--store <url>', 'database of the service: postgres://...; default: HOLDFAST_STORE')
    .option('--json', 'print the answer as JSON')
}

/** Rejects with CommandFailed if the settings name no database. */
export async function withShared<Result>(
  settings: Settings,
  work: (service: SharedService) => Promise<Result>,
): Promise<Result> {
  if (settings.store === 'level')
    throw new CommandFailed('HOLDFAST_STORE names no database: one process owns all cells', EXIT_CODES.usage)
  const { NodeRows } = await import('../../nodes/node-rows.ts')
  const { openSharedDatabase } = await import('../../config/shared-database.ts')
  const database = await openSharedDatabase(settings, QUIET, { waitMs: WAIT_MS, makes: false })
  const lane = database.lane()
  try {
    return await work({ rows: new NodeRows(lane, BOUND_MS), database })
  } finally {
    lane.destroy()
    database.close()
  }
}

/** Rejects with CommandFailed if the node is not alive, or takes no cells. */
export async function requireNode(rows: NodeRows, node: string): Promise<void> {
  const live = (await rows.live()).find(({ id }) => id === node)
  if (live === undefined) throw new CommandFailed(`no live node has the id ${node}`, EXIT_CODES.usage)
  if (live.draining) throw new CommandFailed(`${node} is draining: start it again first`, EXIT_CODES.usage)
}

/** Processes of an earlier release neither release a held cell nor write names. */
export async function requireRelease(rows: NodeRows, tables: number): Promise<void> {
  const live = await rows.live()
  if (!live.some(({ draining }) => !draining))
    throw new CommandFailed('no live node can serve a cell: start one that is not draining')
  const old = live.find(({ reads }) => reads < tables)
  if (old !== undefined)
    throw new CommandFailed(
      `node ${old.id} is of release ${old.release}, which knows no moves between cells: update every node first`,
    )
}

export interface OwnedCell {
  readonly cell: string
  readonly owner: string | null
  /** True: the cell has no owner until a request needs it. */
  readonly idle: boolean
}

export async function ownersNow(rows: NodeRows): Promise<readonly OwnedCell[]> {
  return (await rows.cells()).map(({ cell, owner, rest }) => ({ cell, owner: owner?.id ?? null, idle: rest !== null }))
}

/** Waits until `isIt` is true for every cell. */
export async function newOwners(
  rows: NodeRows,
  isIt: (cell: OwnedCell) => boolean,
  waitMs = HAND_OVER_MS,
): Promise<readonly OwnedCell[]> {
  const lastMs = performance.now() + waitMs
  for (;;) {
    const cells = await ownersNow(rows)
    const wrong = cells.find((cell) => !isIt(cell))
    if (wrong === undefined) return cells
    if (performance.now() > lastMs) {
      const what = `the cell ${wrong.cell} was not handed over in ${waitMs / 1_000} s`
      throw new CommandFailed(`${what}: ${wrong.owner ?? 'nobody'} owns it`)
    }
    await later(POLL_MS)
  }
}

export const later = (ms: number): Promise<void> => new Promise((resolve) => void setTimeout(resolve, ms))
