// PATCH /accounts: what a record says of an account, and who may do what with it. Nothing changes on chain.
import type { Outcome } from './call.ts'
import { holdingChanges } from './holdings/changes.ts'
import { rememberOutcome } from './idempotency.ts'
import type { AccountChangesInput, ItemBody } from './input.ts'
import type { Write } from './platform.ts'
import { ownRecord } from './resolve/own.ts'

export const updateAccount: Write<ItemBody<AccountChangesInput>> = async (platform, call, { itemData }) => {
  const { account, ...given } = itemData
  const { result, durable } = platform.engine.transact((unit) => {
    const { entry, state } = ownRecord(platform, call, account, '/itemData/account')
    const changes = holdingChanges(platform, call, state, given, '/itemData')
    unit.tell<'account'>(entry, { type: 'command.update', changes })
    const updatedAccount = { onchainId: state.context.address, offchainId: state.id }
    const outcome: Outcome = { members: { updatedAccount }, transactions: [], shape: 'member', awaited: 'confirmed' }
    rememberOutcome(call, unit, outcome)
    return outcome
  })
  await durable
  return result
}
