// Read model of payment requests, with the Solana Pay URL.
import { amountJson } from '../../../../machines/amount.ts'
import {
  isFinal,
  sumReceived,
  type PaymentRequestContext,
  type PaymentRequestState,
} from '../../../../machines/payment-request.ts'
import type { RecordState } from '../../../engine/records/record.ts'
import { qrSvg } from '../../../qr/svg.ts'
import type { PaymentRequestModel } from '../../../contract/schemas/payment-request.ts'

export const PAYMENT_REQUEST_STATUS: Readonly<Record<PaymentRequestState, PaymentRequestModel['status']>> = {
  open: 'OPEN',
  underpaid: 'UNDERPAID',
  paid: 'PAID',
  overpaid: 'OVERPAID',
  expired: 'EXPIRED',
  cancelled: 'CANCELLED',
}

/** URL of a transfer request by the Solana Pay specification. */
export function payUrl(
  context: Pick<PaymentRequestContext, 'destination' | 'mint' | 'decimals' | 'amount' | 'label' | 'memo' | 'reference'>,
): string {
  const { destination, mint, decimals, amount, label, memo, reference } = context
  const members: [string, string][] = [
    ['amount', plainAmount(amount, decimals)],
    ...(mint === null ? [] : [['spl-token', mint.address] as [string, string]]),
    ['reference', reference],
    ['label', label],
    ...(memo === null ? [] : [['memo', memo] as [string, string]]),
  ]
  return `solana:${destination.address}?${members.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('&')}`
}

/** Decimal text without an exponent or trailing zeros. */
export function plainAmount(raw: string, decimals: number): string {
  const digits = raw.padStart(decimals + 1, '0')
  const [whole, fraction] = [
    digits.slice(0, digits.length - decimals),
    digits.slice(digits.length - decimals).replace(/0+$/, ''),
  ]
  return fraction === '' ? whole : `${whole}.${fraction}`
}

/** Path of the page for the payer. */
export function payerPath(payId: string): string {
  return `/pay/${payId}`
}

export function paymentRequestModel(state: RecordState<'paymentRequest'>): PaymentRequestModel {
  const { id, value, context } = state
  const {
    destination,
    mint,
    decimals,
    amount,
    payments,
    externalReference,
    memo,
    expiresAt,
    reference,
    payId,
    organization,
  } = context
  const shown = (raw: string): number | string => amountJson(BigInt(raw), decimals)
  const late = payments.filter((payment) => payment.late).reduce((sum, payment) => sum + BigInt(payment.amount), 0n)
  return {
    offchainId: id,
    status: PAYMENT_REQUEST_STATUS[value as PaymentRequestState],
    isFinal: payments.length > 0 && isFinal(payments),
    destination: refOf(destination),
    ...(mint === null ? {} : { financialInstrument: refOf(mint) }),
    amount: shown(amount),
    receivedAmount: shown(sumReceived(payments).toString()),
    lateAmount: shown(late.toString()),
    externalReference,
    memo,
    expiresAt,
    reference,
    url: payUrl(context),
    payerPage: payerPath(payId),
    payments: payments.map((payment) => ({
      onchainId: payment.signature,
      amount: shown(payment.amount),
      status: payment.final ? 'FINALIZED' : 'CONFIRMED',
      late: payment.late,
      blockTime: payment.at,
    })),
    tenantOrganizationId: organization,
    createdAt: context.createdAt,
    endedAt: context.endedAt,
  }
}

/** With the QR code of the URL. */
export function detailedPaymentRequest(state: RecordState<'paymentRequest'>): PaymentRequestModel {
  return { ...paymentRequestModel(state), qrCode: qrSvg(payUrl(state.context)) }
}

function refOf({ address, id }: PaymentRequestContext['destination']): PaymentRequestModel['destination'] {
  return { onchainId: address, ...(id === null ? {} : { offchainId: id }) }
}
