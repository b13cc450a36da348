// Rows of one write, grouped by tenant.
import type { StoreOp, TenantBatch } from '../../../snapshots/store.ts'

export function append(parts: Map<string, StoreOp[]>, tenant: string, ...ops: readonly StoreOp[]): void {
  const known = parts.get(tenant)
  if (known === undefined) parts.set(tenant, [...ops])
  else known.push(...ops)
}

export function toBatches(parts: ReadonlyMap<string, readonly StoreOp[]>, epoch: number): TenantBatch[] {
  return [...parts].map(([tenant, ops]) => ({ tenant, epoch, ops }))
}
