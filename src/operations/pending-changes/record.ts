// Finds a pending change for those who may read, approve or reject it.
import type { Entry } from '../../engine/records/entry.ts'
import { ofKind, type RecordState } from '../../engine/records/record.ts'
import type { Context } from '../context/platform.ts'
import { badRequest } from '../../contract/refusal.ts'
import { isAnApprover } from '../lookup/approvers.ts'

export interface NamedChange {
  readonly entry: Entry
  readonly change: RecordState<'pendingChange'>
}

/**
 * A change of the request's organization, or one that the caller may approve. Throws 400 `PENDING_CHANGE_NOT_FOUND`.
 */
export function changeNamed(
  { platform: { engine }, call: { tenant, organization, cluster, caller } }: Context,
  offchainId: string,
): NamedChange {
  const entry = engine.directory.byId(offchainId)
  const change = ofKind(entry?.committed === undefined ? undefined : entry.head, 'pendingChange')
  const isApprover = isAnApprover(engine.directory, caller.keyId, change?.context.approval)
  const isVisible =
    change?.tenant === tenant &&
    change.cluster === cluster &&
    (change.context.organization === organization || isApprover)
  if (entry !== undefined && change !== undefined && isVisible) return { entry, change }
  throw badRequest(
    'PENDING_CHANGE_NOT_FOUND',
    'the organization has no pending change with this id',
    '/itemData/offchainId',
  )
}
