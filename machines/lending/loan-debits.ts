// Debits of a loan change that the message alone does not show: it moves collateral in escrow and principal, and with
// another lender the right to the collateral. JSON, stored with a transaction that waits.
import type { Raw } from '../protocol.ts'

export interface LoanDebits {
  /** Outflows of the account `from` count as outflows of `of`: of the borrower, or of the vault in a liquidation. */
  readonly escrow?: { readonly from: string; readonly of: string }
  /**
   * Principal flows from the vault to the borrower: if it goes to another account, it counts as paid by the borrower.
   */
  readonly lent?: { readonly vault: string; readonly borrower: string }
  /** Collateral that another lender could liquidate from now on. */
  readonly pledges?: readonly RenewedPledge[]
}

export interface RenewedPledge {
  /** Address of the borrower. */
  readonly payer: string
  /** Associated token account of the borrower. */
  readonly position: string
  readonly mint: string
  readonly decimals: number
  readonly amount: Raw
  readonly lender: {
    readonly account: { readonly address: string; readonly id: string | null }
    readonly tenant: string
  }
}
