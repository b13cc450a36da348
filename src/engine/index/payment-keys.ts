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

/** The payment request that has this reference key. */
export function paymentReferenceKey(cluster: string, reference: string): string {
  return ['payref', cluster, reference].join(SEPARATOR)
}

export function paymentRequestKeys({ tenant, cluster, context }: RecordState<'paymentRequest'>): string[] {
  const keys = [payIdKey(context.payId), paymentReferenceKey(cluster, context.reference)]
  return context.watched ? [...keys, openPaymentRequestsKey(tenant)] : keys
}
