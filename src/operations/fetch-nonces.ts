// POST /durable-nonce-accounts/single and /bulk: both are queries; the first also says where the keys are kept, if asked.
import type { Query } from '../engine/query/field.ts'
import { ofKind, type RecordState } from '../engine/record.ts'
import { answerQuery, visibleHoldings } from './bulk/fetch.ts'
import { NONCES } from './bulk/nonces.ts'
import type { Call } from './call.ts'
import type { Platform, Read } from './platform.ts'
import { keyDetails, nonceModel } from './read-models/nonce.ts'

export interface NonceQueryInput {
  readonly itemQuery: Query
  readonly outputConfig?: { readonly excludePrivateKeyDetails?: boolean | undefined } | undefined
}

export const fetchNonces: Read<NonceQueryInput> = async (platform, call, { itemQuery, outputConfig }) => {
  const { count, items } = await answerQuery(NONCES, liveNonces(platform, call), itemQuery)
  const withKeys = outputConfig?.excludePrivateKeyDetails === false
  return { count, items: items.map((state) => ({ ...nonceModel(platform, call, state), ...(withKeys ? keyDetails(state) : {}) })) }
}

/** Closed ones, and those whose creation never happened, are found as accounts only. */
function* liveNonces(platform: Platform, call: Call): Generator<RecordState<'nonce'>> {
  for (const holding of visibleHoldings(platform, call)) {
    const nonce = ofKind(holding, 'nonce')
    if (nonce !== undefined && nonce.value !== 'closed') yield nonce
  }
}
