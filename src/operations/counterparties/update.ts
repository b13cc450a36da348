// PATCH /counterparties: absent members keep their value; `addresses` replaces the whole list.
import type { ItemBody } from '../../contract/values/chain-config.ts'
import type { CounterpartyChangesInput } from '../../contract/schemas/counterparty.ts'
import type { Write } from '../context/platform.ts'
import { changeRecords } from '../transactions/change-records.ts'
import { changeCounterparty, ownCounterparty } from './change.ts'
import type { WithId } from '../../contract/schemas/members.ts'

type Members = WithId<'updatedCounterparty'>

export const updateCounterparty: Write<ItemBody<CounterpartyChangesInput>, Members> = async (context, { itemData }) => {
  const { counterparty: lookup, ...changes } = itemData
  return await changeRecords(context, (unit) => {
    const { entry, counterparty } = ownCounterparty(context, lookup)
    const needed = changeCounterparty(context, unit, { entry, id: counterparty.id }, changes)
    return needed ?? { members: { updatedCounterparty: { offchainId: counterparty.id } } }
  })
}
