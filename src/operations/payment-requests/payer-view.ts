// The data of the payer's page: only what is needed to pay.
import { isFinal, type PaymentRequestState } from '../../../machines/payment-request.ts'
import { atHand } from '../../../snapshots/at-hand.ts'
import type { Engine } from '../../engine/engine.ts'
import { ofKind } from '../../engine/records/record.ts'
import { PAYMENT_REQUEST_STATUS, payUrl, plainAmount } from '../views/read-models/payment-request.ts'

export interface PayerView {
  readonly label: string
  readonly amount: string
  readonly symbol: string
  readonly status: string
  readonly isFinal: boolean
  /** null: the request can no longer be paid. */
  readonly url: string | null
}

/** @param id of the page or of the record. Returns undefined if there is no such request. */
export async function payerView(engine: Engine, id: string): Promise<PayerView | undefined> {
  const { directory } = engine
  const entry = await atHand(engine, () => directory.byPayId(id) ?? directory.byId(id) ?? directory.anywhere(id))
  const request = ofKind(entry?.committed, 'paymentRequest')
  if (request === undefined) return undefined
  const { value, context } = request
  const isPayable = (value === 'open' || value === 'underpaid') && !context.isExpired
  return {
    label: context.label,
    amount: plainAmount(context.amount, context.decimals),
    symbol: context.symbol,
    status: PAYMENT_REQUEST_STATUS[value as PaymentRequestState],
    isFinal: context.payments.length > 0 && isFinal(context.payments),
    url: isPayable ? payUrl(context) : null,
  }
}
