// POST /loans/strategies/single and /bulk: a lender's terms as they stand.
import { ofKind } from '../../engine/record.ts'
import { answerOwn } from '../bulk/fetch.ts'
import { STRATEGY_SOURCE } from '../bulk/loans.ts'
import type { BulkInput } from '../fetch-bulk.ts'
import type { ItemBody } from '../input.ts'
import type { Read } from '../platform.ts'
import { strategyModel } from '../read-models/strategy.ts'
import { badRequest } from '../refusal.ts'
import type { StrategyReference } from './input.ts'
import { ownStrategy } from './update-strategy.ts'

export const strategyDetails: Read<ItemBody<StrategyReference>> = (platform, call, { itemData }) => {
  const committed = ofKind(ownStrategy(platform, call, itemData).entry.committed, 'strategy')
  if (committed === undefined) throw badRequest('STRATEGY_NOT_FOUND', 'no such strategy of this organization', '/itemData/strategy')
  return strategyModel(platform, call, committed)
}

export const fetchStrategies: Read<BulkInput> = async (platform, call, { itemQuery }) => {
  const { count, items } = await answerOwn(platform, call, STRATEGY_SOURCE, itemQuery)
  return { count, items: items.map((state) => strategyModel(platform, call, state)) }
}
