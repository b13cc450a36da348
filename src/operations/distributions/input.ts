// Inputs of the endpoints of distributions, after validation.
import type { AccountLookup, PositionLookup } from '../../contract/input.ts'

export interface NewDistributionInput {
  readonly financialInstrument: AccountLookup
  readonly recordAt: string
  /** A position of the payout instrument; for network currency the wallet, as `owner`. */
  readonly source: PositionLookup
  readonly payout: {
    readonly financialInstrument?: AccountLookup | undefined
    readonly total?: string | undefined
    readonly perUnit?: string | undefined
  }
  readonly excluded?: readonly AccountLookup[] | undefined
  readonly minimum?: string | undefined
}

export interface DistributionReference {
  readonly offchainId: string
}
