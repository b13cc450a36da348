// The roles of API keys, bundles of roles, and who may grant them. No key grants a role that it lacks.
import { skeletonOf } from '../engine/records/skeleton.ts'
import type { Caller } from './call.ts'
import { forbidden } from './refusal.ts'
import { SYSTEM_TENANT } from './tenancy.ts'

const GROUPS = [
  'ACCOUNTS',
  'INSTRUMENTS',
  'POSITIONS',
  'LOANS',
  'NONCES',
  'LOOKUP_TABLES',
  'MARKET_DATA',
  'TRANSACTIONS',
] as const
type Group = (typeof GROUPS)[number]

const SPECIAL = [
  'ACCOUNT_POLICY_WRITE',
  'APPROVAL_POLICIES_WRITE',
  'PRIVATE_KEY_EXPORT',
  'PLATFORM_UPDATE_DEBIT_API_KEYS',
  'DEBIT_LIMIT_APPROVE',
  'ORGANIZATION_OVERRIDE',
  'COUNTERPARTIES_WRITE',
  'TENANT_ADMIN',
  'PLATFORM_ADMIN',
  'AUDIT_READ',
  'EVENTS_READ',
  'EVENTS_WRITE',
] as const

export type Role = `${Group}_READ` | `${Group}_WRITE` | (typeof SPECIAL)[number]

export const ROLES: readonly Role[] = [
  ...GROUPS.flatMap((group): Role[] => [`${group}_READ`, `${group}_WRITE`]),
  ...SPECIAL,
]

export type Bundle = 'OPERATOR' | 'VIEWER' | 'ADMIN'

const reads = ROLES.filter((role) => role.endsWith('_READ'))

const NOT_OF_OPERATORS: ReadonlySet<Role> = new Set<Role>([
  'ACCOUNT_POLICY_WRITE',
  'APPROVAL_POLICIES_WRITE',
  'COUNTERPARTIES_WRITE',
])

/**
 * VIEWER: all reads. OPERATOR: all reads and writes, except the policies of accounts and approvals, and counterparties.
 * ADMIN: every role except PLATFORM_ADMIN.
 */
export const BUNDLES: Readonly<Record<Bundle, readonly Role[]>> = {
  VIEWER: reads,
  OPERATOR: [...reads, ...ROLES.filter((role) => role.endsWith('_WRITE') && !NOT_OF_OPERATORS.has(role))],
  ADMIN: ROLES.filter((role) => role !== 'PLATFORM_ADMIN'),
}

export function isRole(text: string): text is Role {
  return (ROLES as readonly string[]).includes(text)
}

/** Throws 403 `ROLE_REQUIRED`. `what` names the change, which loosens or removes a protection of an account. */
export function requirePolicyRole({ roles }: Caller, what: string, pointer: string): void {
  if (!roles.has('ACCOUNT_POLICY_WRITE'))
    throw forbidden('ROLE_REQUIRED', `role ACCOUNT_POLICY_WRITE is required ${what}`, pointer)
}

/** True if the caller has all of these roles. */
function grantable(caller: Caller, roles: readonly string[]): boolean {
  return roles.every((role) => caller.roles.has(role))
}

/** Throws 403 `ROLE_REQUIRED` with the roles that the caller lacks. */
export function checkGrantable(caller: Caller, roles: readonly string[], pointer: string): void {
  if (grantable(caller, roles)) return
  const missing = roles.filter((role) => !caller.roles.has(role))
  throw forbidden('ROLE_REQUIRED', `API key may grant only its own roles; it lacks ${missing.join(', ')}`, pointer)
}

/** Owner of a record: its organization, by external id, and the tenant above it. */
export interface Owner {
  readonly tenant: string
  readonly organization: string
}

/**
 * PLATFORM_ADMIN administers every organization. TENANT_ADMIN administers the whole tenant for a key of the root
 * organization, and only its own organization for any other key. The key's organization counts, not the one that the
 * request acts for.
 */
export function administers(caller: Caller, owner: Owner): boolean {
  if (caller.roles.has('PLATFORM_ADMIN')) return true
  if (!caller.roles.has('TENANT_ADMIN') || caller.tenant !== owner.tenant) return false
  return isOfRoot(caller) || caller.organization === owner.organization
}

/** As `administers`, for giving a key: its organization is the giver's or below it, also for PLATFORM_ADMIN. */
export function mayGiveKeys(caller: Caller, owner: Owner): boolean {
  const isWithin = caller.tenant === owner.tenant && (isOfRoot(caller) || caller.organization === owner.organization)
  return administers(caller, owner) && (caller.tenant === SYSTEM_TENANT || isWithin)
}

/** True for the root organization of a tenant, whose external id is the tenant's. */
export function isOfRoot({ organization, tenant }: Owner): boolean {
  return organization === tenant
}

/** Throws 403 `ROLE_REQUIRED` for a key that administers no organization. */
export function requireAdministrator(caller: Caller): void {
  if (!administers(caller, caller)) throw forbidden('ROLE_REQUIRED', 'role TENANT_ADMIN or PLATFORM_ADMIN is required')
}

/** Throws 403 `ROLE_REQUIRED`. `what` names the action, which only the operator may take. */
export function requirePlatformAdministrator(caller: Caller, what: string, pointer?: string): void {
  if (!caller.roles.has('PLATFORM_ADMIN'))
    throw forbidden('ROLE_REQUIRED', `role PLATFORM_ADMIN is required for ${what}`, pointer)
}

/** True for external ids that look like the id of the system tenant. Only the first start creates that tenant. */
export function isReserved(externalId: string): boolean {
  return skeletonOf(externalId) === skeletonOf(SYSTEM_TENANT)
}
