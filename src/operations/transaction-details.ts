// POST /transactions/single. What it took of its compute units is asked from the cluster when somebody looks before the background has
// come to it, and remembered.
import type { AccountRef } from '../../machines/holding.ts'
import type { RecordState } from '../engine/record.ts'
import type { Call, JsonObject } from './call.ts'
import { measure, isUnmeasured } from './measure.ts'
import type { ItemBody, TransactionReference } from './input.ts'
import type { Platform, Read } from './platform.ts'
import { transactionRecord } from './read-models/transaction.ts'
import { isOwn } from './signing/named.ts'
import { referTo } from './transact/record.ts'
import { clusterOf } from './transact/transact.ts'
import { transactionNamed } from './transaction-status.ts'

export const transactionDetails: Read<ItemBody<TransactionReference>> = async (platform, call, { itemData }) => {
  const transaction = transactionNamed(platform, call, itemData, '/itemData')
  const shown = (state: RecordState<'transaction'>): JsonObject =>
    isOwn(call, state) ? transactionRecord(state) : transactionRecord(withOwnIds(platform, call, state))
  if (!isUnmeasured(transaction)) return shown(transaction)
  // A cluster that does not answer leaves the member null; the rest of the record stands without it.
  await measure(platform.engine, clusterOf(platform, call), transaction.id)
  return shown(transactionNamed(platform, call, itemData, '/itemData'))
}

/** To another organization: addresses, with the ids of records that are its own or shared. */
function withOwnIds(platform: Platform, call: Call, transaction: RecordState<'transaction'>): RecordState<'transaction'> {
  const { context } = transaction
  const { fixed } = context
  const refer = ({ address }: AccountRef): AccountRef => referTo(platform, call, address)
  const nonceAccount = fixed.nonceAccount === null ? null : refer(fixed.nonceAccount)
  const shown = { ...fixed, feePayer: refer(fixed.feePayer), accounts: fixed.accounts.map(refer), nonceAccount }
  return { ...transaction, context: { ...context, fixed: shown } }
}
