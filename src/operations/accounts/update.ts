// PATCH /accounts: changes descriptive members and permissions of an account record. Nothing changes on chain.
import { alongWith } from '../../contract/together.ts'
import { approvalsForHolding, checkChanges, holdingChanges } from '../holdings/changes.ts'
import { changeRecords } from '../transactions/change-records.ts'
import type { AccountChangesInput } from '../../contract/schemas/account.ts'
import type { ItemBody } from '../../contract/values/chain-config.ts'
import type { Write } from '../context/platform.ts'
import { ownRecord } from '../lookup/own.ts'
import type { WithIds } from '../../contract/schemas/members.ts'

type Members = WithIds<'updatedAccount'>

export const updateAccount: Write<ItemBody<AccountChangesInput>, Members> = async (context, { itemData }) => {
  const { account, ...given } = itemData
  return await changeRecords(context, (unit) => {
    const { entry, state } = alongWith(
      () => ownRecord(context, account, '/itemData/account'),
      () => checkChanges(context, given, '/itemData'),
    )
    const changes = holdingChanges(context, state, given, '/itemData')
    const needed = approvalsForHolding(context, state, given, changes)
    if (needed !== null) return needed
    unit.send<'account'>(entry, { type: 'command.update', changes })
    const updatedAccount = { onchainId: state.context.address, offchainId: state.id }
    return { members: { updatedAccount } }
  })
}
