// POST /counterparties/single, /counterparties/bulk
import type { ItemBody } from '../../contract/values/chain-config.ts'
import type { CounterpartyLookup } from '../../contract/schemas/counterparty.ts'
import type { Read } from '../context/platform.ts'
import { answerOwn } from '../views/bulk/fetch.ts'
import { COUNTERPARTY_SOURCE } from '../views/bulk/counterparties.ts'
import type { BulkInput } from '../views/fetch-bulk.ts'
import { counterpartyModel } from '../views/read-models/counterparty.ts'
import { ownCounterparty } from './change.ts'
import type { CounterpartyModel } from '../../contract/schemas/counterparty.ts'
import type { PageOf } from '../../contract/schemas/answers.ts'

export const counterpartyDetails: Read<ItemBody<CounterpartyLookup>, CounterpartyModel> = (context, { itemData }) =>
  counterpartyModel(ownCounterparty(context, itemData).counterparty)

export const fetchCounterparties: Read<BulkInput, PageOf<CounterpartyModel>> = async (context, { itemQuery }) => {
  const { count, items } = await answerOwn(context, COUNTERPARTY_SOURCE, itemQuery)
  return { count, items: items.map((state) => counterpartyModel(state)) }
}
