// Index keys of approval policies and of pending changes.
import type { RecordState } from '../records/record.ts'

const SEPARATOR = '\u0000'

/** Approval policies of a tenant that are not removed. */
export function policiesKey(tenant: string): string {
  return ['policies', tenant].join(SEPARATOR)
}

/** Changes of a tenant that wait for approvals. */
export function openChangesKey(tenant: string): string {
  return ['pending', tenant].join(SEPARATOR)
}

/** undefined: a record of another kind. The keys depend on kind, tenant and state value only. */
export function approvalKeys({ kind, tenant, value }: RecordState): string[] | undefined {
  if (kind === 'pendingChange') return value === 'pending' ? [openChangesKey(tenant)] : []
  if (kind !== 'approvalPolicy') return undefined
  return value === 'removed' ? [] : [policiesKey(tenant)]
}
