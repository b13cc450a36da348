// POST /transactions/sign: adds signatures that the caller sends, signatures of this service, or both. A complete
// transaction waits for Submit.
import type { ItemBody } from '../../contract/values/chain-config.ts'
import type { SignTransactionInput } from '../../contract/schemas/transaction.ts'
import type { Write } from '../context/platform.ts'
import { runAttempts } from '../transactions/attempt.ts'
import { badRequest } from '../../contract/refusal.ts'
import { takeBytes } from './bytes.ts'
import { askOwningCell } from './ask-owning-cell.ts'
import { signRecordedTransaction } from './sign-recorded.ts'
import type { SignedMembers } from '../../contract/schemas/members.ts'

export const signTransaction: Write<ItemBody<SignTransactionInput>, SignedMembers> = async (context, { itemData }) => {
  const { platform, call } = context
  if (itemData.serializedTransaction !== undefined)
    return await runAttempts(platform, call, () => takeBytes(context, itemData, 'sign'), { funds: true })
  const offchainId = itemData.transaction?.offchainId
  if (offchainId === undefined)
    throw badRequest('REQUIRED', 'transaction or serializedTransaction is required', '/itemData/transaction')
  const { signers, signatures, returnSerialized } = itemData
  const elsewhere = askOwningCell(context, { id: offchainId }, { operation: 'sign', itemData })
  if (elsewhere !== undefined) return elsewhere
  const request = {
    offchainId,
    signers,
    signatures,
    returnSerialized,
    intent: 'sign',
    pointer: '/itemData/transaction',
  } as const
  return await runAttempts(platform, call, () => signRecordedTransaction(context, request), { funds: true })
}
