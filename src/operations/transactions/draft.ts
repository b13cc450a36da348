// What an operation wants done on chain, before it is a message. Drawn inside the synchronous stretch, from the heads of the records.
import type { CompiledMessage, Instruction } from '../../solana/message.ts'
import type { Effect } from '../../solana/table/effect.ts'
import type { LoanDebits } from '../../../machines/loan-debits.ts'
import type { Entry } from '../../../machines/transaction-record.ts'
import type { UnitOfWork } from '../../engine/records/unit-of-work.ts'
import type { JsonObject, Outcome } from '../../contract/call.ts'
import type { Signer } from '../context/platform.ts'
import type { Party } from '../lookup/party.ts'
import type { Lifetime } from './lifetime.ts'

/** What the lending adapter answers for: a message of its own making, checked against the books of a loan. */
export interface Vouched {
  /** Whose keys it uses, whoever's they are: those of a vault and of an escrow. */
  readonly signs: ReadonlySet<string>
  /** Programs beside the instruction table that the operator lets it call: it has seen to it that they are handed nothing of ours. */
  readonly programs?: ReadonlySet<string>
  /** Throws unless the compiled message does what was decided, all of it and nothing else. */
  readonly check: (message: CompiledMessage, effects: readonly Effect[]) => void
  /** What it means for records beyond what the message moves. */
  readonly entries: (transactionId: string) => readonly Entry[]
}

export interface Draft {
  readonly instructions: readonly Instruction[]
  readonly feePayer: Party
  /** Everyone the request named who may have to sign, with their `autoSign`. Others are found by address. */
  readonly parties: readonly (Party | null)[]
  /** Keys made or brought by this request, which sign at once. */
  readonly freshKeys?: readonly Signer[]
  /** Lamports that go into accounts whose creating instruction does not say how many (associated token accounts). */
  readonly rents?: ReadonlyMap<string, bigint>
  /**
   * Owners whose outflows count against no debit limit: accounts that an adapter moves by the terms of its own books (the vault of a
   * strategy that says so). The adapter answers for what it names here; payments of everybody else in the same message count as ever.
   */
  readonly exempt?: ReadonlySet<string>
  /** What counts against debit limits of the parties to a loan beside what the message says. */
  readonly loan?: LoanDebits
  /** false: leave the check of balances to the chain. */
  readonly covered?: boolean
  /** Compute units the instructions may take at most, when the caller names no limit. */
  readonly computeUnits: number
  /** Creates and changes the records that belong to the request; runs before anything is reserved. */
  readonly prepare?: (unit: UnitOfWork, transactionId: string) => void
  /** Addresses that this transaction pays the rent of: made by an earlier one of the same plan, or growing. */
  readonly makes?: ReadonlySet<string>
  /** Addresses of the caller's accounts whose records close when it lands, or give way to the one that it makes there. */
  readonly closes?: ReadonlySet<string>
  readonly members?: JsonObject
  /** Id of the plan whose first transaction this is. */
  readonly plan?: string
  readonly shape: Outcome['shape']
  /** When it is not for the request to say: the nonce that is to be moved on. */
  readonly lifetime?: Lifetime
  readonly adapter?: Vouched
  /** What the request answers with instead of this transaction, which only helps it along. */
  readonly outcome?: Pick<Outcome, 'transactions' | 'awaited'>
}
