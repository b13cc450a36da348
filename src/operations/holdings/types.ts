// What the type of an account means for how it is made and what may be said of it (interface 2.3 and 8.1).
import type { AccountType } from '../../../machines/holding.ts'

/** Types with a creation endpoint of their own, and its name. */
export const SPECIALISED_TYPES: Partial<Record<AccountType, string>> = {
  FUNDS_TOKEN_ACCOUNT: 'Initialize Position',
  ASSET_TOKEN_ACCOUNT: 'Initialize Position',
  ADDRESS_LOOKUP_TABLE: 'Create Address Lookup Table',
  NONCE: 'Create Durable Nonce Accounts',
}

/** Types that debit limits apply to. */
export const LIMITED_TYPES: ReadonlySet<AccountType> = new Set<AccountType>([
  'WALLET',
  'ASSETS_WALLET',
  'CURRENCIES_WALLET',
  'DEFI_SETTLEMENT_WALLET',
])
