// Hands cells over to the nodes that a test wants as their owners.
import type { PostgresAddress } from '../../snapshots/postgres/address.ts'
import { until } from './nodes-fixture.ts'
import { sql } from './postgres.ts'

/** A cell keeps the node of a process that has ended, until another claims it. */
const OWNERS = `SELECT cell.cell, cell.node
  FROM holdfast.cell JOIN holdfast.node ON node.id = cell.node AND node.incarnation = cell.incarnation`

/**
 * As `holdfast cells hand-over CELL NODE` for each cell; waits until each node owns its cells. Repeats the request,
 * because a late claim resets it.
 *
 * @param owners nodes by cell
 */
export async function placeCells(address: PostgresAddress, owners: Readonly<Record<string, string>>): Promise<void> {
  await until('each cell has its owner', async () => {
    const found = new Map((await sql(address, OWNERS)).map(([cell, node]) => [cell, node]))
    const elsewhere = Object.entries(owners).filter(([cell, node]) => found.get(cell) !== node)
    for (const [cell, node] of elsewhere)
      await sql(address, `UPDATE holdfast.cell SET wanted = '${node}' WHERE cell = '${cell}'`)
    return elsewhere.length === 0
  })
}
