// A payment request for tests of its machine.
import type { Payment, PaymentRequestContext } from '../../machines/payment-request.ts'
import { AT } from './records.ts'

const LATER = '2026-11-22T08:00:00.000Z'

export const payment = (signature: string, amount: number, more: Partial<Payment> = {}): Payment => ({
  signature,
  amount: String(amount),
  slot: 10,
  at: AT,
  final: false,
  late: false,
  ...more,
})

export const paymentRequest: PaymentRequestContext = {
  organization: 'ACME',
  destination: { address: 'wallet', id: 'account-1' },
  account: 'wallet',
  mint: null,
  symbol: 'SOL',
  decimals: 9,
  amount: '100',
  label: 'Acme',
  memo: null,
  externalReference: 'INV-1',
  reference: 'reference',
  payId: 'page-1',
  expiresAt: LATER,
  payments: [],
  isExpired: false,
  cancelledAt: null,
  watched: true,
  createdAt: AT,
  endedAt: null,
}

const paymentsEvent = (...payments: readonly Payment[]) => ({ type: 'chain.payments', payments, at: AT })

export const PAYMENT_SUBJECTS = {
  paymentRequest: {
    inputs: [{ request: paymentRequest }, { request: { ...paymentRequest, expiresAt: null } }],
    states: ['open', 'underpaid', 'paid', 'overpaid', 'expired', 'cancelled'],
    alphabet: [
      paymentsEvent(),
      paymentsEvent(payment('a', 100)),
      paymentsEvent(payment('a', 100, { final: true })),
      paymentsEvent(payment('b', 40)),
      paymentsEvent(payment('b', 40, { final: true })),
      paymentsEvent(payment('a', 100, { final: true }), payment('b', 40)),
      paymentsEvent(payment('b', 40, { final: true }), payment('c', 60)),
      paymentsEvent(payment('d', 100, { late: true, final: true })),
      { type: 'clock.expired', at: LATER },
      { type: 'clock.expired', at: AT },
      { type: 'command.cancel', at: AT },
      { type: 'clock.closed' },
    ],
  },
}
