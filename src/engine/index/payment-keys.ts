// Index keys of payment requests.
import { ofKind, type RecordState } from '../records/record.ts'

const SEPARATOR = '\u0000'

/** Watched payment requests of a tenant. */
export function openPaymentRequestsKey(tenant: string): string {
  return ['payreqs', tenant].join(SEPARATOR)
}

/** The payment request whose payer's page has this id. */
export function payIdKey(payId: string): string {
  return ['pay', payId].join(SEPARATOR)
}

/** undefined: the record is of another kind. */
export function keysOfPaymentRequest(state: RecordState): string[] | undefined {
  const request = ofKind(state, 'paymentRequest')
  if (request === undefined) return undefined
  const { payId, watched } = request.context
  return watched ? [payIdKey(payId), openPaymentRequestsKey(request.tenant)] : [payIdKey(payId)]
}

/** False if a member that `keysOfPaymentRequest` reads differs. */
export function hasSamePaymentKeys(previous: RecordState, next: RecordState): boolean {
  return ofKind(previous, 'paymentRequest')?.context.watched === ofKind(next, 'paymentRequest')?.context.watched
}
