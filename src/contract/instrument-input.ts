// Validated request bodies of the financial instrument endpoints (interface 4.2, completion 7).
import type { AccountLookup, NewAccountInput, ReferenceChangesInput } from './input.ts'

export interface LogoInput {
  readonly copyFromUri?: string | undefined
  readonly fileName?: string | undefined
  readonly contentType?: string | undefined
  readonly type?: 'LOGO' | undefined
}

export interface OnchainDataInput {
  readonly symbol?: string | undefined
  readonly name?: string | undefined
  readonly uri?: string | undefined
  readonly simpleCustomMetadata?: Readonly<Record<string, string>> | undefined
  readonly decimals?: number | undefined
}

export interface OffchainDataInput {
  readonly description?: string | undefined
  readonly simpleCustomMetadata?: Readonly<Record<string, unknown>> | undefined
  readonly complexCustomMetadata?: Readonly<Record<string, unknown>> | undefined
  readonly logo?: LogoInput | undefined
}

/** Interface 4.2, completion 7. */
export interface NewInstrumentInput {
  readonly mintAccount?: NewAccountInput | undefined
  readonly existingMintAccount?: AccountLookup | undefined
  /** Required unless the token already exists on chain. */
  readonly mintAuthority?: AccountLookup | undefined
  readonly updateAuthority?: AccountLookup | undefined
  readonly freezeAuthority?: AccountLookup | undefined
  readonly permanentDelegateAuthority?: AccountLookup | undefined
  readonly closingAuthority?: AccountLookup | undefined
  readonly pausableAuthority?: AccountLookup | undefined
  readonly scaledUiAmountAuthority?: AccountLookup | undefined
  readonly transferHookAuthority?: AccountLookup | undefined
  readonly transferHookProgram?: AccountLookup | undefined
  readonly confidentialTransferAuthority?: AccountLookup | undefined
  readonly confidentialMintBurnAuthority?: AccountLookup | undefined
  readonly version?: 'SPL' | 'TOKEN_2022' | undefined
  readonly alreadyOnchain?: boolean | undefined
  readonly onchainData?: OnchainDataInput | undefined
  readonly offchainData?: OffchainDataInput | undefined
  readonly defaultPositionState?: 'INITIALIZED' | 'FROZEN' | undefined
  readonly paused?: boolean | undefined
  readonly scaledUiAmountMultiplier?: string | undefined
  readonly maxSupply?: string | undefined
}

export interface OnchainDataChangesInput {
  readonly symbol?: string | undefined
  readonly name?: string | undefined
  readonly uri?: string | undefined
  /** Keys that are not named keep their value; null removes one key, or all. */
  readonly simpleCustomMetadata?: Readonly<Record<string, string | null>> | null | undefined
}

/** Absent members keep their value, null clears; metadata is replaced as a whole. */
export interface OffchainDataChangesInput {
  readonly description?: string | null | undefined
  readonly simpleCustomMetadata?: Readonly<Record<string, unknown>> | null | undefined
  readonly complexCustomMetadata?: Readonly<Record<string, unknown>> | null | undefined
  readonly logo?: LogoInput | null | undefined
}

/** Interface 4.2, completion 7. For an authority, null gives it up. */
export interface InstrumentChangesInput {
  readonly mintAccount: AccountLookup
  readonly mintAccountOffchainReferences?: ReferenceChangesInput | null | undefined
  readonly updateAuthority?: AccountLookup | undefined
  readonly freezeAuthority?: AccountLookup | undefined
  readonly onchainData?: OnchainDataChangesInput | undefined
  readonly offchainData?: OffchainDataChangesInput | undefined
  readonly defaultPositionState?: 'INITIALIZED' | 'FROZEN' | undefined
  readonly paused?: boolean | undefined
  /** null: no limit. */
  readonly maxSupply?: string | null | undefined
  readonly newClosingAuthority?: AccountLookup | null | undefined
  readonly currentClosingAuthority?: AccountLookup | undefined
  readonly newPausableAuthority?: AccountLookup | null | undefined
  readonly currentPausableAuthority?: AccountLookup | undefined
  readonly scaledUiAmountMultiplier?: string | undefined
  readonly newScaledUiAmountAuthority?: AccountLookup | null | undefined
  readonly currentScaledUiAmountAuthority?: AccountLookup | undefined
  readonly transferHookProgram?: AccountLookup | null | undefined
  readonly newTransferHookAuthority?: AccountLookup | null | undefined
  readonly currentTransferHookAuthority?: AccountLookup | undefined
}

/** Completion 15. For an authority, null gives it up for ever. */
export interface AuthorityChangesInput {
  readonly financialInstrument: AccountLookup
  readonly authorities: Readonly<Partial<Record<AuthorityMember, AccountLookup | null | undefined>>>
  /** Required for null. */
  readonly confirm?: boolean | undefined
}

export type AuthorityMember =
  | 'mint'
  | 'freeze'
  | 'update'
  | 'permanentDelegate'
  | 'closing'
  | 'pausable'
  | 'scaledUiAmount'
  | 'transferHook'
  | 'confidentialTransfer'
  | 'metadataPointer'

/** Completion 7: pause or unpause. */
export interface SwitchInstrumentInput {
  readonly financialInstrument: AccountLookup
  readonly pausableAuthority?: AccountLookup | undefined
}

export interface CloseInstrumentInput {
  readonly financialInstrumentToClose: AccountLookup
  readonly refundDestination?: AccountLookup | undefined
  readonly closeAuthority?: AccountLookup | undefined
}

export interface CirculatingSupplyInput {
  readonly financialInstrument: AccountLookup
}

/** Names of extensions as spelled in the interface. */
export type ExtensionName =
  | 'MINT_CLOSE'
  | 'CONFIDENTIAL_TRANSFER'
  | 'DEFAULT_ACCOUNT_STATE'
  | 'PERMANENT_DELEGATE'
  | 'TRANSFER_HOOK'
  | 'METADATA_POINTER'
  | 'TOKEN_METADATA'
  | 'CONFIDENTIAL_MINT_BURN'
  | 'SCALED_UI_AMOUNT'
  | 'PAUSABLE'

export interface MetadataInput {
  readonly name?: string | undefined
  readonly symbol?: string | undefined
  readonly uri?: string | undefined
  /** Alias of `simpleCustomMetadata`. */
  readonly additionalMetadata?: Readonly<Record<string, string>> | undefined
  readonly simpleCustomMetadata?: Readonly<Record<string, string>> | undefined
}

/** Interface 4.2: a body without `itemData`. */
export interface CalculatorInput {
  readonly extensions?: readonly ExtensionName[] | undefined
  readonly metadata?: MetadataInput | undefined
}
