// Answers of the interface as tests read them: only the members that tests use, and no types of the service itself.

/** Display and raw amount. */
export interface Pair {
  readonly amount: number | string
  readonly lamports: number | string
}

export interface Ids {
  readonly onchainId: string
  readonly offchainId: string
}

export interface Balance {
  readonly onchain: Pair
  readonly offchain: Pair
  readonly reserved: Pair
  readonly available: Pair
  readonly outOfBalance: boolean
}

/** Interface 2.10. */
export interface Result {
  readonly success: boolean
  readonly offchainId: string
  readonly status: string
  readonly onchainId: string | null
  readonly confirmationsCount: number
  readonly serializedMessage: string
  readonly errorMessage?: string
  readonly txnTimestamp: string
}

export interface WithTransaction {
  readonly chainTransaction?: Result
}

export interface NewAccount extends WithTransaction {
  readonly newAccount: Ids
}

export interface NewInstrument extends WithTransaction {
  readonly newFinancialInstrument: Ids & { readonly alId?: string }
}

export interface NewPosition extends WithTransaction {
  readonly newPosition: Ids
}

/** Interface 2.6. */
export interface Account {
  readonly onchain: {
    readonly id: string
    readonly lastTransactionId: string | null
    readonly lastTransactionAt: string | null
    readonly creationTransactionId: string | null
    readonly creationTransactionAt: string | null
  }
  readonly offchain: {
    readonly id: string
    readonly type: string
    readonly code: string | null
    readonly alId: string | null
    readonly organizationExternalId: string
    readonly accountNumber: string | null
    readonly name: string | null
    readonly lamportsBalance: number | string
    readonly tokenBalance: number | string | null
    readonly tokenDecimals: number | null
    readonly lastTransactionId: string | null
    readonly creationTransactionId: string | null
  }
  readonly managed: boolean
  readonly status: 'ACTIVE' | 'CLOSED'
  readonly privateKeyLocation: readonly string[]
  readonly isDerived: boolean
  readonly wasOnchainAlready: boolean
  readonly canPayFees: boolean
  readonly networkCurrencyDebitLimits: readonly object[]
  readonly sharedAcrossTenants: boolean
  readonly comments: string | null
  readonly domain: string | null
  readonly tenantOrganizationId: string
  readonly globalFeePayerForOrgs: readonly string[]
}

export interface Position extends Account {
  readonly owner: Account
  readonly closeAuthority: Account | null
  readonly delegate: Account | null
  readonly financialInstrument: Account
  readonly state: 'INITIALIZED' | 'FROZEN' | 'CLOSED'
  readonly balance: Pair
  readonly reserved: Pair
  readonly available: Pair
}

export interface Instrument {
  readonly mintAccount: Account
  readonly version: 'SPL' | 'TOKEN_2022'
  readonly mintAuthority: Account | null
  readonly updateAuthority: Account | null
  readonly freezeAuthority: Account | null
  readonly permanentDelegateAuthority: Account | null
  readonly closingAuthority: Account | null
  readonly pausableAuthority: Account | null
  readonly scaledUiAmountAuthority: Account | null
  readonly transferHookProgram: Account | null
  readonly transferHookAuthority: Account | null
  readonly confidentialTransferAuthority: Account | null
  readonly confidentialMintBurnAuthority: Account | null
  readonly metadataPointerAuthority: Account | null
  readonly onchainData: {
    readonly name: string | null
    readonly symbol: string | null
    readonly uri: string | null
    readonly simpleCustomMetadata: Readonly<Record<string, string>> | null
    readonly decimals: number
  }
  readonly offchainData: object | null
  readonly defaultPositionState: string | null
  readonly paused: boolean | null
  readonly scaledUiAmountMultiplier: number | null
  readonly supply: Pair
  readonly maxSupply: Pair | null
  readonly extensions: readonly string[]
  readonly status: string
}

export interface TransactionRecord extends Result {
  readonly fee: number | string
  readonly feePayer: Ids
  readonly accounts: readonly { readonly onchainId: string; readonly offchainId: string | null }[]
  readonly messageLifetimeStrategy: string
  readonly recentBlockhash: string
  readonly lastValidBlockHeight: number
  readonly nonceAccount: Ids | null
  readonly transactionVersion: string
  readonly computeUnitsConsumed: number | null
  readonly computeUnitsLimit: number
  readonly computeUnitPrice: number | string | null
  readonly instructions: readonly { readonly type: string; readonly programId: string }[]
  readonly endpoint: string
  readonly blockTime: string | null
  readonly slot: number | null
  readonly preparedAt: string
  readonly tenantOrganizationId: string
  readonly history: readonly { readonly status: string; readonly at: string; readonly detail: string | null }[]
}

export interface DryRun {
  readonly dryRun: {
    readonly transactionsCount?: number
    readonly feeLamports: number | string
    readonly sizeBytes: number
    readonly accounts: readonly string[]
    readonly signers: readonly object[]
    readonly limits: readonly object[]
    readonly simulation: {
      readonly error: string | null
      readonly computeUnits: number
      readonly logs: readonly string[]
    }
  }
}

export interface Problem {
  readonly code: string
  readonly message: string
  readonly pointer?: string
  readonly retryable: boolean
}

export interface Problems {
  readonly status: number
  readonly requestId: string
  readonly errors?: readonly Problem[]
}
