// `transaction.<status>`: one for each status that is written. What was passed through between two writes stands in the record's history.
import { isSuccess, STATUS, type TransactionState } from '../../../machines/transaction-record.ts'
import type { Told } from '../../engine/events/domain-events.ts'
import type { RecordState } from '../../engine/records/record.ts'
import type { JsonObject } from '../../contract/call.ts'
import { microseconds } from '../views/read-models/transaction.ts'

type Transaction = RecordState<'transaction'>

export const SIGNATURE_REQUESTED = 'transaction.signature_requested'

/** Its signature, which is its id on chain, is told once it is on its way: before, whoever knows it could send it. */
const UNSENT: ReadonlySet<string> = new Set<TransactionState>(['prepared', 'partiallySigned', 'signed'])

export function tellTransaction(previous: Transaction | undefined, next: Transaction): readonly Told[] {
  const { value, context } = next
  if (previous?.value === value && previous.context.error === context.error) return []
  const { fixed } = context
  const told: Told = {
    tenant: next.tenant,
    cluster: next.cluster,
    organization: fixed.organization,
    type: `transaction.${STATUS[value as TransactionState].toLowerCase()}`,
    onchainId: UNSENT.has(value) ? null : context.signature,
    offchainId: next.id,
    data: dataOf(next),
  }
  const { waitsFor } = fixed
  if (waitsFor === undefined || waitsFor.length === 0) return [told]
  return [withFellows(told, waitsFor), ...(previous === undefined ? requests(told, waitsFor) : [])]
}

function dataOf({ value, context }: Transaction): JsonObject {
  const { error, fixed, history, slot, confirmations } = context
  return {
    success: isSuccess(value as TransactionState, context),
    status: STATUS[value as TransactionState],
    endpoint: fixed.endpoint,
    ...(fixed.externalReference === undefined ? {} : { externalReference: fixed.externalReference }),
    confirmationsCount: confirmations,
    ...(slot === null ? {} : { slot }),
    ...(error === null ? {} : { errorMessage: error }),
    txnTimestamp: microseconds(history.at(-1)?.at ?? fixed.preparedAt),
  }
}

type Waiting = NonNullable<Transaction['context']['fixed']['waitsFor']>

/** Organizations of the same tenant whose keys it waits for see the same event. */
function withFellows(told: Told, waitsFor: Waiting): Told {
  const fellows = waitsFor.filter(({ tenant }) => tenant === told.tenant).map(({ organization }) => organization)
  return fellows.length === 0 ? told : { ...told, seenBy: fellows }
}

/** Other tenants, which accept to be asked, hear once that they are asked to sign, and of nothing that comes of it. */
function requests(told: Told, waitsFor: Waiting): Told[] {
  // The reference is the client's own, and says nothing to other tenants.
  const { externalReference: _own, ...data } = told.data as JsonObject
  const tenants = new Set(waitsFor.map(({ tenant }) => tenant))
  tenants.delete(told.tenant)
  return [...tenants].map((tenant) => {
    const seenBy = waitsFor.filter((one) => one.tenant === tenant).map(({ organization }) => organization)
    return { ...told, data, type: SIGNATURE_REQUESTED, tenant, seenBy }
  })
}
