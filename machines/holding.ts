// The part every record with an address on chain has in common: who it belongs to, what may be done with it, and its books.
import type { Asset, Movement, Raw, Touch } from './protocol.ts'

export type AccountType =
  | 'WALLET' | 'ASSETS_WALLET' | 'CURRENCIES_WALLET' | 'DEFI_SETTLEMENT_WALLET'
  | 'FUNDS_TOKEN_ACCOUNT' | 'ASSET_TOKEN_ACCOUNT' | 'FUNDS_TOKEN' | 'ASSET_TOKEN'
  | 'ADDRESS_LOOKUP_TABLE' | 'NONCE' | 'TOKEN_MANAGEMENT_AUTHORITY'

export interface References {
  readonly type: AccountType
  readonly organizationExternalId: string
  readonly code: string | null
  readonly alId: string | null
  readonly accountNumber: string | null
  readonly name: string | null
}

export interface DebitAllowance {
  readonly limitType: 'PER_TRANSACTION' | 'DURATION'
  /** Display units of the network currency or token, as a decimal string; null is unlimited. */
  readonly limitAmount: string | null
  readonly duration: { readonly code: 'MINUTES' | 'HOURS' | 'DAYS' | 'WEEKS'; readonly unit: number } | null
  readonly approversForOverride: readonly string[]
  readonly requiredApproversCount: number
}

export interface DebitLimit {
  readonly operationType: 'ANY' | 'TRANSFER' | 'BURN'
  readonly destination: 'ANY' | 'OFF_PLATFORM' | 'NON_MANAGED' | 'MANAGED' | 'FEES' | 'PRIORITY_FEES' | 'RENT'
  /** Of fees: the organization they are paid for; absent: every organization, each by itself. */
  readonly organizationExternalId?: string
  /** Whose mints the entry is about; null: all mints. */
  readonly mintAuthority: AccountRef | null
  /** null: unlimited. */
  readonly maxAllowedDebit: DebitAllowance | null
}

/** Balance at `confirmed`, and what open transactions may still take of it. */
export interface Book {
  readonly balance: Raw
  readonly reserved: Raw
}

/** A pointer to an account: always its address, and the record when it is onboarded. */
export interface AccountRef {
  readonly address: string
  readonly id: string | null
}

export interface Holding {
  readonly address: string
  /** External id of the owning organization (`tenantOrganizationId`). */
  readonly organization: string
  readonly managed: boolean
  /** `imported` and `exported` keys have been outside; such an account counts as NON_MANAGED where limits are concerned. */
  readonly keyOrigin: 'none' | 'service' | 'imported' | 'exported'
  readonly keyLocation: readonly ('DATABASE' | 'SECRETS' | 'DKG')[]
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
  /**
   * A key with the role `ACCOUNT_POLICY_WRITE` made the account, or set all the debit limits that it lists. Absent, as in every row that is
   * older than the member: it is not known, and counts as no.
   */
  readonly setByPolicyKey?: boolean
  /** The freeze switch of an administrator: nothing frozen is signed with. Not the frozen state of a token account. */
  readonly frozenByOperator: boolean
  readonly dataLength: number
  /** Base58 of the program that owns the account on chain. */
  readonly ownerProgram: string
  readonly lamports: Book
  /** Who paid the rent, when that was another organization's fee payer. */
  readonly rentPayer: { readonly organization: string; readonly address: string } | null
  /**
   * Lamports that one account paid for this one to exist and to grow, which go back there when it is closed. Absent: none, or, in rows that are
   * older than the member, not known, which counts as none.
   */
  readonly rentPaid?: { readonly by: string; readonly lamports: Raw }
  /** Null id: created by a transaction of another tenant. Never shown. */
  readonly creation: Touch | null
  /** Null id: countersigned for another tenant. */
  readonly last: Touch | null
  /**
   * Signature of the newest transaction of another tenant that moved the balances. Never shown; it is kept because a comparison with the
   * chain needs to know whether its fork still exists.
   */
  readonly lastOfOthers?: string
  /** ISO 8601, when the record was made; absent in records of earlier releases. */
  readonly madeAt?: string
}

/** Members of a holding that an update may change; absent members keep their value. */
export type HoldingChanges = Partial<Pick<Holding,
  | 'references' | 'comments' | 'domain' | 'canPayFees' | 'globalFeePayerForOrgs' | 'orgsAllowedToSignWithPrivateKey' | 'solDebitApiKeys'
  | 'tokenDebitApiKeys' | 'networkCurrencyDebitLimits' | 'tokenDebitLimits'
  | 'setByPolicyKey' | 'subscribeToNetworkEvents' | 'keyOrigin' | 'shared'>>

/** Events every holding answers, whatever its kind. */
export type HoldingEvent =
  /** `covered`: refuse with INSUFFICIENT_BALANCE when less than `amount` is available; otherwise only count it. */
  | { readonly type: 'command.reserve'; readonly asset: Asset; readonly amount: Raw; readonly covered: boolean }
  | { readonly type: 'command.update'; readonly changes: HoldingChanges }
  | { readonly type: 'command.freeze' }
  | { readonly type: 'command.unfreeze' }
  /** Retire the record offchain (inactivate). Refused while anything is reserved or a balance is left. */
  | { readonly type: 'command.inactivate' }
  /** A transaction of ours landed (well or, with only its fee, badly). */
  /** `ofOthers` instead of `touch`: signature of another tenant's transaction; the record's own last transaction stays what it was. */
  | { readonly type: 'chain.settled'; readonly touch?: Touch; readonly ofOthers?: string; readonly movements: readonly Movement[] }
  /** The fork it landed on died: the exact reverse of `chain.settled`. */
  | { readonly type: 'chain.undone'; readonly movements: readonly Movement[] }
  /** It provably did not land, or failed finally: only `released` of each movement counts. */
  | { readonly type: 'chain.released'; readonly movements: readonly Movement[] }
  /** Balance read from the chain while nothing of ours is open. */
  | ({ readonly type: 'chain.observed'; readonly lamports?: Raw; readonly tokens?: Raw; readonly supply?: Raw; readonly touch?: Touch }
    & Partial<Pick<Holding, 'ownerProgram' | 'dataLength'>>)
  /** Rent that was paid for it; less than 0 when the fork died on which it was. Of several payers the first counts. */
  | { readonly type: 'chain.rentPaid'; readonly by: string; readonly lamports: Raw }
  /** The account now exists on chain (pending -> active). A touch without an id: by a transaction of another tenant. */
  | { readonly type: 'chain.created'; readonly touch: Touch }
  /** The fork that created it died (active -> pending). `by` (transaction id): only if the creation that counts is its own. */
  | { readonly type: 'chain.uncreated'; readonly by?: string }
  /** Its creation provably never happened (pending -> closed); its address and references are free. Nothing, if another created it. */
  | { readonly type: 'chain.abandoned' }
  /** The account is gone from the chain (-> closed). Without `touch`: by somebody else's doing. */
  | { readonly type: 'chain.closed'; readonly touch?: Touch }
  /** The fork that closed it died (closed -> what it was, which is the event's to say). */
  | { readonly type: 'chain.reopened'; readonly as: string }
