// Tenants, and the organizations that a key may act for.
import type { Caller } from './call.ts'

/** The tenant of the operator of a server. The interface defines its external id. */
export const SYSTEM_TENANT = 'SYSTEM'

/**
 * Whether a key may act for other organizations of a tenant: one of the root organization for those below it, one of
 * the system for all. Both need the role ORGANIZATION_OVERRIDE, which is not checked here.
 */
export function isAboveOthersIn(tenant: string, caller: Caller): boolean {
  return caller.system || (caller.organization === caller.tenant && caller.tenant === tenant)
}
