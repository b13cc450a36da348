// What the type of an account implies: its creation endpoint, and which debit limits it may have.
import type { HoldingState } from '../engine/records/record.ts'
import type { AccountType, DebitLimit, Holding, HoldingChanges } from '../../machines/holding.ts'
import type { Call } from './call.ts'

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

/** Where the key of an account can be kept. */
export const KEY_LOCATIONS = ['DATABASE', 'SECRETS', 'DKG', 'REMOTE'] as const

/** Types with their own creation endpoint, and its name. */
export const SPECIALISED_TYPES: Partial<Record<AccountType, string>> = {
  FUNDS_TOKEN_ACCOUNT: 'Initialize Position',
  ASSET_TOKEN_ACCOUNT: 'Initialize Position',
  ADDRESS_LOOKUP_TABLE: 'Create Address Lookup Table',
  NONCE: 'Create Durable Nonce Accounts',
}

/** Role required for limits looser than the defaults, and for rights of other organizations. */
export const POLICY_ROLE = 'ACCOUNT_POLICY_WRITE'

export const LIMIT_LISTS = ['networkCurrencyDebitLimits', 'tokenDebitLimits'] as const

/** Fees and rent are limited for accounts of every type: entries of no other class, or none at all, apply to each. */
export function isOfAnyType(
  list: (typeof LIMIT_LISTS)[number],
  limits: readonly Pick<DebitLimit, 'destination'>[],
): boolean {
  return (
    list === 'networkCurrencyDebitLimits' &&
    limits.every(
      ({ destination }) => destination === 'FEES' || destination === 'PRIORITY_FEES' || destination === 'RENT',
    )
  )
}

export const WALLET_TYPES: readonly AccountType[] = [
  'WALLET',
  'ASSETS_WALLET',
  'CURRENCIES_WALLET',
  'DEFI_SETTLEMENT_WALLET',
]

/** Types to which debit limits apply. */
export const LIMITED_TYPES: ReadonlySet<AccountType> = new Set(WALLET_TYPES)

/**
 * Whether a new managed account has the member `setByPolicyKey`. It is omitted if only the defaults apply, because the
 * creator then does not matter.
 */
export function isSetByPolicyKey(
  { roles }: Call['caller'],
  { managed, references, networkCurrencyDebitLimits, tokenDebitLimits }: Omit<Holding, 'setByPolicyKey'>,
): boolean {
  const byDefault =
    LIMITED_TYPES.has(references.type) && networkCurrencyDebitLimits === null && tokenDebitLimits === null
  return managed && !byDefault && roles.has(POLICY_ROLE)
}

/**
 * The member `setByPolicyKey` after a change. A change of limits, or to a type without limits, needs the role. The
 * member is true only if both lists were set with the role or are the defaults.
 */
export function changedBy(
  { context }: HoldingState,
  changes: Pick<HoldingChanges, 'networkCurrencyDebitLimits' | 'tokenDebitLimits' | 'references'>,
): Pick<HoldingChanges, 'setByPolicyKey'> {
  const type = changes.references?.type ?? context.references.type
  if (LIMITED_TYPES.has(type) !== LIMITED_TYPES.has(context.references.type)) return { setByPolicyKey: true }
  if (!LIMITED_TYPES.has(type)) return {}
  const given = LIMIT_LISTS.filter((member) => changes[member] !== undefined)
  if (given.length === 0) return {}
  const others = LIMIT_LISTS.filter((member) => changes[member] === undefined)
  return { setByPolicyKey: context.setByPolicyKey === true || others.every((member) => context[member] === null) }
}
