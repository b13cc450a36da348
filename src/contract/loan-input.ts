// Validated request bodies of the loan endpoints (interface 4.5, completion 9).
import type { Duration } from '../../machines/interest.ts'
import type { AccountLookup, NewAccountInput, PositionLookup } from './input.ts'

export interface CollateralInput {
  readonly financialInstrument: AccountLookup
  readonly apy: number
  readonly loanToValueRatio: number
  readonly liquidationRatio: number
  readonly maxPriceAgeSeconds: number
  readonly onchainDataSource?: AccountLookup | undefined
}

export interface BorrowerInput {
  readonly organizationExternalId: string
  /** Display units of the principal. */
  readonly cap?: string | null | undefined
}

export interface StrategyTermsInput {
  readonly onchainDataSource?: AccountLookup | undefined
  readonly collateral?: readonly CollateralInput[] | undefined
  readonly duration?: Duration | undefined
  readonly borrowers?: readonly (string | BorrowerInput)[] | null | undefined
  readonly exemptFromDebitLimits?: boolean | undefined
  readonly originationsEnabled?: boolean | undefined
  /** Display units. */
  readonly originationCap?: string | null | undefined
  readonly liquidityBuffer?: number | null | undefined
}

export interface NewStrategyInput extends StrategyTermsInput {
  /** Absent: the built-in protocol. */
  readonly defiProtocol?: string | undefined
  readonly strategyAccount: AccountLookup
  readonly financialInstrument: AccountLookup
  readonly collateral: readonly CollateralInput[]
  readonly duration: Duration
}

export interface StrategyChangesInput extends StrategyTermsInput {
  readonly strategy: { readonly offchainId: string }
}

export interface StrategyReference {
  readonly strategy: { readonly offchainId: string }
}

interface Amounts {
  readonly amount?: string | undefined
  readonly lamports?: string | undefined
}

export interface BorrowInput extends Amounts {
  readonly positionLookup: PositionLookup
  readonly transferTo?: PositionLookup | undefined
}

/** Assets that go into escrow, or that repay a debt. */
export interface SupplyInput extends Amounts {
  readonly positionLookup: PositionLookup
  readonly transferFrom?: PositionLookup | undefined
  readonly mintAsset?: boolean | undefined
}

export interface RepayInput extends SupplyInput {
  readonly repayAll?: boolean | undefined
}

export interface LendingDetailsInput {
  readonly loanStrategyAddress: string
  readonly expectedLoanValues?:
    { readonly expectedApy?: number | undefined; readonly expectedLqt?: readonly number[] | undefined } | undefined
}

export interface NewLoanInput {
  readonly defiProtocol: string
  readonly lendingDetails: LendingDetailsInput
  readonly itemsToBorrow: readonly BorrowInput[]
  readonly itemsToPledge: readonly SupplyInput[]
  readonly escrow?: NewAccountInput | undefined
  readonly duration?: Duration | undefined
}

export interface LoanReference {
  readonly defiProtocol: string
  readonly escrow: AccountLookup
}

export interface LoanDetailsInput {
  readonly escrow: AccountLookup
  /** ISO 8601. */
  readonly computeEstimatedInterestUntil?: string | undefined
}

export interface SwapCollateralInput extends LoanReference {
  readonly itemsToDeposit?: readonly SupplyInput[] | undefined
  readonly itemsToWithdraw?: readonly SupplyInput[] | undefined
}

export interface RepayLoanInput extends LoanReference {
  readonly itemsToRepay?: readonly RepayInput[] | undefined
  readonly itemsToRelease?: readonly SupplyInput[] | undefined
}

export interface RefinanceInput extends LoanReference {
  readonly lendingDetails: LendingDetailsInput
  readonly duration?: Duration | undefined
}
