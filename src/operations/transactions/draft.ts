// The on-chain effect of an operation, before it is compiled to a message. Built inside the unit of work from the heads
// of the records.
import type { CompiledMessage, Instruction } from '../../solana/message.ts'
import type { Effect } from '../../solana/table/effect.ts'
import type { Approval } from '../../../machines/approval.ts'
import type { LoanDebits } from '../../../machines/lending/loan-debits.ts'
import type { BookEntry } from '../../../machines/transactions/transaction-record.ts'
import type { UnitOfWork } from '../../engine/records/unit-of-work.ts'
import type { JsonObject, Outcome } from '../../contract/call.ts'
import type { Signer } from '../context/platform.ts'
import type { Party } from '../lookup/party.ts'
import type { Lifetime } from './lifetime.ts'

/** The change of a loan for which a lending adapter built the message and checked it against the books of the loan. */
export interface AdapterChange {
  /** Addresses of the vault and the escrow whose keys the message uses, whichever tenant has their records. */
  readonly signs: ReadonlySet<string>
  /**
   * Programs outside the instruction table that the operator allows for this adapter. `loans/check-provided.ts` makes
   * sure that they receive no account of the change.
   */
  readonly programs?: ReadonlySet<string>
  /** Throws unless the compiled message does exactly what was decided, and nothing else. */
  readonly check: (message: CompiledMessage, effects: readonly Effect[]) => void
  /** Changes of records beyond what the message itself moves. */
  readonly entries: (transactionId: string) => readonly BookEntry[]
}

export interface Draft<Members extends JsonObject = JsonObject> {
  readonly instructions: readonly Instruction[]
  readonly feePayer: Party
  /**
   * Parties named by the request that may have to sign, with their `autoSign`. Other signers are found by address.
   */
  readonly parties: readonly (Party | null)[]
  /** Pointer of the member that names the receiver of the lamports of a closed account. */
  readonly refundPointer?: string
  /** Keys that this request generates or imports. They sign immediately. */
  readonly freshKeys?: readonly Signer[]
  /**
   * Lamports for accounts whose creating instruction does not state an amount (associated token accounts, lookup
   * tables), by address.
   */
  readonly rents?: ReadonlyMap<string, bigint>
  /** The rent-exempt minimum of a wallet that a transfer opens, in lamports: for the estimate of a dry run. */
  readonly walletRent?: bigint
  /**
   * Owners whose outflows count against no debit limit: accounts that an adapter moves by the terms of its own books
   * (such as the vault of a strategy). The adapter is responsible for the addresses it lists. Payments of all other
   * parties in the same message count as usual.
   */
  readonly exempt?: ReadonlySet<string>
  /** Amounts that count against debit limits of the parties to a loan, besides those in the message. */
  readonly loan?: LoanDebits
  /** false: balances are checked by the chain alone. */
  readonly covered?: boolean
  /** Upper bound of the compute units of the instructions, used when the caller names no limit. */
  readonly computeUnits: number
  /** Creates and changes the records that belong to the request; runs before anything is reserved. */
  readonly prepare?: (unit: UnitOfWork, transactionId: string) => void
  /**
   * Addresses whose rent this transaction pays: accounts made by an earlier transaction of the same plan, or accounts
   * that grow.
   */
  readonly makes?: ReadonlySet<string>
  /**
   * Addresses of the caller's accounts whose records close when the transaction lands, or are replaced by the record
   * that it creates there.
   */
  readonly closes?: ReadonlySet<string>
  readonly members?: Members
  /** Id of the plan whose first transaction this is. */
  readonly plan?: string
  readonly shape: Outcome['shape']
  /** Set if the request may not choose the lifetime: the nonce that this transaction advances. */
  readonly lifetime?: Lifetime
  readonly adapter?: AdapterChange
  /** Reference of the batch item, if the transaction has exactly one; absent: the reference of the call. */
  readonly externalReference?: string
  /** References of the batch items, if the transaction has several. */
  readonly itemReferences?: readonly string[]
  /** See `TransactionFixed`. */
  readonly referenceOfItem?: readonly (number | null)[]
  /** Approval of the batch: it covers these items with these instructions. */
  readonly approval?: Approval
  /** Replaces this transaction in the answer; used when the transaction only serves another one. */
  readonly outcome?: Pick<Outcome, 'transactions' | 'awaited'>
}
