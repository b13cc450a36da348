// PATCH /counterparties: absent members keep their value; `addresses` replaces the whole list.
import type { Outcome } from '../../contract/call.ts'
import type { ItemBody } from '../../contract/values/chain-config.ts'
import type { CounterpartyChangesInput } from '../../contract/schemas/counterparty.ts'
import type { Write } from '../context/platform.ts'
import { rememberOutcome } from '../transactions/idempotency.ts'
import { changeCounterparty, ownCounterparty } from './change.ts'
import type { WithId } from '../../contract/schemas/members.ts'

type Members = WithId<'updatedCounterparty'>

export const updateCounterparty: Write<ItemBody<CounterpartyChangesInput>, Members> = async (context, { itemData }) => {
  const { platform, call } = context
  const { counterparty: reference, ...given } = itemData
  const { result, durable } = platform.engine.transact((unit) => {
    const { entry, counterparty } = ownCounterparty(context, reference, '/itemData/counterparty/offchainId')
    changeCounterparty(context, unit, { entry, id: counterparty.id }, given)
    const members = { updatedCounterparty: { offchainId: counterparty.id } }
    const outcome: Outcome<Members> = { members, transactions: [], shape: 'member', awaited: 'confirmed' }
    rememberOutcome(call, unit, outcome)
    return outcome
  })
  await durable
  return result
}
