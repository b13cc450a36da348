// POST /durable-nonce-accounts/single and /bulk: both are queries; with `excludePrivateKeyDetails` false the answer
// includes where the keys are stored.
import type { Query } from '../../engine/query/field.ts'
import type { RecordState } from '../../engine/records/record.ts'
import { answerVisible } from '../views/bulk/fetch.ts'
import { NONCE_SOURCE } from '../views/bulk/sources.ts'
import type { Context, Read } from '../context/platform.ts'
import { keyDetails, nonceModel } from '../views/read-models/nonce.ts'
import { readNonce } from '../reconcile/nonces.ts'
import { isRetryable, operationResult } from '../context/as-refusal.ts'
import { clusterOf } from '../transactions/transact.ts'
import type { NonceDetailsModel, PageOf } from '../../contract/schemas/answers.ts'

export interface NonceQueryInput {
  readonly itemQuery: Query
  readonly outputConfig?: { readonly excludePrivateKeyDetails?: boolean | undefined } | undefined
}

export const fetchNonces: Read<NonceQueryInput, PageOf<NonceDetailsModel>> = async (
  context,
  { itemQuery, outputConfig },
) => {
  const { call } = context
  const { count, items } = await answerVisible(context, NONCE_SOURCE, itemQuery)
  const confirmed = await confirmedValues(context, items)
  const withKeys = outputConfig?.excludePrivateKeyDetails === false
  return {
    count,
    items: items.map((state) => ({
      ...nonceModel(context, state, confirmed.get(state.context.address) ?? null),
      ...(withKeys ? keyDetails(call, state) : {}),
    })),
  }
}

/**
 * By address, the values at `confirmed` of nonces that exist and have no value on record: their creation is not final
 * yet. They are only shown; a lease takes a finalized value. Empty if the cluster does not answer.
 */
async function confirmedValues(
  context: Context,
  states: readonly RecordState<'nonce'>[],
): Promise<ReadonlyMap<string, string>> {
  const addresses = states
    .filter(({ value, context: { value: known } }) => value === 'active' && known === null)
    .map(({ context: { address } }) => address)
  if (addresses.length === 0) return new Map()
  const read = await operationResult(clusterOf(context).accounts(addresses))
  if (!read.ok) {
    if (isRetryable(read)) return new Map()
    throw read.error
  }
  return new Map(
    addresses.flatMap((address, index) => {
      const found = readNonce(read.result[index] ?? null)
      return found === null ? [] : [[address, found.value] as const]
    }),
  )
}
