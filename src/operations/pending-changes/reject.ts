// POST /pending-changes/reject: an approver rejects a change, or its requester withdraws it.
import type { RejectInput } from '../../contract/schemas/pending-change.ts'
import type { ItemBody } from '../../contract/values/chain-config.ts'
import type { Write } from '../context/platform.ts'
import { forbidden } from '../../contract/refusal.ts'
import { isAnApprover } from '../lookup/approvers.ts'
import { changeRecords } from '../transactions/change-records.ts'
import { command } from '../context/command.ts'
import { changeNamed } from './record.ts'
import type { NoMembers } from '../../contract/schemas/members.ts'

/** Throws 400 `PENDING_CHANGE_NOT_FOUND`, `CHANGE_ENDED`, 403 `NOT_AN_APPROVER`. */
export const rejectChange: Write<ItemBody<RejectInput>, NoMembers> = async (
  context,
  { itemData: { offchainId, reason = null } },
) => {
  const { platform, call } = context
  const { keyId } = call.caller
  return await changeRecords(context, (unit) => {
    unit.openFor(call.tenant)
    const { entry, change } = changeNamed(context, offchainId)
    const { approval } = change.context
    if (!approval.requesters.includes(keyId) && !isAnApprover(platform.engine.directory, keyId, approval))
      throw forbidden('NOT_AN_APPROVER', 'only an approver or the requester may reject the change')
    command<'pendingChange'>(unit, entry, {
      type: 'command.reject',
      keyId,
      reason,
      at: new Date(platform.clock.now()).toISOString(),
    })
    return { members: {}, pendingChange: offchainId }
  })
}
