// Defines which committed changes become events, and their contents. An event contains what clients see of a record.
// Reservations for open transactions have no events (the transaction's events report them), and neither have internal
// records. Organizations, API keys and suspended lanes belong to no cluster or to no client: the audit log reports
// them.
import type { Kind } from '../../../machines/kinds.ts'
import type { Told } from '../../engine/events/domain-events.ts'
import type { HoldingState, RecordState } from '../../engine/records/record.ts'
import type { JsonObject } from '../../contract/call.ts'
import { accountCompact } from '../views/read-models/account.ts'
import { changedAccount } from './account-changes.ts'
import { changedInstrument, changedNonce, changedPosition, changedSource, changedTable } from './holding-changes.ts'
import { tellApprovalPolicy } from './tell-approval-policy.ts'
import { tellBatchChange } from './tell-batch.ts'
import { tellDistribution } from './tell-distribution.ts'
import { tellCounterparty } from './tell-counterparty.ts'
import { tellPendingChange } from './tell-pending-change.ts'
import { tellLoan } from './tell-loan.ts'
import { paymentRequestEvents } from './tell-payment-request.ts'
import { scheduleEvents } from './tell-schedule.ts'
import { tellTransaction } from './tell-transaction.ts'

type Tell<K extends Kind> = (previous: RecordState<K> | undefined, next: RecordState<K>) => readonly Told[]

const SILENT = null

/** The events of every kind of record. */
const TOLD: { readonly [K in Kind]: Tell<K> | typeof SILENT } = {
  account: holding('account', changedAccount),
  position: holding('position', changedPosition),
  instrument: holding('instrument', changedInstrument),
  nonce: holding('nonce', changedNonce),
  dataSource: holding('data_source', changedSource),
  lookupTable: holding('lookup_table', changedTable),
  transaction: tellTransaction,
  countersignature: SILENT,
  plan: SILENT,
  batch: tellBatchChange,
  distribution: tellDistribution,
  // Its transaction says what becomes of it.
  batchItem: SILENT,
  approvalPolicy: tellApprovalPolicy,
  pendingChange: tellPendingChange,
  schedule: scheduleEvents,
  // The events of its schedule and of its transaction report it.
  occurrence: SILENT,
  counterparty: tellCounterparty,
  paymentRequest: paymentRequestEvents,
  organization: SILENT,
  apiKey: SILENT,
  // Terms of a lender; borrowers receive the events of their loans.
  strategy: SILENT,
  loan: tellLoan,
  suspension: SILENT,
  // Events about deliveries would themselves have to be delivered.
  webhook: SILENT,
}

/** `previous`: the record as last written. */
export function tellChange(previous: RecordState | undefined, next: RecordState): readonly Told[] {
  const tell = TOLD[next.kind] as Tell<Kind> | null
  return tell === null ? [] : tell(previous, next)
}

/**
 * `<kind>.created` with the compact read model, `.updated` with the changed members, `.closed`.
 * @param changes members of the read model that differ, undefined if none does; for a new record, all members beyond
 * the compact model
 */
function holding<S extends HoldingState>(
  kind: string,
  changes: (previous: S | undefined, next: S) => JsonObject | undefined,
): (previous: S | undefined, next: S) => readonly Told[] {
  return (previous, next) => {
    const changed = changes(previous, next)
    if (previous === undefined) return [told(`${kind}.created`, next, { ...accountCompact(next), ...changed })]
    const closed = next.value === 'closed' && previous.value !== 'closed'
    if (changed === undefined && !closed) return []
    return [told(closed ? `${kind}.closed` : `${kind}.updated`, next, changed ?? {})]
  }
}

function told(type: string, { tenant, cluster, id, context }: HoldingState, data: JsonObject): Told {
  const { organization, address, shared } = context
  const common = { tenant, cluster, organization, type, onchainId: address, offchainId: id, data }
  return shared ? { ...common, seenBy: 'shared' } : common
}
