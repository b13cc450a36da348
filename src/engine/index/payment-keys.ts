// Index keys of payment requests.
import type { RecordState } from '../records/record.ts'

const SEPARATOR = '\u0000'

/** Watched payment requests of a tenant. */
export function openPaymentRequestsKey(tenant: string): string {
  return ['payreqs', tenant].join(SEPARATOR)
}

/** The payment request whose payer's page has this id. */
export function payIdKey(payId: string): string {
  return ['pay', payId].join(SEPARATOR)
}

export function paymentRequestKeys({ tenant, context: { payId, watched } }: RecordState<'paymentRequest'>): string[] {
  return watched ? [payIdKey(payId), openPaymentRequestsKey(tenant)] : [payIdKey(payId)]
}
