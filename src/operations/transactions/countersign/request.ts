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
  /** Signers whose signatures others give: the owner's records of them are not asked. */
  readonly elsewhere?: ReadonlySet<string> | undefined
  /** ISO 8601. */
  readonly at: string
}

/**
 * The signers that the owner's records judge. A signer that the owner has not been asked for yet, and no other party
 * has signed for, is one of them: the first request to the owner decides about all of its keys.
 */
export function consentingIn({ message, elsewhere }: CountersignRequest): readonly string[] {
  return elsewhere === undefined ? message.signers : message.signers.filter((address) => !elsewhere.has(address))
}

/**
 * The request to this owner, with the signers for which others sign. The tenant of the transaction judges all of them
 * in any case.
 */
export function requestTo(
  owner: string,
  request: CountersignRequest,
  elsewhere: readonly string[],
): CountersignRequest {
  return owner === request.home ? request : { ...request, elsewhere: new Set(elsewhere) }
}

/** One record per transaction and owner: a repeated request finds it. */
export function countersignatureId(transactionId: string, owner: string): string {
  return `${transactionId}~${owner}`
}
