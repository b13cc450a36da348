// The rights a key can have (completion 5.4).

const GROUPS = ['ACCOUNTS', 'INSTRUMENTS', 'POSITIONS', 'LOANS', 'NONCES', 'LOOKUP_TABLES', 'MARKET_DATA', 'TRANSACTIONS'] as const
type Group = (typeof GROUPS)[number]

const SPECIAL = [
  'ACCOUNT_POLICY_WRITE', 'PRIVATE_KEY_EXPORT', 'PLATFORM_UPDATE_DEBIT_API_KEYS', 'DEBIT_LIMIT_APPROVE', 'ORGANIZATION_OVERRIDE',
  'TENANT_ADMIN', 'PLATFORM_ADMIN', 'AUDIT_READ', 'EVENTS_READ', 'EVENTS_WRITE',
] as const

export type Role = `${Group}_READ` | `${Group}_WRITE` | (typeof SPECIAL)[number]

export const ROLES: readonly Role[] = [...GROUPS.flatMap((group): Role[] => [`${group}_READ`, `${group}_WRITE`]), ...SPECIAL]
