// `cells hand-over`: asks the owner of a cell to hand it over, and waits for that. A request that nobody took in time
// is withdrawn: otherwise the cell would move when it becomes possible, although the operator no longer expects it.
import { EXIT_CODES } from '../../config/exit-codes.ts'
import type { NodeRows } from '../../nodes/node-rows.ts'
import { CommandFailed } from '../command-failed.ts'
import { HAND_OVER_MS, newOwners, requireNode } from './shared-service.ts'

/**
 * Rejects with CommandFailed. Returns the node of an earlier request that was withdrawn, because the cell is to stay
 * with its owner; null: the cell was handed over.
 */
export async function handOver(
  rows: NodeRows,
  cell: string,
  node: string,
  waitMs = HAND_OVER_MS,
): Promise<string | null> {
  const row = (await rows.cells()).find((each) => each.cell === cell)
  if (row === undefined) throw new CommandFailed(`there is no cell ${cell}`, EXIT_CODES.usage)
  if (row.owner?.id === node) {
    const { wanted } = row
    if (wanted !== null && wanted !== node && (await rows.withdraw(cell, wanted))) return wanted
    throw new CommandFailed(`${node} owns ${cell} already`, EXIT_CODES.usage)
  }
  await requireNode(rows, node)
  await rows.want(cell, node)
  try {
    await newOwners(rows, ({ cell: each, owner }) => each !== cell || owner === node, waitMs)
    return null
  } catch (error) {
    if (!(error instanceof CommandFailed)) throw error
    // The owner closes a cell before it hands it over, and does not stop halfway.
    if (await rows.withdraw(cell, node))
      throw new CommandFailed(`${error.message}. The request is withdrawn; a hand-over that has begun still ends`)
    const now = (await rows.cells()).find((each) => each.cell === cell)
    if (now?.owner?.id === node) return null
    throw new CommandFailed(`${error.message}. The request is void: the cell was claimed, or is to go to another node`)
  }
}
