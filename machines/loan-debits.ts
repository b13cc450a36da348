// What a change of a loan takes from its parties although the message does not say so: it moves what lies in escrow, what is lent, and with
// another lender the right to what is pledged. JSON: kept with a transaction that waits.
import type { Raw } from './protocol.ts'

export interface LoanDebits {
  /** Outflows of the account at `from` are outflows of the one they belong to: of the borrower; of the vault, when it liquidates. */
  readonly escrow?: { readonly from: string; readonly of: string }
  /** Principal goes out of the vault to the borrower: where it goes elsewhere, the borrower pays it there. */
  readonly lent?: { readonly vault: string; readonly borrower: string }
  /** What another lender could liquidate from now on. */
  readonly pledges?: readonly RenewedPledge[]
}

export interface RenewedPledge {
  /** Address of the borrower. */
  readonly payer: string
  /** The borrower's associated token account. */
  readonly position: string
  readonly mint: string
  readonly decimals: number
  readonly amount: Raw
  readonly lender: { readonly account: { readonly address: string; readonly id: string | null }; readonly tenant: string }
}
