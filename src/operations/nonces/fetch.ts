// POST /durable-nonce-accounts/single and /bulk: both are queries; with `excludePrivateKeyDetails` false the answer
// includes where the keys are stored.
import type { Query } from '../../engine/query/field.ts'
import { answerVisible } from '../views/bulk/fetch.ts'
import { NONCE_SOURCE } from '../views/bulk/sources.ts'
import type { Read } from '../context/platform.ts'
import { keyDetails, nonceModel } from '../views/read-models/nonce.ts'
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
  const withKeys = outputConfig?.excludePrivateKeyDetails === false
  return {
    count,
    items: items.map((state) => ({
      ...nonceModel(context, state),
      ...(withKeys ? keyDetails(call, state) : {}),
    })),
  }
}
