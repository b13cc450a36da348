// Serves a request that another cell forwards because the transaction belongs to this cell.
import { atHand } from '../../../snapshots/at-hand.ts'
import type { JsonObject } from '../../contract/call.ts'
import type { SignTransactionInput } from '../../contract/schemas/transaction.ts'
import { parseMessage } from '../../solana/parse.ts'
import { asRefusal } from '../context/as-refusal.ts'
import type { Context, Platform } from '../context/platform.ts'
import { ofKind } from '../../engine/records/record.ts'
import { readAddressesAgain } from '../lookup/request-records.ts'
import type { Performer } from '../transactions/perform.ts'
import { callOf, type ServedOutcome, type ServedRequest } from '../transactions/served-request.ts'
import { storedSignatures, serializeTransaction } from '../transactions/signing/held.ts'
import { signableTransaction, shownTo } from '../transactions/signing/named.ts'
import { readTransaction } from './foreign.ts'
import { signTransaction } from './sign.ts'
import { submitTransaction } from './submit.ts'

/**
 * Makes the same checks as for a caller of this cell. Records of the caller's tenant are checked in a state that is not
 * older than the request, because the caller may just have changed them. Rejects with a Refusal.
 */
export async function serveRequest(
  platform: Platform,
  performer: Performer,
  request: ServedRequest,
): Promise<ServedOutcome> {
  const { operation, input } = request
  const call = callOf(request)
  const itemData = input as unknown as SignTransactionInput
  try {
    await readAddressesAgain(platform.engine, call.cluster, signersOf(platform, itemData))
  } catch (error) {
    throw asRefusal(error)
  }
  const { body, replayed } =
    operation === 'sign'
      ? await performer.perform(call, signTransaction, { itemData })
      : await performer.perform(call, submitTransaction, { itemData })
  if (operation === 'submit' || itemData.returnSerialized !== true) return { body, replayed }
  // Signatures by keys of the other cell may have arrived in the meantime, so the bytes are serialized again.
  const serializedTransaction = await atHand(platform.engine, () => serializedNow({ platform, call }, body))
  return { body: { ...body, serializedTransaction }, replayed }
}

/** Addresses. Empty for a transaction that cannot be signed. */
function signersOf(
  { engine }: Platform,
  { transaction, serializedTransaction }: SignTransactionInput,
): readonly string[] {
  if (serializedTransaction !== undefined) return readTransaction(serializedTransaction).message.signers
  const head = engine.directory.resident(transaction?.offchainId ?? '')?.head
  return ofKind(head, 'transaction')?.context.fixed.signers.map(({ address }) => address) ?? []
}

function serializedNow(context: Context, { offchainId }: JsonObject): string {
  const { transaction } = signableTransaction(context, offchainId as string, '/itemData/transaction')
  const message = parseMessage(Buffer.from(transaction.context.fixed.message, 'base64'))
  return serializeTransaction(
    message,
    shownTo(context, transaction, storedSignatures(context.platform.engine, transaction)),
  )
}
