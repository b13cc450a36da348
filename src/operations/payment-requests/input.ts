// The input of the endpoints of payment requests, after validation.
import type { AccountLookup } from '../../contract/input.ts'

export interface NewPaymentRequestInput {
  readonly destination: AccountLookup
  /** Absent: network currency. */
  readonly financialInstrument?: AccountLookup | undefined
  readonly amount: string
  readonly externalReference: string
  readonly memo?: string | undefined
  readonly expiresAt?: string | undefined
}

export interface PaymentRequestReference {
  readonly offchainId: string
}
