// Common part of all records with an address on chain: ownership, rights, limits and balances.
import type { Asset, Movement, Raw, Touch } from './protocol.ts'

export type AccountType =
  | 'WALLET'
  | 'ASSETS_WALLET'
  | 'CURRENCIES_WALLET'
  | 'DEFI_SETTLEMENT_WALLET'
  | 'FUNDS_TOKEN_ACCOUNT'
  | 'ASSET_TOKEN_ACCOUNT'
  | 'FUNDS_TOKEN'
  | 'ASSET_TOKEN'
  | 'ADDRESS_LOOKUP_TABLE'
  | 'NONCE'
  | 'TOKEN_MANAGEMENT_AUTHORITY'

export interface References {
  readonly type: AccountType
  readonly organizationExternalId: string
  readonly code: string | null
  readonly alId: string | null
  readonly accountNumber: string | null
  readonly name: string | null
}

/** OPEN: every address that is not blocked. ALLOW_LIST: own managed accounts and allowed counterparties only. */
export type DestinationPolicy = 'OPEN' | 'ALLOW_LIST'

export interface DebitAllowance {
  readonly limitType: 'PER_TRANSACTION' | 'DURATION'
  /** Display units of the network currency or token, as a decimal string; null: unlimited. */
  readonly limitAmount: string | null
  readonly duration: { readonly code: 'MINUTES' | 'HOURS' | 'DAYS' | 'WEEKS'; readonly unit: number } | null
  readonly approversForOverride: readonly string[]
  readonly requiredApproversCount: number
}

export interface DebitLimit {
  readonly operationType: 'ANY' | 'TRANSFER' | 'BURN'
  readonly destination: 'ANY' | 'OFF_PLATFORM' | 'NON_MANAGED' | 'MANAGED' | 'FEES' | 'PRIORITY_FEES' | 'RENT'
  /** For fees: the organization they are paid for; absent: each organization separately. */
  readonly organizationExternalId?: string
  /** Authority of the mints the entry applies to; null: all mints. */
  readonly mintAuthority: AccountRef | null
  /** null: unlimited. */
  readonly maxAllowedDebit: DebitAllowance | null
}

/** Balance at `confirmed`, and the reservations of open transactions. */
export interface Book {
  readonly balance: Raw
  readonly reserved: Raw
}

/** Reference to an account: its address, and the record id if it is onboarded. */
export interface AccountRef {
  readonly address: string
  readonly id: string | null
}

export interface Holding {
  readonly address: string
  /** External id of the owning organization (`tenantOrganizationId`). */
  readonly organization: string
  readonly managed: boolean
  /** `imported` and `exported` keys have been outside the service; limits treat such an account as NON_MANAGED. */
  readonly keyOrigin: 'none' | 'service' | 'imported' | 'exported'
  readonly keyLocation: readonly ('DATABASE' | 'SECRETS' | 'DKG' | 'REMOTE')[]
  readonly references: References
  readonly comments: string | null
  readonly domain: string | null
  readonly isDerived: boolean
  readonly isGenesis: boolean
  readonly subscribeToNetworkEvents: boolean
  readonly shared: boolean
  readonly wasOnchainAlready: boolean
  readonly canPayFees: boolean
  readonly globalFeePayerForOrgs: readonly string[] | null
  readonly orgsAllowedToSignWithPrivateKey: readonly string[] | null
  readonly solDebitApiKeys: readonly string[] | null
  readonly tokenDebitApiKeys: readonly string[] | null
  readonly networkCurrencyDebitLimits: readonly DebitLimit[] | null
  readonly tokenDebitLimits: readonly DebitLimit[] | null
  /** Which addresses the account may pay, unless its organization is stricter. Absent: OPEN. */
  readonly destinationPolicy?: DestinationPolicy
  /**
   * True if a key with the role `ACCOUNT_POLICY_WRITE` created the account, or set all its debit limits. Absent in rows
   * older than this member: unknown, treated as false.
   */
  readonly setByPolicyKey?: boolean
  /**
   * Frozen by an administrator: the service does not sign with a frozen key. Unrelated to the frozen state of a token
   * account.
   */
  readonly frozenByOperator: boolean
  readonly dataLength: number
  /** Base58 address of the program that owns the account on chain. */
  readonly ownerProgram: string
  readonly lamports: Book
  /** The payer of the rent, if it was another organization's fee payer. */
  readonly rentPayer: { readonly organization: string; readonly address: string } | null
  /**
   * Lamports that one account paid for the creation and growth of this one; closing the account returns them to it.
   * Absent: none, or, in rows older than this member, unknown, treated as none.
   */
  readonly rentPaid?: { readonly by: string; readonly lamports: Raw }
  /** Null id: created by a transaction of another tenant. Never shown. */
  readonly creation: Touch | null
  /** Null id: countersigned for another tenant. */
  readonly last: Touch | null
  /**
   * Signature of the newest transaction of another tenant that moved the balances. Never shown; reconciliation needs it
   * to check whether its fork still exists.
   */
  readonly lastOfOthers?: string
  /** ISO 8601 time of the record's creation; absent in records of earlier releases. */
  readonly madeAt?: string
}

/** Members that an update may change; absent members keep their value. */
export type HoldingChanges = Partial<
  Pick<
    Holding,
    | 'references'
    | 'comments'
    | 'domain'
    | 'canPayFees'
    | 'globalFeePayerForOrgs'
    | 'orgsAllowedToSignWithPrivateKey'
    | 'solDebitApiKeys'
    | 'tokenDebitApiKeys'
    | 'networkCurrencyDebitLimits'
    | 'tokenDebitLimits'
    | 'setByPolicyKey'
    | 'subscribeToNetworkEvents'
    | 'keyOrigin'
    | 'shared'
    | 'destinationPolicy'
  >
>

/** Events common to all kinds of holdings. */
export type HoldingEvent =
  /** `covered`: reject with INSUFFICIENT_BALANCE when less than `amount` is available; otherwise reserve regardless. */
  | { readonly type: 'command.reserve'; readonly asset: Asset; readonly amount: Raw; readonly covered: boolean }
  | { readonly type: 'command.update'; readonly changes: HoldingChanges }
  | { readonly type: 'command.freeze' }
  | { readonly type: 'command.unfreeze' }
  /**
   * Retires the record offchain (inactivate). Rejected while a reservation or, for a managed account, a balance
   * remains.
   */
  | { readonly type: 'command.inactivate' }
  /**
   * A transaction of this service landed (on failure, only its fee moves). `ofOthers` instead of `touch`: signature of
   * another tenant's transaction; `last` stays unchanged.
   */
  | {
      readonly type: 'chain.settled'
      readonly touch?: Touch
      readonly ofOthers?: string
      readonly movements: readonly Movement[]
    }
  /** The fork it landed on was dropped: exact reverse of `chain.settled`. */
  | { readonly type: 'chain.undone'; readonly movements: readonly Movement[] }
  /** The transaction provably did not land, or failed finally: only `released` of each movement applies. */
  | { readonly type: 'chain.released'; readonly movements: readonly Movement[] }
  /** Balances read from the chain, less the effects of open transactions that the record does not count yet. */
  | ({
      readonly type: 'chain.observed'
      readonly lamports?: Raw
      readonly tokens?: Raw
      readonly supply?: Raw
      readonly touch?: Touch
    } & Partial<Pick<Holding, 'ownerProgram' | 'dataLength'>>)
  /**
   * Rent was paid for the account; negative when the fork of the payment was dropped. With several payers, the first
   * one counts. `creating` (transaction id): the rent of its creation, which is paid once, also when several
   * transactions would create it; absent: of its growth, or recorded by an earlier release.
   */
  | { readonly type: 'chain.rentPaid'; readonly by: string; readonly lamports: Raw; readonly creating?: string }
  /**
   * The account exists on chain (pending -> active). A touch without an id: created by a transaction of another tenant.
   */
  | { readonly type: 'chain.created'; readonly touch: Touch }
  /**
   * The fork that created it was dropped (active -> pending). `by` (transaction id): only if the creation on record is
   * by this transaction.
   */
  | { readonly type: 'chain.uncreated'; readonly by?: string }
  /**
   * The creation provably never happened (pending -> closed); address and references are free. No effect if another
   * transaction created it. `needed`: something belongs to a wallet, which is used without it (pending -> active).
   */
  | { readonly type: 'chain.abandoned'; readonly needed?: true }
  /** The account no longer exists on chain (-> closed). Without `touch`: closed by someone else. */
  | { readonly type: 'chain.closed'; readonly touch?: Touch }
  /** The fork that closed it was dropped (closed -> the state named in `as`). */
  | { readonly type: 'chain.reopened'; readonly as: string }
