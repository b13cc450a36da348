// Inputs of operations: request bodies after validation, with aliases normalised to one spelling. Amounts are decimal
// text as sent (display units); lamports are raw integers as decimal text.
import type { AccountType, DebitLimit, DestinationPolicy } from '../../machines/holding.ts'
import type { DestinationRulesInput } from './destination-input.ts'

export interface OffchainReferencesInput {
  readonly alId?: string | undefined
  readonly organizationExternalId?: string | undefined
  readonly accountNumber?: string | undefined
  readonly code?: string | undefined
  readonly type?: AccountType | undefined
  readonly name?: string | undefined
}

/** Interface 2.2. */
export interface AccountLookup {
  readonly onchainId?: string | undefined
  readonly offchainId?: string | undefined
  readonly offchainReferences?: OffchainReferencesInput | undefined
  /** false: do not sign with this account's key now. */
  readonly autoSign?: boolean | undefined
  readonly otherTenantOrganizationExternalId?: string | undefined
  readonly offPlatform?: boolean | undefined
}

/** Interface 2.4. */
export interface PositionLookup {
  readonly position?: AccountLookup | undefined
  readonly owner?: AccountLookup | undefined
  readonly financialInstrument?: AccountLookup | undefined
  readonly mintAuthority?: AccountLookup | undefined
  readonly freezeAuthority?: AccountLookup | undefined
}

export interface PrivateKeyDetailsInput {
  readonly location?: readonly ('DATABASE' | 'SECRETS' | 'DKG' | 'REMOTE')[] | undefined
  /** Code of the custodian of a key of location REMOTE. */
  readonly signer?: string | undefined
  readonly publickKey?: string | undefined
  readonly privateKey?: string | undefined
  readonly dkgKeys?:
    | readonly {
        readonly keyUsage?: string | undefined
        readonly useBackendPlayersCodes?: readonly string[] | undefined
        readonly isDefault?: boolean | undefined
        readonly session?: { readonly threshold?: number | undefined } | undefined
      }[]
    | undefined
}

/** A debit limit entry as sent; the operation resolves its lookups. */
export type DebitLimitInput = Omit<DebitLimit, 'mintAuthority'> & { readonly mintAuthority?: AccountLookup | undefined }

/** Interface 2.5. */
export interface NewAccountInput {
  readonly managed?: boolean | undefined
  readonly alreadyOnchain?: boolean | undefined
  readonly onchainId?: string | undefined
  readonly offchainReferences?: OffchainReferencesInput | undefined
  readonly privateKeyDetails?: PrivateKeyDetailsInput | undefined
  readonly solDebitApiKeys?: readonly string[] | undefined
  readonly tokenDebitApiKeys?: readonly string[] | undefined
  readonly networkCurrencyDebitLimits?: readonly DebitLimitInput[] | null | undefined
  readonly tokenDebitLimits?: readonly DebitLimitInput[] | null | undefined
  readonly destinationPolicy?: DestinationPolicy | undefined
  readonly dataLength?: number | undefined
  readonly seedAmount?: string | undefined
  readonly seedLamports?: string | undefined
  readonly subscribeToNetworkEvents?: boolean | undefined
  readonly canPayFees?: boolean | undefined
  readonly globalFeePayerForOrgs?: readonly string[] | undefined
  readonly orgsAllowedToSignWithPrivateKey?: readonly string[] | undefined
  readonly shareAcrossTenants?: boolean | undefined
  readonly tokenVersion?: 'SPL' | 'TOKEN_2022' | undefined
  readonly comments?: string | undefined
  readonly isDerived?: boolean | undefined
  readonly isGenesis?: boolean | undefined
  readonly domain?: string | undefined
  readonly skipBlockchainExistenceVerification?: boolean | undefined
}

/** Completion 6: absent members keep their value, null clears. */
export interface AccountChangesInput {
  readonly account: AccountLookup
  readonly offchainReferences?: ReferenceChangesInput | null | undefined
  readonly comments?: string | null | undefined
  readonly domain?: string | null | undefined
  readonly canPayFees?: boolean | null | undefined
  readonly globalFeePayerForOrgs?: readonly string[] | null | undefined
  readonly orgsAllowedToSignWithPrivateKey?: readonly string[] | null | undefined
  readonly solDebitApiKeys?: readonly string[] | null | undefined
  readonly tokenDebitApiKeys?: readonly string[] | null | undefined
  readonly networkCurrencyDebitLimits?: readonly DebitLimitInput[] | null | undefined
  readonly tokenDebitLimits?: readonly DebitLimitInput[] | null | undefined
  readonly destinationPolicy?: DestinationPolicy | null | undefined
  readonly subscribeToNetworkEvents?: boolean | null | undefined
}

export interface ReferenceChangesInput {
  readonly alId?: string | null | undefined
  readonly organizationExternalId?: string | undefined
  readonly accountNumber?: string | null | undefined
  readonly code?: string | null | undefined
  readonly type?: AccountType | undefined
  readonly name?: string | null | undefined
}

export interface InactivateAccountInput {
  readonly account: AccountLookup
  readonly refundDestination?: AccountLookup | undefined
}

export type PriorityLevel = 'MIN' | 'LOW' | 'MEDIUM' | 'RECOMMENDED' | 'HIGH' | 'VERY_HIGH'

/** Interface 2.13. */
export interface ChainTransactionConfig {
  readonly feePayer?: AccountLookup | undefined
  readonly computeUnitConfig?:
    | {
        readonly enable?: boolean | undefined
        readonly limit?: number | undefined
        /** Micro-lamports per compute unit. */
        readonly price?: number | undefined
        readonly priceEstimate?:
          | {
              readonly provider?: 'NETWORK' | undefined
              readonly calculationStrategy?: 'DEFAULT' | undefined
              readonly priorityLevel?: PriorityLevel | undefined
            }
          | undefined
      }
    | undefined
  readonly commitmentConfig?:
    { readonly commitmentLevel?: 'processed' | 'confirmed' | 'finalized' | undefined } | undefined
  readonly messageLifetimeStrategy?: 'RECENT_BLOCKHASH' | 'DURABLE_NONCE' | undefined
  readonly transactionVersion?: 'V0' | 'LEGACY' | undefined
}

/** Body of an endpoint that may create a transaction. `tenancyConfig` is already applied to the call. */
export interface TransactionBody<Item> {
  readonly itemData: Item
  readonly chainTransactionConfig?: ChainTransactionConfig | undefined
}

/** Body of an endpoint that creates no transaction. */
export interface ItemBody<Item> {
  readonly itemData: Item
}

/** Completion 8. */
export interface NewPositionInput {
  readonly position?: NewAccountInput | undefined
  readonly owner: AccountLookup
  readonly financialInstrument: AccountLookup
  readonly tokenDebitLimits?: readonly DebitLimitInput[] | null | undefined
}

/** Completion 8: absent members keep their value, null clears. */
export interface PositionChangesInput {
  readonly position: PositionLookup
  readonly offchainReferences?: ReferenceChangesInput | null | undefined
  readonly comments?: string | null | undefined
  readonly tokenDebitApiKeys?: readonly string[] | null | undefined
  readonly tokenDebitLimits?: readonly DebitLimitInput[] | null | undefined
}

/** Freeze or unfreeze. */
export interface SwitchPositionInput {
  readonly position: PositionLookup
  readonly freezeAuthority?: AccountLookup | undefined
}

export interface MintInput {
  readonly destination: PositionLookup
  readonly amount?: string | undefined
  readonly lamports?: string | undefined
  readonly mintAuthority?: AccountLookup | undefined
  readonly initializeDestinationPositionIfNeeded?: boolean | undefined
  readonly unfreezeDestination?: boolean | undefined
  readonly freezeDestination?: boolean | undefined
  readonly memo?: string | undefined
}

export interface BurnInput {
  readonly source: PositionLookup
  readonly amount?: string | undefined
  readonly lamports?: string | undefined
  readonly burnEntireBalance?: boolean | undefined
  readonly unfreezeSource?: boolean | undefined
  readonly freezeSource?: boolean | undefined
  readonly permanentDelegate?: boolean | undefined
  readonly memo?: string | undefined
}

export interface TransferInput {
  readonly source: PositionLookup
  readonly destination: PositionLookup
  readonly amount?: string | undefined
  readonly lamports?: string | undefined
  readonly transferEntireBalance?: boolean | undefined
  readonly permanentDelegate?: boolean | undefined
  readonly memo?: string | undefined
  readonly unfreezeSource?: boolean | undefined
  readonly freezeSource?: boolean | undefined
  readonly unfreezeDestination?: boolean | undefined
  readonly freezeDestination?: boolean | undefined
  readonly offchainBalanceAvailabilityPrecheck?: boolean | undefined
  readonly initializeDestinationPositionIfNeeded?: boolean | undefined
}

export interface ClosePositionInput {
  readonly position: PositionLookup
  readonly refundSolToFeePayer?: boolean | undefined
  readonly refundSolDestination?: AccountLookup | undefined
  readonly burnRemainingTokenBalance?: boolean | undefined
  readonly transferRemainingTokenBalanceTo?: PositionLookup | undefined
  readonly initializeDestinationPositionIfNeeded?: boolean | undefined
  readonly unfreezeIfNeeded?: boolean | undefined
  readonly freezeAuthority?: AccountLookup | undefined
}

export interface TransferNetworkCurrencyInput {
  readonly source: AccountLookup
  readonly destination: AccountLookup
  readonly amount?: string | undefined
  readonly lamports?: string | undefined
  readonly transferEntireBalance?: boolean | undefined
  readonly memo?: string | undefined
  readonly offchainBalanceAvailabilityPrecheck?: boolean | undefined
}

/** A side of a leg: a position lookup, or the account lookup of the payer or recipient. */
export type TradeSideInput = PositionLookup & AccountLookup

export interface TradeLegInput {
  readonly source: TradeSideInput
  readonly destination: TradeSideInput
  readonly amount?: string | undefined
  readonly lamports?: string | undefined
  readonly initializeDestinationPositionIfNeeded?: boolean | undefined
}

export interface TradeInput {
  readonly legs: readonly TradeLegInput[]
  readonly memo?: string | undefined
}

export interface TransactionReference {
  readonly offchainId?: string | undefined
  readonly onchainId?: string | undefined
}

export interface NewOrganizationInput {
  readonly externalId: string
  readonly name: string
  readonly parentExternalId?: string | undefined
}

export interface OrganizationChangesInput extends DestinationRulesInput {
  readonly externalId: string
  readonly name?: string | undefined
  readonly allowedPrograms?: readonly string[] | undefined
  readonly acceptedFeePayers?: readonly string[] | undefined
  readonly acceptsSigningRequests?: boolean | undefined
}

export interface NewApiKeyInput {
  readonly organizationExternalId: string
  readonly name: string
  readonly roles?: readonly string[] | undefined
  readonly bundle?: 'OPERATOR' | 'VIEWER' | 'ADMIN' | undefined
  /** ISO 8601. */
  readonly expiresAt?: string | undefined
  readonly clusters?: readonly string[] | undefined
}

export interface RotateApiKeyInput {
  readonly keyId: string
  readonly graceSeconds?: number | undefined
}

export interface DisableApiKeyInput {
  readonly keyId: string
}

/** Completion 4. */
export interface SignTransactionInput {
  readonly transaction?: { readonly offchainId: string } | undefined
  /** Base64 of a transaction built elsewhere. */
  readonly serializedTransaction?: string | undefined
  /** Accounts whose managed keys sign now; absent: all managed signers, once no outside signature is missing. */
  readonly signers?: readonly AccountLookup[] | undefined
  readonly signatures?: readonly { readonly onchainId: string; readonly signature: string }[] | undefined
  readonly returnSerialized?: boolean | undefined
}

export interface SubmitTransactionInput {
  readonly transaction?: { readonly offchainId: string } | undefined
  readonly serializedTransaction?: string | undefined
}

export interface ApproveTransactionInput {
  readonly offchainId: string
}

export interface CancelTransactionInput {
  readonly offchainId: string
}

export interface AttestTransactionInput {
  readonly offchainId: string
  readonly outcome: 'FINALIZED' | 'BLOCKCHAIN_ERROR' | 'EXPIRED'
  /** Free text that justifies the attested outcome. */
  readonly evidence: string
}

/** Interface 4.7, completion 10. */
export interface NewLookupTableInput {
  readonly addressLookupTable?: NewAccountInput | undefined
  readonly authority?: AccountLookup | undefined
  readonly componentAddresses?: readonly AccountLookup[] | undefined
}

export interface ExtendLookupTableInput {
  readonly addressLookupTable: AccountLookup
  readonly componentAddresses: readonly AccountLookup[]
}

export interface UpdateLookupTableInput {
  readonly addressLookupTable: AccountLookup
  readonly offchainReferences?: ReferenceChangesInput | null | undefined
  readonly comments?: string | null | undefined
  readonly action?: 'FREEZE' | 'DEACTIVATE' | 'CLOSE' | undefined
}
