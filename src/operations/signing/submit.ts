// POST /transactions/submit: sends a completely signed transaction.
import type { ItemBody } from '../../contract/values/chain-config.ts'
import type { SubmitTransactionInput } from '../../contract/schemas/transaction.ts'
import type { Write } from '../context/platform.ts'
import { runAttempts } from '../transactions/attempt.ts'
import { badRequest } from '../../contract/refusal.ts'
import { takeBytes } from './bytes.ts'
import { askOwningCell } from './ask-owning-cell.ts'
import { sendRecordedTransaction } from '../transactions/signing/send.ts'

export const submitTransaction: Write<ItemBody<SubmitTransactionInput>> = async (context, { itemData }) => {
  const { platform, call } = context
  if (itemData.serializedTransaction !== undefined)
    return await runAttempts(platform, call, () => takeBytes(context, itemData, 'submit'), { funds: true })
  const offchainId = itemData.transaction?.offchainId
  if (offchainId === undefined)
    throw badRequest('REQUIRED', 'transaction or serializedTransaction is required', '/itemData/transaction')
  const elsewhere = askOwningCell(context, { id: offchainId }, { operation: 'submit', itemData })
  return elsewhere ?? (await sendRecordedTransaction(context, offchainId))
}
