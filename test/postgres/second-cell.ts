// A second cell beside the first, created as by an operator while no node runs.
import type { ClusterFixture, NodeProcess } from './cluster-fixture.ts'
import { addressOf, sql } from './postgres.ts'

export const SECOND = 'red'

/** Stops the node, moves the tenant to its own cell, and starts the node again at the same port. */
export async function moveTenant(fixture: ClusterFixture, node: NodeProcess, tenant: string): Promise<NodeProcess> {
  node.signal('SIGTERM')
  await node.ended
  const database = addressOf(fixture.postgres)
  await sql(database, `INSERT INTO holdfast.cell (cell, epoch) VALUES ('${SECOND}', 0)`)
  await sql(database, `INSERT INTO holdfast.step VALUES ('${SECOND}', 0, '00000000-0000-0000-0000-000000000000')`)
  await sql(database, `UPDATE holdfast.tenant SET cell = '${SECOND}' WHERE tenant = '${tenant}'`)
  return await fixture.start(node.name, { settings: { PORT: new URL(node.url).port } })
}
