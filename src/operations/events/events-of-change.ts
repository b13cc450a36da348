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
import { loanEvents } from './loan-events.ts'
import { transactionEvents } from './transaction-events.ts'
import { counterpartyModel } from '../views/read-models/counterparty.ts'
import { recordEvent } from './record-event.ts'
import { approvalPolicyModel } from '../views/read-models/approval-policy.ts'
import { pendingChangeModel } from '../views/read-models/pending-change.ts'
import type { BatchState } from '../../../machines/batch.ts'
import { batchModel } from '../views/read-models/batch.ts'
import type { DistributionState } from '../../../machines/distribution.ts'
import { distributionModel } from '../views/read-models/distribution.ts'
import { scheduleModel } from '../views/read-models/schedule.ts'
import { paymentRequestModel } from '../views/read-models/payment-request.ts'

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

type Counterparty = RecordState<'counterparty'>

/** `counterparty.created` and `counterparty.updated`, with the whole read model. */
function counterpartyEvents(previous: Counterparty | undefined, next: Counterparty): readonly DomainEvent[] {
  if (previous?.context === next.context) return []
  const type = previous === undefined ? 'counterparty.created' : 'counterparty.updated'
  return [recordEvent(type, next, counterpartyModel(next))]
}

type Policy = RecordState<'approvalPolicy'>

/** `approval_policy.created`, `.updated` for every change of a policy, `.closed` when it is removed. */
function approvalPolicyEvents(previous: Policy | undefined, next: Policy): readonly DomainEvent[] {
  if (previous !== undefined && previous.context === next.context && previous.value === next.value) return []
  const change = previous === undefined ? 'created' : next.value === 'removed' ? 'closed' : 'updated'
  const data = approvalPolicyModel(next)
  return [recordEvent(`approval_policy.${change}`, next, data)]
}

type Change = RecordState<'pendingChange'>

/** `pending_change.created`, `.updated` with each approval, `.closed` when it is applied, rejected or expired. */
function pendingChangeEvents(previous: Change | undefined, next: Change): readonly DomainEvent[] {
  if (previous !== undefined && previous.context === next.context && previous.value === next.value) return []
  const change = previous === undefined ? 'created' : next.value === 'pending' ? 'updated' : 'closed'
  const data = pendingChangeModel(next)
  return [recordEvent(`pending_change.${change}`, next, data)]
}

type Batch = RecordState<'batch'>

const ENDED_BATCH: ReadonlySet<string> = new Set<BatchState>(['done', 'failed', 'cancelled'])

/**
 * `batch.created` once it is accepted, `.updated` when its status changes, `.closed` when it ends.
 * A retry opens it again.
 */
function batchEvents(previous: Batch | undefined, next: Batch): readonly DomainEvent[] {
  const before = previous?.value ?? 'preparing'
  // A batch that was never acknowledged has no events.
  if (next.value === before || (before === 'preparing' && next.value === 'cancelled')) return []
  const type = before === 'preparing' ? 'batch.created' : ENDED_BATCH.has(next.value) ? 'batch.closed' : 'batch.updated'
  return [recordEvent(type, next, batchModel(next))]
}

type Distribution = RecordState<'distribution'>

const ENDED_DISTRIBUTION: ReadonlySet<string> = new Set<DistributionState>(['done', 'failed', 'cancelled'])

/** `distribution.created`, `.updated` when its status changes, `.closed` when it ends. */
function distributionEvents(previous: Distribution | undefined, next: Distribution): readonly DomainEvent[] {
  if (previous?.value === next.value) return []
  const type =
    previous === undefined
      ? 'distribution.created'
      : ENDED_DISTRIBUTION.has(next.value)
        ? 'distribution.closed'
        : 'distribution.updated'
  return [recordEvent(type, next, distributionModel(next))]
}

type Schedule = RecordState<'schedule'>

/**
 * `schedule.created`; `.updated` when an occurrence is attempted or missed, when the number of consecutive failures
 * changes, and when the status changes; `.closed` when it ends or is cancelled.
 */
function scheduleEvents(previous: Schedule | undefined, next: Schedule): readonly DomainEvent[] {
  const { value } = next
  if (previous !== undefined && isAlike(previous, next)) return []
  const isOver = value === 'ended' || value === 'cancelled'
  const isClosing = isOver && previous?.value !== value
  const type = previous === undefined ? 'schedule.created' : isClosing ? 'schedule.closed' : 'schedule.updated'
  return [recordEvent(type, next, scheduleModel(next))]
}

function isAlike(a: Schedule, b: Schedule): boolean {
  return (
    a.value === b.value &&
    a.context.runs === b.context.runs &&
    a.context.missed === b.context.missed &&
    a.context.failuresInARow === b.context.failuresInARow &&
    a.context.next?.at === b.context.next?.at
  )
}

type PaymentRequest = RecordState<'paymentRequest'>

/**
 * `payment_request.created`; `.updated` when payments or the status change; `.closed` when it is paid for good, has
 * expired or is cancelled.
 */
function paymentRequestEvents(previous: PaymentRequest | undefined, next: PaymentRequest): readonly DomainEvent[] {
  const { value, context } = next
  const before = previous?.context
  const isAlike =
    before !== undefined &&
    previous?.value === value &&
    before.payments === context.payments &&
    before.endedAt === context.endedAt
  if (isAlike) return []
  const isClosing = before?.endedAt === null && context.endedAt !== null
  const type =
    previous === undefined
      ? 'payment_request.created'
      : isClosing
        ? 'payment_request.closed'
        : 'payment_request.updated'
  return [recordEvent(type, next, paymentRequestModel(next))]
}
