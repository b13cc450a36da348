// POST /counterparties
import type { ItemBody } from '../../contract/values/chain-config.ts'
import type { NewCounterpartyInput } from '../../contract/schemas/counterparty.ts'
import type { Write } from '../context/platform.ts'
import { changeRecords } from '../transactions/change-records.ts'
import { changeCounterparty } from './change.ts'
import type { WithId } from '../../contract/schemas/members.ts'

type Members = WithId<'newCounterparty'>

export const createCounterparty: Write<ItemBody<NewCounterpartyInput>, Members> = async (context, { itemData }) => {
  const id = context.platform.ids()
  return await changeRecords(context, (unit) => {
    unit.openFor(context.call.tenant)
    const needed = changeCounterparty(context, unit, { entry: null, id }, itemData)
    return needed ?? { members: { newCounterparty: { offchainId: id } } }
  })
}
