// Determines the tenant among whose rows the writes of a request are stored. A request of SYSTEM about a tenant of
// another cell is decided in that cell, as SYSTEM's request, and stored with the rows of that tenant; SYSTEM receives
// its audit entry and its idempotency key in a message.
import type { Call } from '../../contract/call.ts'
import { ServedByOtherCell } from '../../contract/served-by-other-cell.ts'
import { SYSTEM_TENANT } from '../../contract/tenancy.ts'
import type { Context } from './platform.ts'

/** The tenant among whose rows the request writes. */
export function writerOf({ tenant, servedFor }: Pick<Call, 'tenant' | 'servedFor'>): string {
  return servedFor ?? tenant
}

/**
 * Throws `ServedByOtherCell` if a request of SYSTEM is about a tenant of another cell, because only that cell has the
 * current state of its records. Must be called before a decision uses these records.
 */
export function requireServedHere({ platform, call }: Context, tenant: string): void {
  if (call.tenant === SYSTEM_TENANT && !platform.engine.owns(tenant)) throw new ServedByOtherCell(tenant)
}

/** As `requireServedHere`, for a record that is named by its id only, which SYSTEM's cell alone cannot resolve. */
export async function requireRecordServedHere(context: Context, id: string): Promise<void> {
  const { platform, call } = context
  const { engine, otherCells } = platform
  if (call.tenant !== SYSTEM_TENANT || otherCells === undefined || engine.store.names?.hasNeighbours() !== true) return
  const tenant = engine.directory.byId(id)?.head.tenant ?? (await otherCells.tenantOf({ cluster: call.cluster, id }))
  if (tenant !== undefined) requireServedHere(context, tenant)
}
