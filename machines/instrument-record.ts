// Record of an instrument, and the changes that the chain and operators can make.
import type { AccountRef, Book, Holding } from './holding.ts'
import type { Raw } from './protocol.ts'

export type AuthorityName =
  | 'transferHookProgram'
  | 'mintAuthority'
  | 'updateAuthority'
  | 'freezeAuthority'
  | 'permanentDelegateAuthority'
  | 'closingAuthority'
  | 'pausableAuthority'
  | 'scaledUiAmountAuthority'
  | 'transferHookAuthority'
  | 'confidentialTransferAuthority'
  | 'confidentialMintBurnAuthority'
  | 'metadataPointerAuthority'

/** Rows of earlier releases lack `metadataPointerAuthority` until they are compared with the chain. */
export type Authorities = Readonly<Record<Exclude<AuthorityName, 'metadataPointerAuthority'>, AccountRef | null>> & {
  readonly metadataPointerAuthority?: AccountRef | null
}

export interface OnchainData {
  readonly name: string | null
  readonly symbol: string | null
  readonly uri: string | null
  readonly simpleCustomMetadata: Readonly<Record<string, string>> | null
}

export interface Logo {
  readonly copyFromUri: string | null
  readonly fileName: string | null
  readonly contentType: string | null
  readonly type: 'LOGO'
}

export interface OffchainData {
  readonly description: string | null
  readonly simpleCustomMetadata: Readonly<Record<string, string>> | null
  /** Any JSON object. */
  readonly complexCustomMetadata: Readonly<Record<string, unknown>> | null
  readonly logo: Logo | null
}

/** A multiplier that is already on chain and takes effect at a later time. */
export interface NextMultiplier {
  /** Decimal text of the double on chain. */
  readonly multiplier: string
  /** Unix seconds, decimal text. */
  readonly effectiveAt: string
}

export interface InstrumentContext extends Holding {
  readonly version: 'SPL' | 'TOKEN_2022'
  readonly decimals: number
  /** Circulating supply at `confirmed`: `balance` is the supply in raw units, `reserved` is always '0'. */
  readonly supply: Book
  readonly authorities: Authorities
  /** Metadata on the mint; null for an instrument without metadata. */
  readonly onchainData: OnchainData | null
  readonly offchainData: OffchainData
  /** null: the mint lacks the extension. */
  readonly defaultPositionState: 'INITIALIZED' | 'FROZEN' | null
  /** null: the mint cannot be paused. Follows the states `paused` and `active`. */
  readonly paused: boolean | null
  /** Exact decimal text of the double on chain; null: amounts are not scaled. */
  readonly scaledUiAmountMultiplier: string | null
  /** Absent or null: no change is scheduled. */
  readonly scaledUiAmountNext?: NextMultiplier | null
  /** Names of the extensions, in the spelling of the token-extensions calculator. */
  readonly extensions: readonly string[]
  /** Maximum supply in raw units, enforced for mints by this service. Absent or null: no limit. */
  readonly maxSupply?: Raw | null
}

/**
 * Changes that a transaction can make to a live mint. Absent members keep their value; `authorities` and `onchainData`
 * are merged.
 */
export interface Configuration {
  readonly authorities?: Partial<Authorities>
  readonly onchainData?: Partial<OnchainData>
  readonly defaultPositionState?: InstrumentContext['defaultPositionState']
  readonly scaledUiAmountMultiplier?: string | null
  readonly scaledUiAmountNext?: NextMultiplier | null
  readonly extensions?: readonly string[]
}

/** Changes that an operator can make offchain; merged, absent members keep their value. */
export type Description = Partial<OffchainData>
