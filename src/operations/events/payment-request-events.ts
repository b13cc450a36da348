// `payment_request.created`; `payment_request.updated` when payments or the status change; `payment_request.closed`
// when it is paid for good, has expired or is cancelled.
import type { DomainEvent } from '../../engine/events/domain-events.ts'
import type { RecordState } from '../../engine/records/record.ts'
import { paymentRequestModel } from '../views/read-models/payment-request.ts'
import { recordEvent } from './record-event.ts'

type PaymentRequest = RecordState<'paymentRequest'>

export function paymentRequestEvents(
  previous: PaymentRequest | undefined,
  next: PaymentRequest,
): readonly DomainEvent[] {
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
