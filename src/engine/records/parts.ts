// Rows of one write, grouped by tenant.
import type { StoreOp, TenantBatch } from '../../../snapshots/store.ts'

/** The list of rows of a tenant, created on first use. */
export function opsOfTenant(parts: Map<string, StoreOp[]>, tenant: string): StoreOp[] {
  let part = parts.get(tenant)
  if (part === undefined) {
    part = []
    parts.set(tenant, part)
  }
  return part
}

export function toBatches(parts: ReadonlyMap<string, readonly StoreOp[]>, epoch: number): TenantBatch[] {
  return [...parts].map(([tenant, ops]) => ({ tenant, epoch, ops }))
}
