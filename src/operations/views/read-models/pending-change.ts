// The read model of a pending change. It contains the request, which its approvers decide on.
import { ofKind, type RecordState } from '../../../engine/records/record.ts'
import type { PendingChangeState } from '../../../../machines/pending-change.ts'
import type { JsonObject } from '../../../contract/call.ts'
import type { Platform } from '../../context/platform.ts'
import { shownObject } from './item-data.ts'
import { approvalOf } from './transaction.ts'
import type { PendingChangeModel } from '../../../contract/schemas/pending-change.ts'

export const PENDING_CHANGE_STATUS: Readonly<Record<PendingChangeState, PendingChangeModel['status']>> = {
  pending: 'PENDING',
  applied: 'APPLIED',
  rejected: 'REJECTED',
  expired: 'EXPIRED',
}

export function pendingChangeModel({ id, value, context }: RecordState<'pendingChange'>): PendingChangeModel {
  const {
    organization,
    operation,
    endpoint,
    itemData,
    requester,
    approval,
    result,
    rejectedBy,
    rejectedBecause,
    createdAt,
    endedAt,
  } = context
  return {
    offchainId: id,
    status: PENDING_CHANGE_STATUS[value as PendingChangeState],
    operation,
    endpoint,
    itemData: shownObject(itemData),
    requestedBy: requester.keyId,
    approvers: approversOf(context),
    approval: approvalOf(approval),
    result: result as JsonObject | null,
    rejectedBy,
    rejectedBecause,
    createdAt,
    endedAt,
    tenantOrganizationId: organization,
  }
}

/** The keys and subjects that may approve the change; its requesters may not. */
export function approversOf({
  approval,
}: Pick<RecordState<'pendingChange'>['context'], 'approval'>): readonly string[] {
  return [...new Set(approval.entries.flatMap(({ approvers }) => approvers))].filter(
    (keyId) => !approval.requesters.includes(keyId),
  )
}

export function pendingChangeShown(
  { engine }: Platform,
  id: string,
): PendingChangeModel | { readonly offchainId: string } {
  const change = ofKind(engine.directory.byId(id)?.committed, 'pendingChange')
  return change === undefined ? { offchainId: id } : pendingChangeModel(change)
}
