// POST /transactions/single. What it took of its compute units is asked from the cluster when somebody looks before the background has
// come to it, and remembered.
import { measure, isUnmeasured } from './measure.ts'
import type { ItemBody, TransactionReference } from './input.ts'
import type { Read } from './platform.ts'
import { transactionRecord } from './read-models/transaction.ts'
import { clusterOf } from './transact/transact.ts'
import { transactionNamed } from './transaction-status.ts'

export const transactionDetails: Read<ItemBody<TransactionReference>> = async (platform, call, { itemData }) => {
  const transaction = transactionNamed(platform, call, itemData, '/itemData')
  if (!isUnmeasured(transaction)) return transactionRecord(transaction)
  // A cluster that does not answer leaves the member null; the rest of the record stands without it.
  await measure(platform.engine, clusterOf(platform, call), transaction.id)
  return transactionRecord(transactionNamed(platform, call, itemData, '/itemData'))
}
