// Events `transaction.<status>`, one for each status that is written. The record's history contains the statuses
// between two writes.
import { isSuccess, STATUS, type TransactionState } from '../../../machines/transactions/transaction-record.ts'
import type { DomainEvent } from '../../engine/events/domain-events.ts'
import type { RecordState } from '../../engine/records/record.ts'
import type { JsonObject, JsonValue } from '../../contract/call.ts'
import { SIGNATURE_REQUESTED } from '../../contract/event-types.ts'
import { microseconds } from '../views/read-models/transaction.ts'

type Transaction = RecordState<'transaction'>

/**
 * Statuses without a signature in the event: before the transaction is sent, anyone who knows the signature could send
 * it.
 */
const UNSENT: ReadonlySet<string> = new Set<TransactionState>(['prepared', 'partiallySigned', 'signed'])

export function transactionEvents(previous: Transaction | undefined, next: Transaction): readonly DomainEvent[] {
  const { value, context } = next
  if (previous?.value === value && previous.context.error === context.error) return []
  const { fixed } = context
  const domainEvent: DomainEvent = {
    tenant: next.tenant,
    cluster: next.cluster,
    organization: fixed.organization,
    type: `transaction.${STATUS[value as TransactionState].toLowerCase()}`,
    onchainId: UNSENT.has(value) ? null : context.signature,
    offchainId: next.id,
    data: dataOf(next),
  }
  const { waitsFor } = fixed
  if (waitsFor === undefined || waitsFor.length === 0) return [domainEvent]
  return [visibleToSigners(domainEvent, waitsFor), ...(previous === undefined ? requests(domainEvent, waitsFor) : [])]
}

function dataOf({ value, context }: Transaction): JsonObject {
  const { error, fixed, history, slot, confirmations } = context
  const data: Record<string, JsonValue> = {
    success: isSuccess(value as TransactionState, context),
    status: STATUS[value as TransactionState],
    endpoint: fixed.endpoint,
  }
  if (fixed.externalReference !== undefined) data['externalReference'] = fixed.externalReference
  if (fixed.itemReferences !== undefined) data['itemReferences'] = fixed.itemReferences
  data['confirmationsCount'] = confirmations
  if (slot !== null) data['slot'] = slot
  if (error !== null) data['errorMessage'] = error
  data['txnTimestamp'] = microseconds(history.at(-1)?.at ?? fixed.preparedAt)
  return data
}

type Waiting = NonNullable<Transaction['context']['fixed']['waitsFor']>

/** Organizations of the same tenant whose keys the transaction needs see the same event. */
function visibleToSigners(domainEvent: DomainEvent, waitsFor: Waiting): DomainEvent {
  const organizations = waitsFor
    .filter(({ tenant }) => tenant === domainEvent.tenant)
    .map(({ organization }) => organization)
  return organizations.length === 0 ? domainEvent : { ...domainEvent, seenBy: organizations }
}

/**
 * Organizations of other tenants that accept signing requests receive one event with the request, and none about the
 * outcome.
 */
function requests(domainEvent: DomainEvent, waitsFor: Waiting): DomainEvent[] {
  // The reference is the client's own and is hidden from other tenants.
  const { externalReference: _own, itemReferences: _also, ...data } = domainEvent.data as JsonObject
  const tenants = new Set(waitsFor.map(({ tenant }) => tenant))
  tenants.delete(domainEvent.tenant)
  return [...tenants].map((tenant) => {
    const seenBy = waitsFor.filter((one) => one.tenant === tenant).map(({ organization }) => organization)
    return { ...domainEvent, data, type: SIGNATURE_REQUESTED, tenant, seenBy }
  })
}
