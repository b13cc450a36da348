// PATCH /approval-policies: changes or removes a policy. The policy itself covers its own change, as long as it is in
// force. PATCH /approval-policies/release: the emergency exit when approvers are lost. PATCH /approval-policies/keep
// revokes it.
import type { ApprovalPolicyChanges, ApprovalPolicyEvent } from '../../../machines/approval-policy.ts'
import { ofKind, type RecordState } from '../../engine/records/record.ts'
import type { Entry } from '../../engine/records/entry.ts'
import type { UnitOfWork } from '../../engine/records/unit-of-work.ts'
import type { Call, Outcome } from '../../contract/call.ts'
import { recordAuditForOtherTenants } from '../context/audit-entries.ts'
import { command, commandAnywhere } from '../context/command.ts'
import { requireRecordServedHere, writerOf } from '../context/serving.ts'
import { changeRecords, outcomeOf } from '../transactions/change-records.ts'
import { rememberOutcome } from '../transactions/idempotency.ts'
import { heardByCaller, untilOthersAct } from '../transactions/heard-by.ts'
import type { ItemBody } from '../../contract/values/chain-config.ts'
import type { PolicyChangesInput, PolicyReference, ReleaseInput } from '../../contract/schemas/approval-policy.ts'
import { neededApprovals } from '../authorization/policies/changes.ts'
import type { Context, Write } from '../context/platform.ts'
import { badRequest, forbidden } from '../../contract/refusal.ts'
import { requirePlatformAdministrator } from '../../contract/roles.ts'
import { instrumentFor } from '../lookup/instrument.ts'
import { alongWith, together } from '../../contract/together.ts'
import {
  checkAbove,
  checkApprovers,
  checkTerms,
  instrumentOfLookup,
  inTerms,
  type NamedPolicy,
  policyNamed,
} from './terms.ts'
import type { WithId } from '../../contract/schemas/members.ts'

type Members = WithId<'updatedApprovalPolicy'>

/**
 * Throws 400 `POLICY_NOT_FOUND`, `POLICY_REMOVED`, `POLICY_TERMS_INVALID`, `TOO_FEW_APPROVERS`, `APPROVER_NOT_FOUND`,
 * `TOO_PRECISE`, `OVER_U64`.
 */
export const changePolicy: Write<ItemBody<PolicyChangesInput>, Members> = async (context, { itemData }) => {
  const { platform, call } = context
  const { offchainId, removed = false, ...given } = itemData
  return await changeRecords(context, (unit) => {
    unit.openFor(call.tenant)
    const { operations, approvers, requiredApproversCount, above, financialInstrument } = given
    const [{ entry, policy }, instrument] = alongWith(
      () =>
        together(
          () => policyNamed(context, offchainId),
          () => (financialInstrument == null ? null : instrumentOfLookup(context, financialInstrument)),
        ),
      () => checkApprovers(context, approvers ?? []),
    )
    const changes: ApprovalPolicyChanges = {
      ...(operations === undefined ? {} : { operations }),
      ...(approvers === undefined ? {} : { approvers }),
      ...(requiredApproversCount === undefined ? {} : { requiredApproversCount }),
      ...(above === undefined ? {} : { above }),
      ...(financialInstrument === undefined ? {} : { financialInstrument: inTerms(instrument) }),
    }
    if (policy.value === 'removed')
      throw badRequest('POLICY_REMOVED', 'the policy is removed, permanently', '/itemData/offchainId')
    if (!removed) {
      together(
        () => checkTerms(context, { ...policy.context, ...changes }),
        () => checkNewAbove(context, policy, changes, instrument),
      )
    }
    const needed = neededApprovals(context, {
      operation: 'APPROVAL_POLICIES',
      tenant: call.tenant,
      organizations: [call.organization],
      target: policy.id,
      resolved: changes,
      policy,
    })
    if (needed !== null) return needed
    const at = new Date(platform.clock.now()).toISOString()
    sendToPolicy(unit, entry, removed ? { type: 'command.remove', at } : { type: 'command.update', changes, at })
    return updatedPolicy(call, offchainId)
  })
}

/**
 * Terms that stay as they are remain valid: policies of earlier releases may have any `above`.
 *
 * @param named the instrument that the request names
 */
function checkNewAbove(
  context: Context,
  { context: before }: NamedPolicy['policy'],
  changes: ApprovalPolicyChanges,
  named: RecordState<'instrument'> | null,
): void {
  const { above, financialInstrument } = { ...before, ...changes }
  const isSameMint = financialInstrument?.address === before.financialInstrument?.address
  if (financialInstrument === null || (isSameMint && above === before.above)) return
  const member = changes.above === undefined ? 'financialInstrument' : 'above'
  checkAbove(above, named ?? instrumentFor(context, financialInstrument.address), `/itemData/${member}`)
}

/** Throws 403 `ROLE_REQUIRED`, 400 `POLICY_NOT_FOUND`, `POLICY_REMOVED`, `RELEASE_REQUESTED`. */
export const releasePolicy: Write<ItemBody<ReleaseInput>, Members> = async (context, { itemData }) => {
  const { platform, call } = context
  const { offchainId, reason } = itemData
  requirePlatformAdministrator(call.caller, 'releasing an approval policy')
  const { keyId } = call.caller
  await requireRecordServedHere(context, offchainId)
  const { result, durable } = platform.engine.transact((unit) => {
    const entry = platform.engine.directory.resident(offchainId)
    const policy = ofKind(entry?.head, 'approvalPolicy')
    if (entry === undefined || policy?.cluster !== call.cluster)
      throw badRequest('POLICY_NOT_FOUND', 'no such approval policy', '/itemData/offchainId')
    unit.openFor(writerOf(call))
    const at = new Date(platform.clock.now()).toISOString()
    const release = { type: 'command.release', requestedBy: keyId, reason, at } as const
    commandAnywhere<'approvalPolicy'>(unit, entry, release, '/itemData')
    const outcome = outcomeOf<Members>(updatedPolicy(call, offchainId))
    rememberOutcome(call, unit, outcome)
    recordAuditForOtherTenants(call, unit, outcome)
    return outcome
  })
  await durable
  await untilOthersAct(platform, result)
  platform.log?.warn(
    { policyId: offchainId, keyId, reason, requestId: call.requestId },
    'the release of an approval policy was announced',
  )
  return result
}

/** Throws 403 `NOT_AN_APPROVER`, 400 `POLICY_NOT_FOUND`, `NO_RELEASE`, `RELEASED`. */
export const keepPolicy: Write<ItemBody<PolicyReference>, Members> = async (context, { itemData: { offchainId } }) => {
  const { platform, call } = context
  const { caller } = call
  return await changeRecords(context, (unit) => {
    unit.openFor(call.tenant)
    const { entry, policy } = policyNamed(context, offchainId)
    const mayWrite = caller.roles.has('APPROVAL_POLICIES_WRITE') || caller.roles.has('TENANT_ADMIN')
    if (!mayWrite && !policy.context.approvers.includes(caller.keyId))
      throw forbidden(
        'NOT_AN_APPROVER',
        'only an approver of the policy, or a key that may write policies, may keep it',
      )
    sendToPolicy(unit, entry, { type: 'command.keep', at: new Date(platform.clock.now()).toISOString() })
    return updatedPolicy(call, offchainId)
  })
}

function updatedPolicy(call: Call, offchainId: string): Pick<Outcome<Members>, 'members' | 'heardBy'> {
  return { members: { updatedApprovalPolicy: { offchainId } }, ...heardByCaller(call) }
}

function sendToPolicy(unit: UnitOfWork, entry: Entry, event: ApprovalPolicyEvent): void {
  command<'approvalPolicy'>(unit, entry, event, '/itemData')
}
