// POST /loans/strategies/single and /bulk: the current terms of a lender.
import { ofKind } from '../../engine/records/record.ts'
import { answerOwn } from '../views/bulk/fetch.ts'
import { STRATEGY_SOURCE } from '../views/bulk/loans.ts'
import type { BulkInput } from '../views/fetch-bulk.ts'
import type { ItemBody } from '../../contract/values/chain-config.ts'
import type { StrategyReference } from '../../contract/schemas/loan.ts'
import type { Read } from '../context/platform.ts'
import { strategyModel } from '../views/read-models/strategy.ts'
import { badRequest } from '../../contract/refusal.ts'
import { ownStrategy } from './update-strategy.ts'
import type { StrategyModel } from '../../contract/schemas/loan-answers.ts'
import type { PageOf } from '../../contract/schemas/answers.ts'

export const strategyDetails: Read<ItemBody<StrategyReference>, StrategyModel> = (context, { itemData }) => {
  const committed = ofKind(ownStrategy(context, itemData).entry.committed, 'strategy')
  if (committed === undefined)
    throw badRequest('STRATEGY_NOT_FOUND', 'no such strategy of this organization', '/itemData/strategy')
  return strategyModel(context, committed)
}

export const fetchStrategies: Read<BulkInput, PageOf<StrategyModel>> = async (context, { itemQuery }) => {
  const { count, items } = await answerOwn(context, STRATEGY_SOURCE, itemQuery)
  return { count, items: items.map((state) => strategyModel(context, state)) }
}
