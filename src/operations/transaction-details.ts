// POST /transactions/single
import type { ItemBody, TransactionReference } from './input.ts'
import type { Read } from './platform.ts'
import { transactionRecord } from './read-models/transaction.ts'
import { transactionNamed } from './transaction-status.ts'

export const transactionDetails: Read<ItemBody<TransactionReference>> = (platform, call, { itemData }) =>
  transactionRecord(transactionNamed(platform, call, itemData, '/itemData'))
