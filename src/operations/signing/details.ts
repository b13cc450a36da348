// POST /transactions/single: the full record of a transaction. Compute units that the background has not read yet are
// read from the cluster and stored.
import type { RecordState } from '../../engine/records/record.ts'
import type { AccountRef } from '../../../machines/holding.ts'
import type { Call, JsonObject } from '../../contract/call.ts'
import { nameOfAddress } from '../lookup/counterparty.ts'
import { measure, isUnmeasured } from '../transactions/measure.ts'
import type { ItemBody, TransactionReference } from '../../contract/input.ts'
import type { Platform, Read } from '../context/platform.ts'
import { idsOf, transactionRecord } from '../views/read-models/transaction.ts'
import { asShown } from '../views/shown-transaction.ts'
import { clusterOf } from '../transactions/transact.ts'
import { transactionNamed } from './status.ts'

/** The ids of an account of the message, with the caller's name of its address. */
function named({ engine }: Platform, call: Call, account: AccountRef): JsonObject {
  const counterparty = nameOfAddress(engine.directory, call, call.cluster, account.address)
  return counterparty === null ? idsOf(account) : { ...idsOf(account), counterparty }
}

export const transactionDetails: Read<ItemBody<TransactionReference>> = async (platform, call, { itemData }) => {
  const transaction = transactionNamed(platform, call, itemData, '/itemData')
  const shown = (state: RecordState<'transaction'>): JsonObject => {
    const visible = asShown(platform, call, state)
    return {
      ...transactionRecord(visible),
      accounts: visible.context.fixed.accounts.map((account) => named(platform, call, account)),
    }
  }
  if (!isUnmeasured(transaction)) return shown(transaction)
  // If the cluster does not answer, the member stays null.
  await measure(platform.engine, clusterOf(platform, call), transaction.id)
  return shown(transactionNamed(platform, call, itemData, '/itemData'))
}
