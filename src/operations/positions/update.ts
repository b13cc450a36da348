// PATCH /positions: changes descriptive members and debit limits of a position record. Nothing changes on chain.
import { alongWith } from '../../contract/together.ts'
import { approvalsForHolding, checkChanges, holdingChanges } from '../holdings/changes.ts'
import { changeRecords } from '../transactions/change-records.ts'
import type { ItemBody } from '../../contract/values/chain-config.ts'
import type { PositionChangesInput } from '../../contract/schemas/position.ts'
import type { Write } from '../context/platform.ts'
import { badRequest } from '../../contract/refusal.ts'
import { nothingNamed } from '../lookup/account.ts'
import { knownPosition, resolvePosition } from '../lookup/position.ts'
import { checkNoEscrow } from '../lookup/escrows.ts'
import type { WithIds } from '../../contract/schemas/members.ts'

type Members = WithIds<'updatedPosition'>

const POINTER = '/itemData/position'
const POSITION_NOT_FOUND = { code: 'POSITION_NOT_FOUND', refuse: badRequest }

export const updatePosition: Write<ItemBody<PositionChangesInput>, Members> = async (context, { itemData }) => {
  const { platform, call } = context
  const { position, ...given } = itemData
  return await changeRecords(context, (unit) => {
    const { entry, state } = alongWith(
      () => {
        const found = knownPosition(resolvePosition(context, position, POINTER), POINTER)
        const { tenant, context: holding } = found.state
        if (tenant === call.tenant && holding.organization === call.organization) return found
        throw nothingNamed(POSITION_NOT_FOUND, position.position === undefined ? POINTER : `${POINTER}/position`)
      },
      () => checkChanges(context, given, '/itemData'),
    )
    checkNoEscrow(platform.engine.directory, call, state.context.address, POINTER)
    const changes = holdingChanges(context, state, given, '/itemData')
    const needed = approvalsForHolding(context, state, given, changes)
    if (needed !== null) return needed
    unit.send<'position'>(entry, { type: 'command.update', changes })
    const updatedPosition = { onchainId: state.context.address, offchainId: state.id }
    return { members: { updatedPosition } }
  })
}
