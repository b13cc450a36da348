// POST /pending-changes/approve: an approver approves a change. The last approval and the change are one write. The
// change is evaluated again at that time, with the current rights of its requester; a refusal is returned to the
// approver.
import { approve, hold, type Approval, type ApprovalEntry } from '../../../machines/approval.ts'
import type { UnitOfWork } from '../../engine/records/unit-of-work.ts'
import type { Call, JsonObject, Outcome } from '../../contract/call.ts'
import type { ChangeReference } from '../../contract/schemas/pending-change.ts'
import type { ItemBody } from '../../contract/values/chain-config.ts'
import { isGiven } from '../authorization/limits/enforce.ts'
import type { ApprovedCall } from '../authorization/policies/changes.ts'
import type { Write, Context } from '../context/platform.ts'
import { badRequest } from '../../contract/refusal.ts'
import { checkMayGive, checkNotGiven } from '../authorization/policies/may-give.ts'
import { requesterNow } from '../lookup/subjects.ts'
import { rememberOutcome } from '../transactions/idempotency.ts'
import { callerOf } from '../transactions/plans/requester.ts'
import type { SharedCall } from '../transactions/shared-call.ts'
import { isSubject } from '../lookup/subjects.ts'
import { COVERED_REQUESTS } from './operations.ts'
import { command } from '../context/command.ts'
import { changeNamed, type NamedChange } from './record.ts'
import type { NoMembers } from '../../contract/schemas/members.ts'

/**
 * Throws 400 `PENDING_CHANGE_NOT_FOUND`, `CHANGE_ENDED`, `ALREADY_APPROVED`, `APPROVAL_LAPSED`, `REQUESTER_DISABLED`,
 * `REQUESTER_EXPIRED`, 403 `NOT_AN_APPROVER`, `REQUESTER_CANNOT_APPROVE`, `APPROVALS_SUSPENDED`, and the refusals of
 * the change.
 */
export const approveChange: Write<ItemBody<ChangeReference>, NoMembers> = async (
  { platform, call },
  { itemData: { offchainId } },
) => {
  const named = changeNamed({ platform, call }, offchainId)
  const { value, context } = named.change
  checkNotGiven(call.caller.keyId, context.approval)
  if (value !== 'pending')
    throw badRequest('CHANGE_ENDED', 'the change is applied, rejected or expired', '/itemData/offchainId')
  checkMayGive(platform, call.caller.keyId, context.approval)
  const outcome: Outcome<NoMembers> = {
    members: {},
    transactions: [],
    shape: 'member',
    awaited: 'confirmed',
    pendingChange: offchainId,
  }
  const { keyId } = call.caller
  const at = new Date(platform.clock.now()).toISOString()
  for (;;) {
    const missing = await apply({ platform, call }, named, outcome)
    if (missing === null) return outcome
    const { result: isRecorded, durable } = platform.engine.transact((unit) => {
      unit.openFor(call.tenant)
      // Another approval may have been recorded since the change was tried: with both it can be applied.
      const next = approve((named.entry.head as typeof named.change).context.approval, { keyId }, at)
      if (next.ok && isGiven(platform, withEntries(next.value, missing))) {
        unit.discard()
        return false
      }
      command<'pendingChange'>(unit, named.entry, { type: 'command.approve', keyId, at })
      command<'pendingChange'>(unit, named.entry, { type: 'command.hold', entries: missing })
      rememberOutcome(call, unit, outcome)
      return true
    })
    if (!isRecorded) continue
    await durable
    return outcome
  }
}

/**
 * Runs the requested operation. Returns null if the change was made with this approval. Otherwise nothing has changed,
 * and the result is the policies that must be approved first.
 */
async function apply(
  context: Context,
  { entry, change }: NamedChange,
  outcome: Outcome,
): Promise<readonly ApprovalEntry[] | null> {
  const { platform, call } = context
  const { endpoint, itemData, kept } = change.context
  const write = COVERED_REQUESTS[endpoint]
  if (write === undefined) throw new Error(`no operation makes a pending change of ${endpoint}`)
  const decision: { isApplied: boolean; entries: readonly ApprovalEntry[] } = { isApplied: false, entries: [] }
  const at = new Date(platform.clock.now()).toISOString()
  const { keyId } = call.caller
  const within = (unit: UnitOfWork, { members }: Outcome): void => {
    // Read again, because another approval may have been recorded since the request was read.
    const { approval } = (entry.head as typeof change).context
    const next = approve(approval, { keyId }, at)
    decision.isApplied = !next.ok || isGiven(platform, withEntries(next.value, decision.entries))
    if (!decision.isApplied) {
      unit.discard()
      return
    }
    command<'pendingChange'>(unit, entry, { type: 'command.approve', keyId, at })
    command<'pendingChange'>(unit, entry, { type: 'command.apply', result: members, at })
    rememberOutcome(call, unit, outcome)
  }
  const asks = (more: readonly ApprovalEntry[]): void => {
    decision.entries = more
  }
  const requester: ApprovedCall & SharedCall = {
    ...asRequester(context, change),
    approved: { kept: kept as JsonObject | null, asks },
    within,
  }
  await write({ platform, call: requester }, { itemData } as never)
  return decision.isApplied ? null : decision.entries
}

/** Adds the policies that the change needs now. Existing approvals do not count for the added ones. */
function withEntries(approval: Approval, entries: readonly ApprovalEntry[]): Approval {
  return hold(approval, { ...approval, entries })
}

/** The original request, with the rights that its key has now. Throws 400 `REQUESTER_DISABLED`, `REQUESTER_EXPIRED`. */
function asRequester({ platform, call }: Context, { tenant, cluster, context }: NamedChange['change']): Call {
  const { organization, requester, endpoint, requestId } = context
  const before = callerOf(requester)
  const key = requesterNow(platform, { tenant, organization, keyId: requester.keyId })
  // The roles of a token subject are known from its request only.
  const caller =
    isSubject(requester.keyId) || key === undefined ? before : { ...before, roles: new Set(key.context.roles) }
  return { ...call, caller, organization, tenant, cluster, endpoint, requestId, idempotency: null, dryRun: false }
}
