// POST /transactions/single. What it took of its compute units is asked from the cluster when somebody looks: a status does not tell,
// and a question per transaction would cost more than sending it.
import type { ItemBody, TransactionReference } from './input.ts'
import type { Read } from './platform.ts'
import { transactionRecord } from './read-models/transaction.ts'
import { clusterOf } from './transact/transact.ts'
import { transactionNamed } from './transaction-status.ts'

const LANDED = new Set(['confirmed', 'finalized', 'blockchainError'])

export const transactionDetails: Read<ItemBody<TransactionReference>> = async (platform, call, { itemData }) => {
  const transaction = transactionNamed(platform, call, itemData, '/itemData')
  const { signature, computeUnitsConsumed } = transaction.context
  const record = transactionRecord(transaction)
  if (computeUnitsConsumed !== null || signature === null || !LANDED.has(transaction.value)) return record
  // A cluster that does not answer leaves the member null; the rest of the record stands without it.
  const consumed = await clusterOf(platform, call)
    .computeUnitsOf(signature)
    .catch(() => null)
  return { ...record, computeUnitsConsumed: consumed }
}
