// Holds cells during a command: their owners close them in order, and no node claims them. The hold is renewed while
// the command runs. If the command dies, nodes can claim the cells again after some seconds.
import { randomUUID } from 'node:crypto'
import type { CellRow } from '../../nodes/node-rows.ts'
import { holdCells, releaseCells, renewHold, type FreeCell } from '../../../snapshots/postgres/moving.ts'
import { CommandFailed } from '../command-failed.ts'
import { later, type SharedService } from './shared-service.ts'

const HOLD_MS = 10_000
const RENEW_MS = 2_000
const POLL_MS = 50
/** How long an owner may take to close a cell. Open requests end within seconds. */
const LEAVE_MS = 30_000

export interface HeldCells {
  readonly token: string
  /** In the order of the requested cells. */
  readonly free: readonly FreeCell[]
}

/** Rejects with CommandFailed if a cell does not become free. Afterwards the cells can be claimed again in any case. */
export async function whileFree<Result>(
  { rows, database }: SharedService,
  cells: readonly string[],
  work: (held: HeldCells) => Promise<Result>,
): Promise<Result> {
  const hold = { token: randomUUID(), ms: HOLD_MS }
  if (!(await holdCells(database, hold, cells)))
    throw new CommandFailed(`a tenant is being moved from or to ${cells.join(' or ')}: try again when that is done`)
  const renewing = setInterval(() => void renewHold(database, hold).catch(() => undefined), RENEW_MS)
  try {
    return await work({ token: hold.token, free: await untilFree(rows, cells) })
  } finally {
    clearInterval(renewing)
    // If the database does not answer, the hold expires.
    await releaseCells(database, hold.token).catch(() => undefined)
  }
}

async function untilFree(rows: SharedService['rows'], names: readonly string[]): Promise<readonly FreeCell[]> {
  const lastMs = performance.now() + LEAVE_MS
  for (;;) {
    const rowByCell = new Map((await rows.cells()).map((cell) => [cell.cell, cell]))
    const cells = names.map((name) => rowByCell.get(name)!)
    const owned = cells.find(({ owner }) => owner !== null)
    if (owned === undefined) return cells.map(({ cell, epoch }) => ({ cell, epoch }))
    if (!cells.every(({ isHeld }) => isHeld)) throw new CommandFailed('the database did not answer in time')
    checkLives(owned)
    if (performance.now() > lastMs)
      throw new CommandFailed(`${owned.owner!.id} did not close the cell ${owned.cell} in ${LEAVE_MS / 1_000} s`)
    await later(POLL_MS)
  }
}

function checkLives({ cell, owner }: CellRow): void {
  if (owner === null || owner.leftMs > 0) return
  const what = `${owner.id}, which owns the cell ${cell}, has failed`
  throw new CommandFailed(`${what}: try again when \`holdfast cells list\` shows another owner`)
}
