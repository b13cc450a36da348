// An empty database with the cell `main` and others beside it.
import type { PostgresAddress } from '../../snapshots/postgres/address.ts'
import { connect } from '../../snapshots/postgres/connection.ts'
import { Lane } from '../../snapshots/postgres/lane.ts'
import { NodeRows } from '../../src/nodes/node-rows.ts'
import { TABLES_VERSION } from '../../snapshots/postgres/schema.ts'
import { claimedStore, emptySchema } from './postgres.ts'

/** Drops the content of the database. No node owns the cells. */
export async function emptyCells(address: PostgresAddress, beside: readonly string[]): Promise<void> {
  await emptySchema(address)
  // Creates the tables.
  await (await claimedStore(address)).close()
  const lane = new Lane(() => connect(address, { boundMs: 10_000 }))
  const rows = new NodeRows(lane, 10_000)
  for (const cell of beside) if (!(await rows.create(cell, TABLES_VERSION))) throw new Error(`the cell ${cell} exists`)
  lane.destroy()
}
