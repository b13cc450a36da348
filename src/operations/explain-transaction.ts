// POST /transactions/explain: what was decided about a transaction and why, everything that was tried, and what proved its end.
import type { ItemBody, TransactionReference } from './input.ts'
import type { JsonObject, JsonValue } from './call.ts'
import type { Read } from './platform.ts'
import { networkAmountOf, rawJson } from './read-models/amounts.ts'
import { resultOf } from './read-models/transaction.ts'
import { transactionNamed } from './transaction-status.ts'

const PROVEN = new Set(['expired', 'cancelled'])

export const explainTransaction: Read<ItemBody<TransactionReference>> = (platform, call, { itemData }) => {
  const transaction = transactionNamed(platform, call, itemData, '/itemData')
  const { context, value } = transaction
  const { fixed } = context
  const { signatures, signedBytes } = platform.engine.payload(transaction)
  return {
    transaction: resultOf(transaction),
    checks: checks(transaction.context),
    attempts: context.history.filter(({ status }) => status === 'SUBMITTED') as unknown as JsonValue,
    signatures: fixed.signers.map(({ address, id }, index) => ({
      onchainId: address,
      offchainId: id,
      signed: signedBytes !== null || (signatures?.[index] ?? null) !== null,
    })),
    reservations: fixed.entries.flatMap(({ record, movements }) =>
      movements
        .filter(({ released }) => released !== '0')
        .map(({ asset, released }) => ({ offchainId: record, asset, amount: rawJson(released) })),
    ),
    history: context.history as unknown as JsonValue,
    ...(PROVEN.has(value) && context.proof !== null ? { expiryProof: context.proof as JsonValue } : {}),
  }
}

/** Every rule it passed before anything was signed: a request that fails one leaves no record. */
function checks({ fixed }: Parameters<typeof resultOf>[0]['context']): JsonObject[] {
  const passed = (rule: string, detail: string): JsonObject => ({ rule, verdict: 'PASSED', detail })
  return [
    passed('INSTRUCTION_TABLE', fixed.instructions.map(({ type }) => type).join(', ')),
    passed('DEBIT_KEYS', `key ${fixed.requestedBy} may debit every account that pays`),
    passed('FEE_CAP', `${networkAmountOf(fixed.fee)} of the network currency`),
    passed('FREEZE', 'no signer was frozen'),
    passed('UNIQUE_MESSAGE', fixed.messageHash),
  ]
}
