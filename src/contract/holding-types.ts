// What the type of an account means for how it is made and what may be said of it (interface 2.3 and 8.1).
import type { HoldingState } from '../engine/records/record.ts'
import type { AccountType, DebitLimit, Holding, HoldingChanges } from '../../machines/holding.ts'
import type { Call } from './call.ts'

/** All of them. */
export const ACCOUNT_TYPES: readonly AccountType[] = Object.keys({
  WALLET: true,
  ASSETS_WALLET: true,
  CURRENCIES_WALLET: true,
  DEFI_SETTLEMENT_WALLET: true,
  FUNDS_TOKEN_ACCOUNT: true,
  ASSET_TOKEN_ACCOUNT: true,
  FUNDS_TOKEN: true,
  ASSET_TOKEN: true,
  ADDRESS_LOOKUP_TABLE: true,
  NONCE: true,
  TOKEN_MANAGEMENT_AUTHORITY: true,
} satisfies Record<AccountType, true>) as AccountType[]

/** Types with a creation endpoint of their own, and its name. */
export const SPECIALISED_TYPES: Partial<Record<AccountType, string>> = {
  FUNDS_TOKEN_ACCOUNT: 'Initialize Position',
  ASSET_TOKEN_ACCOUNT: 'Initialize Position',
  ADDRESS_LOOKUP_TABLE: 'Create Address Lookup Table',
  NONCE: 'Create Durable Nonce Accounts',
}

/** Role that limits looser than the defaults, and rights for others, need. */
export const POLICY_ROLE = 'ACCOUNT_POLICY_WRITE'

/** Every entry is about fees or rent, which are limited for accounts of every type. */
export function isOfAnyType(limits: readonly Pick<DebitLimit, 'destination'>[]): boolean {
  return limits.length > 0 && limits.every(({ destination }) => destination === 'FEES' || destination === 'PRIORITY_FEES' || destination === 'RENT')
}

/** Types that debit limits apply to. */
export const LIMITED_TYPES: ReadonlySet<AccountType> = new Set<AccountType>([
  'WALLET',
  'ASSETS_WALLET',
  'CURRENCIES_WALLET',
  'DEFI_SETTLEMENT_WALLET',
])

/**
 * Of a managed account that is made now: the member `setByPolicyKey`. Where nothing but the defaults holds, who made it does not matter, and
 * the row goes without.
 */
export function madeBy(
  { roles }: Call['caller'],
  { managed, references, networkCurrencyDebitLimits, tokenDebitLimits }: Omit<Holding, 'setByPolicyKey'>,
): Pick<Holding, 'setByPolicyKey'> {
  const byDefault = LIMITED_TYPES.has(references.type) && networkCurrencyDebitLimits === null && tokenDebitLimits === null
  return managed && !byDefault && roles.has(POLICY_ROLE) ? { setByPolicyKey: true } : {}
}

/**
 * Of an account that is changed: a change of limits, or of a type to one without any, needs the role. Of two lists both have to have been set
 * with it.
 */
export function changedBy(
  { context }: HoldingState,
  changes: Pick<HoldingChanges, 'networkCurrencyDebitLimits' | 'tokenDebitLimits' | 'references'>,
): Pick<HoldingChanges, 'setByPolicyKey'> {
  const type = changes.references?.type ?? context.references.type
  if (LIMITED_TYPES.has(type) !== LIMITED_TYPES.has(context.references.type)) return { setByPolicyKey: true }
  if (!LIMITED_TYPES.has(type)) return {}
  const given = LISTS.filter((member) => changes[member] !== undefined)
  if (given.length === 0) return {}
  const others = LISTS.filter((member) => changes[member] === undefined)
  return { setByPolicyKey: context.setByPolicyKey === true || others.every((member) => context[member] === null) }
}

const LISTS = ['networkCurrencyDebitLimits', 'tokenDebitLimits'] as const
