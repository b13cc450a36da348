// POST /counterparties
import type { Outcome } from '../../contract/call.ts'
import type { ItemBody } from '../../contract/values/chain-config.ts'
import type { NewCounterpartyInput } from '../../contract/schemas/counterparty.ts'
import type { Write } from '../context/platform.ts'
import { rememberOutcome } from '../transactions/idempotency.ts'
import { changeCounterparty } from './change.ts'
import type { WithId } from '../../contract/schemas/members.ts'

type Members = WithId<'newCounterparty'>

export const createCounterparty: Write<ItemBody<NewCounterpartyInput>, Members> = async (context, { itemData }) => {
  const { platform, call } = context
  const id = platform.ids()
  const outcome: Outcome<Members> = {
    members: { newCounterparty: { offchainId: id } },
    transactions: [],
    shape: 'member',
    awaited: 'confirmed',
  }
  const { durable } = platform.engine.transact((unit) => {
    unit.openFor(call.tenant)
    changeCounterparty(context, unit, { entry: null, id }, itemData)
    rememberOutcome(call, unit, outcome)
  })
  await durable
  return outcome
}
