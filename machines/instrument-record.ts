// What an instrument's record holds, and the changes it may take from the chain and from an operator.
import type { AccountRef, Book, Holding } from './holding.ts'

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

export type Authorities = Readonly<Record<AuthorityName, AccountRef | null>>

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

/** A multiplier that stands on chain already and is in force from an instant on. */
export interface NextMultiplier {
  /** Decimal text of the double on chain. */
  readonly multiplier: string
  /** Unix seconds, decimal text. */
  readonly effectiveAt: string
}

export interface InstrumentContext extends Holding {
  readonly version: 'SPL' | 'TOKEN_2022'
  readonly decimals: number
  /** Circulating supply at `confirmed` as a book: `balance` is the supply in raw units, `reserved` is always '0'. */
  readonly supply: Book
  readonly authorities: Authorities
  /** The part on the mint; null on an instrument without metadata. */
  readonly onchainData: OnchainData | null
  readonly offchainData: OffchainData
  /** null: the mint lacks the extension. */
  readonly defaultPositionState: 'INITIALIZED' | 'FROZEN' | null
  /** null: the mint cannot be paused. Follows the states `paused` and `active`. */
  readonly paused: boolean | null
  /** Decimal text of the double on chain, exactly; null: amounts are not scaled. */
  readonly scaledUiAmountMultiplier: string | null
  /** Absent or null: nothing is to come. */
  readonly scaledUiAmountNext?: NextMultiplier | null
  /** Names as the calculator spells them. */
  readonly extensions: readonly string[]
}

/** What a transaction may change on a live mint. Absent members keep their value; `authorities` and `onchainData` are merged. */
export interface Configuration {
  readonly authorities?: Partial<Authorities>
  readonly onchainData?: Partial<OnchainData>
  readonly defaultPositionState?: InstrumentContext['defaultPositionState']
  readonly scaledUiAmountMultiplier?: string | null
  readonly scaledUiAmountNext?: NextMultiplier | null
  readonly extensions?: readonly string[]
}

/** What an operator may change without the chain; merged, absent members keep their value. */
export type Description = Partial<OffchainData>
