// The request to a tenant whose key another tenant's transaction needs. The tenant decides from this request and its
// own records only.
import type { CompiledMessage } from '../../../solana/message.ts'
import type { Effect } from '../../../solana/table/effect.ts'
import type { LoanDebits } from '../../../../machines/lending/loan-debits.ts'
import type { TransactionFixed } from '../../../../machines/transactions/transaction-record.ts'
import type { Call } from '../../../contract/call.ts'
import type { LimitInputs } from '../../authorization/limits/assess.ts'
import type { CountersignQuestion } from './question.ts'
import type { IsCreated } from '../../authorization/signers.ts'

/** Answers of owners in other cells. */
export interface OwnerConsents {
  /** Throws `Needs` so that the owner is asked first; call it within `runAttempts` only. */
  consented(question: CountersignQuestion): void
}

export interface CountersignRequest {
  readonly transactionId: string
  readonly cluster: string
  /** Tenant of the transaction. */
  readonly home: string
  /** The party asking for the signature: a caller with a grant, or a key of the owner itself. */
  readonly asker: Pick<Call, 'tenant' | 'organization' | 'caller'>
  readonly message: CompiledMessage
  /** Effects of every instruction of the compiled message. */
  readonly effects: readonly Effect[]
  /** Accounts created for the request itself, whose rent counts as a fee. */
  readonly isMade: IsCreated
  /** Facts that the message does not contain, or contains in another form. */
  readonly fixed: Pick<
    TransactionFixed,
    | 'entries'
    | 'organization'
    | 'feePayer'
    | 'fee'
    | 'computeUnitsLimit'
    | 'computeUnitPrice'
    | 'messageHash'
    | 'blockhash'
    | 'blockhashSlot'
    | 'lastValidBlockHeight'
    | 'nonceAccount'
    | 'rents'
  >
  /** Every account of the message. */
  readonly keys: readonly string[]
  /** Chain accounts without a record. May throw `Needs` so that they are read first. */
  readonly chain: LimitInputs['chain'] & Partial<OwnerConsents>
  /** Owners whose outflows no limit counts, from the draft. */
  readonly exempt?: ReadonlySet<string> | undefined
  readonly loan?: LoanDebits | undefined
  /** Accounts that the lending adapter signs for under its own rules. */
  readonly vouched?: ReadonlySet<string> | undefined
  /** ISO 8601. */
  readonly at: string
}

/** One record per transaction and owner: a repeated request finds it. */
export function countersignatureId(transactionId: string, owner: string): string {
  return `${transactionId}~${owner}`
}
