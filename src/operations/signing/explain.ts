// POST /transactions/explain: the decisions about a transaction and their reasons, all attempts to send it, and the
// proof of its end.
import { parseMessage } from '../../solana/parse.ts'
import { classify } from '../../solana/table/classify.ts'
import type { JsonObject } from '../../contract/call.ts'
import type { ItemBody } from '../../contract/values/chain-config.ts'
import type { ExplanationModel } from '../../contract/schemas/transaction-answers.ts'
import type { TransactionReference } from '../../contract/schemas/transaction.ts'
import { attemptsOf } from '../views/explain/attempts.ts'
import { checksOf } from '../views/explain/checks.ts'
import { reservationsOf } from '../views/explain/reservations.ts'
import { signaturesOf } from '../views/explain/signatures.ts'
import type { Read } from '../context/platform.ts'
import { resultOf } from '../views/read-models/transaction.ts'
import { badRequest } from '../../contract/refusal.ts'
import { isOwn } from '../lookup/signing-requests.ts'
import { clusterOf } from '../transactions/transact.ts'
import { transactionNamed } from './status.ts'

const PROVEN = new Set(['expired', 'cancelled'])

export const explainTransaction: Read<ItemBody<TransactionReference>, ExplanationModel> = (
  { platform, call },
  { itemData },
) => {
  const transaction = transactionNamed({ platform, call }, itemData, '/itemData')
  // Decisions and attempts are shown only to the organization that made the transaction.
  if (!isOwn(call, transaction))
    throw badRequest('TRANSACTION_NOT_FOUND', 'no such transaction of this organization', '/itemData')
  const { context, value, id } = transaction
  const { fixed, history, attestation } = context
  const payload = platform.engine.payload(transaction)
  const message = parseMessage(Buffer.from(fixed.message, 'base64'))
  const effects = classify(
    message,
    fixed.accounts.map(({ address }) => address),
  )
  const watched = clusterOf({ platform, call }).state(id)
  return {
    transaction: { ...resultOf(transaction), externalReference: fixed.externalReference ?? null },
    checks: checksOf({ platform, transaction, payload, judged: payload.judged, effects }),
    attempts: attemptsOf(history),
    signatures: signaturesOf({ platform, call }, { transaction, payload }),
    reservations: reservationsOf(transaction),
    history,
    ...(attestation === null ? {} : { attestation: { ...attestation } }),
    ...(watched === null ? {} : { watch: { ...watched } }),
    ...(PROVEN.has(value) && context.proof !== null ? { expiryProof: context.proof as JsonObject } : {}),
  }
}
