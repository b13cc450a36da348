// Changes of records that approval policies cover. The operation that makes a change asks here, inside the unit of work
// of the change. An uncovered change proceeds. A covered one discards the unit, and the request is stored as a pending
// change. An approved one is written together with the record of its approval.
import type { ApprovalEntry } from '../../../../machines/approval.ts'
import type { RecordOperation } from '../../../../machines/approval-policy.ts'
import type { RecordState } from '../../../engine/records/record.ts'
import type { Call, ChangeValues, JsonObject, NeededApprovals } from '../../../contract/call.ts'
import { forbidden } from '../../../contract/refusal.ts'
import type { Context } from '../../context/platform.ts'
import { coversMint, entryOf, policiesFor } from './covering.ts'

export interface CoveredChange {
  readonly operation: RecordOperation
  /** Tenant of the changed record. */
  readonly tenant: string
  /** External ids of the organizations concerned: that of the changed record, and the requesting one. */
  readonly organizations: readonly string[]
  /** Id of the changed record. An approval covers this record only, even if the lookup later finds another one. */
  readonly target?: string
  /**
   * The records that the lookups of the request resolve to. JSON. An approval covers only these records: keys outside
   * the policy can give the references to other accounts.
   */
  readonly resolved?: unknown
  /** The mint whose supply may grow: policies for MINT cover the change, too. */
  readonly mint?: string
  /** The policy that is changed: it covers its own changes. */
  readonly policy?: RecordState<'approvalPolicy'>
}

/** A change that is being applied with its approvals. */
export interface ApprovedChange {
  /** The result of `decide` at the time of the request; null: none. */
  readonly kept: JsonObject | null
  /** Receives the approvals that the change needs now. */
  readonly asks: (entries: readonly ApprovalEntry[]) => void
}

export interface ApprovedCall extends Call {
  readonly approved?: ApprovedChange
}

/**
 * Call it within the unit of work, before the change. Returns null if no approval is needed, as for an approved change;
 * only then may the unit make the change.
 *
 * Throws 403 `APPROVAL_REQUIRED` for a covered change in another tenant.
 */
export function neededApprovals(
  { platform, call }: Context,
  change: CoveredChange,
  decide?: () => ChangeValues,
): NeededApprovals | null {
  const { operation, tenant, organizations, target, resolved, mint, policy } = change
  const {
    engine: { directory },
    clock,
  } = platform
  const covering = policiesFor(directory, { tenant, organizations, now: clock.now() }).filter(
    (each) =>
      each.id === policy?.id ||
      each.context.operations.includes(operation) ||
      (mint !== undefined && coversMint(each, call.cluster, mint)),
  )
  const shown = target === undefined ? {} : { target }
  const entries = covering.map((each) => entryOf(each, [operation], shown, resolved))
  const { approved } = call as ApprovedCall
  if (approved !== undefined) {
    approved.asks(entries)
    return null
  }
  if (entries.length === 0) return null
  if (tenant !== call.tenant)
    throw forbidden(
      'APPROVAL_REQUIRED',
      'approval policies of the tenant cover the change: request it with a key of the tenant, or for the tenant',
    )
  return { operation, entries, decided: decide?.() ?? null }
}

/** The result of `decide` when the approved change was requested; null: none, or the call is not an approved change. */
export function keptSinceRequest(call: ApprovedCall): JsonObject | null {
  return call.approved?.kept ?? null
}
