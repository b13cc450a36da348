// What a tenant whose key is needed has to be told of another tenant's transaction. Everything it decides by is in here or in its own records.
import type { CompiledMessage } from '../../../solana/message.ts'
import type { Effect } from '../../../solana/table/effect.ts'
import type { LoanDebits } from '../../../../machines/loan-debits.ts'
import type { TransactionFixed } from '../../../../machines/transaction-record.ts'
import type { Call } from '../../../contract/call.ts'
import type { LimitGround } from '../../authorization/limits/assess.ts'
import type { IsMade } from '../../authorization/signers.ts'

export interface CountersignRequest {
  readonly transactionId: string
  readonly cluster: string
  /** Tenant whose transaction it is. */
  readonly home: string
  /** Who asks for the signature: somebody with a grant, or a key of the owner's own. */
  readonly asker: Pick<Call, 'tenant' | 'organization' | 'caller'>
  readonly message: CompiledMessage
  /** Of the compiled message, every instruction. */
  readonly effects: readonly Effect[]
  /** What of the message is made for the request itself, so that its rent is no more than a fee. */
  readonly isMade: IsMade
  /** What the message does not say, or says in other words. */
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
  /** Accounts that are not on record, as the chain has them. May throw to have them read first. */
  readonly chain: LimitGround['chain']
  /** Of the draft: owners whose outflows no limit counts. */
  readonly exempt?: ReadonlySet<string>
  readonly loan?: LoanDebits
  /** Accounts that the lending adapter signs for, with leave of its own. */
  readonly vouched?: ReadonlySet<string> | undefined
  /** ISO 8601. */
  readonly at: string
}

/** One record per transaction and owner: asking again finds it. */
export function countersignatureId(transactionId: string, owner: string): string {
  return `${transactionId}~${owner}`
}
