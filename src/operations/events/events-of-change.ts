// Defines which committed changes become events, and their contents. An event contains what clients see of a record.
// Reservations for open transactions have no events (the transaction's events report them), and neither have internal
// records. Organizations, API keys and suspended lanes belong to no cluster or to no client; the audit log reports
// them.
import type { Kind } from '../../../machines/kinds.ts'
import type { DomainEvent } from '../../engine/events/domain-events.ts'
import type { HoldingState, RecordState } from '../../engine/records/record.ts'
import type { JsonObject } from '../../contract/call.ts'
import { accountCompact } from '../views/read-models/account.ts'
import { extended } from '../views/read-models/extended.ts'
import { changedAccount } from './account-changes.ts'
import { changedInstrument, changedNonce, changedPosition, changedSource, changedTable } from './holding-changes.ts'
import { approvalPolicyEvents } from './approval-policy-events.ts'
import { batchEvents } from './batch-events.ts'
import { distributionEvents } from './distribution-events.ts'
import { counterpartyEvents } from './counterparty-events.ts'
import { pendingChangeEvents } from './pending-change-events.ts'
import { loanEvents } from './loan-events.ts'
import { paymentRequestEvents } from './payment-request-events.ts'
import { scheduleEvents } from './schedule-events.ts'
import { transactionEvents } from './transaction-events.ts'

type EventsOf<K extends Kind> = (previous: RecordState<K> | undefined, next: RecordState<K>) => readonly DomainEvent[]

const SILENT = null

/** The events of every kind of record. */
const EVENTS_BY_KIND: { readonly [K in Kind]: EventsOf<K> | typeof SILENT } = {
  account: holding('account', changedAccount),
  position: holding('position', changedPosition),
  instrument: holding('instrument', changedInstrument),
  nonce: holding('nonce', changedNonce),
  dataSource: holding('data_source', changedSource),
  lookupTable: holding('lookup_table', changedTable),
  transaction: transactionEvents,
  countersignature: SILENT,
  plan: SILENT,
  batch: batchEvents,
  distribution: distributionEvents,
  // The events of its batch and of its transaction report it.
  batchItem: SILENT,
  approvalPolicy: approvalPolicyEvents,
  pendingChange: pendingChangeEvents,
  schedule: scheduleEvents,
  // The events of its schedule and of its transaction report it.
  occurrence: SILENT,
  counterparty: counterpartyEvents,
  paymentRequest: paymentRequestEvents,
  organization: SILENT,
  apiKey: SILENT,
  // Terms of a lender; borrowers receive the events of their loans.
  strategy: SILENT,
  loan: loanEvents,
  suspension: SILENT,
  // Events about deliveries would themselves have to be delivered.
  webhook: SILENT,
}

/** `previous`: the record as last written. */
export function eventsOfChange(previous: RecordState | undefined, next: RecordState): readonly DomainEvent[] {
  const eventsOf = EVENTS_BY_KIND[next.kind] as EventsOf<Kind> | null
  return eventsOf === null ? [] : eventsOf(previous, next)
}

/**
 * `<kind>.created` with the compact read model, `.updated` with the changed members, `.closed`.
 * @param changes members of the read model that differ, undefined if none does; for a new record, all members beyond
 * the compact model
 */
function holding<S extends HoldingState>(
  kind: string,
  changes: (previous: S | undefined, next: S) => JsonObject | undefined,
): (previous: S | undefined, next: S) => readonly DomainEvent[] {
  return (previous, next) => {
    const changed = changes(previous, next)
    if (previous === undefined)
      return [domainEvent(`${kind}.created`, next, extended(accountCompact(next), changed ?? {}))]
    const closed = next.value === 'closed' && previous.value !== 'closed'
    if (changed === undefined && !closed) return []
    return [domainEvent(closed ? `${kind}.closed` : `${kind}.updated`, next, changed ?? {})]
  }
}

function domainEvent(type: string, { tenant, cluster, id, context }: HoldingState, data: JsonObject): DomainEvent {
  const { organization, address, shared } = context
  const common = { tenant, cluster, organization, type, onchainId: address, offchainId: id, data }
  return shared ? { ...common, seenBy: 'shared' } : common
}
