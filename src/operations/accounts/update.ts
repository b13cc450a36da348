// PATCH /accounts: changes descriptive members and permissions of an account record. Nothing changes on chain.
import type { Outcome } from '../../contract/call.ts'
import { holdingChanges } from '../holdings/changes.ts'
import { rememberOutcome } from '../transactions/idempotency.ts'
import type { AccountChangesInput } from '../../contract/schemas/account.ts'
import type { ItemBody } from '../../contract/values/chain-config.ts'
import type { Write } from '../context/platform.ts'
import { ownRecord } from '../lookup/own.ts'
import type { WithIds } from '../../contract/schemas/members.ts'

type Members = WithIds<'updatedAccount'>

export const updateAccount: Write<ItemBody<AccountChangesInput>, Members> = async (context, { itemData }) => {
  const { platform, call } = context
  const { account, ...given } = itemData
  const { result, durable } = platform.engine.transact((unit) => {
    const { entry, state } = ownRecord(context, account, '/itemData/account')
    const changes = holdingChanges(context, state, given, '/itemData')
    unit.send<'account'>(entry, { type: 'command.update', changes })
    const updatedAccount = { onchainId: state.context.address, offchainId: state.id }
    const outcome: Outcome<Members> = {
      members: { updatedAccount },
      transactions: [],
      shape: 'member',
      awaited: 'confirmed',
    }
    rememberOutcome(call, unit, outcome)
    return outcome
  })
  await durable
  return result
}
