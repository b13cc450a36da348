// The messages that carry a signature of this service, or for which a signer was asked, and that have not landed: they
// may land in any order, and after any other message.
import { parseMessage } from '../../solana/parse.ts'
import { classify } from '../../solana/table/classify.ts'
import type { Effect } from '../../solana/table/effect.ts'
import type { Entry } from '../../engine/records/entry.ts'
import { ofKind, type RecordState } from '../../engine/records/record.ts'
import type { RecordIndex } from '../../engine/index/record-index.ts'
import { ownMessages } from './own-messages.ts'
import type { BookEntry, TransactionFixed } from '../../../machines/transactions/transaction-record.ts'

type Message = RecordState<'transaction'>

export interface OpenMessage {
  readonly transactionId: string
  /** null: the transaction is of another cell, and its message is not available here. */
  readonly effects: readonly Effect[] | null
  /** Lamports paid into accounts whose instruction does not state the amount. */
  readonly rents: Readonly<Record<string, string>>
  readonly entries: readonly BookEntry[]
}

/**
 * Each open message once: a transaction of another tenant has a record of its own and one of the countersignature.
 *
 * @param found entries of an index of transactions and countersignatures
 */
export function openMessages(directory: RecordIndex, found: readonly Entry[]): readonly OpenMessage[] {
  const messages = new Map<string, OpenMessage>()
  for (const { head } of found) {
    const transaction = ofKind(head, 'transaction')
    if (transaction !== undefined) messages.set(transaction.id, messageOf(transaction.id, transaction.context.fixed))
    const given = ofKind(head, 'countersignature')?.context
    if (given === undefined || messages.has(given.transactionId)) continue
    const { transactionId, entries } = given
    const fixed = ofKind(directory.resident(transactionId)?.head, 'transaction')?.context.fixed
    const isSame = fixed?.messageHash === given.messageHash
    messages.set(
      transactionId,
      fixed !== undefined && isSame
        ? messageOf(transactionId, fixed)
        : { transactionId, effects: null, rents: {}, entries },
    )
  }
  return [...messages.values()]
}

/**
 * The tenant's own messages that have all signatures and concern the record. One that lacks a signature may lack it for
 * ever: any organization that pays the fee could keep such a message open, and prevent what the owner of the record
 * wants.
 */
export function completeMessages(
  directory: RecordIndex,
  { id, tenant }: Pick<RecordState, 'id' | 'tenant'>,
  { keyOf, counts = () => true }: { keyOf?: (record: string) => string; counts?: (message: Message) => boolean } = {},
): readonly OpenMessage[] {
  const found = ownMessages(directory, { id, tenant }, keyOf).filter(({ head }) => {
    const message = ofKind(head, 'transaction')
    return message?.context.complete === true && counts(message)
  })
  return openMessages(directory, found)
}

function messageOf(transactionId: string, fixed: TransactionFixed): OpenMessage {
  const { rents = {}, entries } = fixed
  return { transactionId, effects: effectsOf(fixed), rents, entries }
}

const known = new WeakMap<TransactionFixed, readonly Effect[]>()

function effectsOf(fixed: TransactionFixed): readonly Effect[] {
  let effects = known.get(fixed)
  if (effects === undefined) {
    const keys = fixed.accounts.map(({ address }) => address)
    effects = classify(parseMessage(Buffer.from(fixed.message, 'base64')), keys)
    known.set(fixed, effects)
  }
  return effects
}
