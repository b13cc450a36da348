// POST /transactions/single: the full record of a transaction. Compute units that the background task has not read yet
// are read from the cluster and stored.
import type { RecordState } from '../../engine/records/record.ts'
import { measure, isUnmeasured } from '../transactions/measure.ts'
import type { ItemBody } from '../../contract/values/chain-config.ts'
import type { TransactionReference } from '../../contract/schemas/transaction.ts'
import type { Read } from '../context/platform.ts'
import { transactionDetailed } from '../views/read-models/movements.ts'
import { asShown } from '../views/shown-transaction.ts'
import { clusterOf } from '../transactions/transact.ts'
import { transactionNamed } from './status.ts'
import type { TransactionRecordModel } from '../../contract/schemas/transaction-answers.ts'

export const transactionDetails: Read<ItemBody<TransactionReference>, TransactionRecordModel> = async (
  context,
  { itemData },
) => {
  const { platform } = context
  const transaction = transactionNamed(context, itemData, '/itemData')
  const modelOf = (state: RecordState<'transaction'>): TransactionRecordModel => {
    const visible = asShown(context, state)
    return transactionDetailed(context, visible)
  }
  if (!isUnmeasured(transaction) || !platform.engine.owns(transaction.tenant)) return modelOf(transaction)
  // If the cluster does not answer, the member stays null.
  await measure(platform.engine, clusterOf(context), transaction.id)
  return modelOf(transactionNamed(context, itemData, '/itemData'))
}
