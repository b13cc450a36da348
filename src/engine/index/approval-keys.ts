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

export function policyKeys({ tenant, value }: RecordState<'approvalPolicy'>): string[] {
  return value === 'removed' ? [] : [policiesKey(tenant)]
}

export function pendingChangeKeys({ tenant, value }: RecordState<'pendingChange'>): string[] {
  return value === 'pending' ? [openChangesKey(tenant)] : []
}
