// PATCH /payment-requests/cancel: payments that arrive afterwards are listed as late.
import { command } from '../context/command.ts'
import type { Entry } from '../../engine/records/entry.ts'
import { ofKind, type RecordState } from '../../engine/records/record.ts'
import type { ItemBody } from '../../contract/values/chain-config.ts'
import type { PaymentRequestReference } from '../../contract/schemas/payment-request.ts'
import { badRequest } from '../../contract/refusal.ts'
import type { Write, Context } from '../context/platform.ts'
import { changeRecords } from '../transactions/change-records.ts'
import type { WithId } from '../../contract/schemas/members.ts'

type Members = WithId<'cancelledPaymentRequest'>

export interface NamedPaymentRequest {
  readonly entry: Entry
  readonly request: RecordState<'paymentRequest'>
}

/** A payment request of the organization and cluster of the request. Throws 400 `PAYMENT_REQUEST_NOT_FOUND`. */
export function paymentRequestNamed(
  { platform: { engine }, call: { tenant, organization, cluster } }: Context,
  offchainId: string,
): NamedPaymentRequest {
  const entry = engine.directory.byId(offchainId)
  const request = ofKind(entry?.committed, 'paymentRequest')
  const isOwn =
    request?.tenant === tenant && request.cluster === cluster && request.context.organization === organization
  if (entry !== undefined && request !== undefined && isOwn) return { entry, request }
  throw badRequest(
    'PAYMENT_REQUEST_NOT_FOUND',
    'the organization has no payment request with this id',
    '/itemData/offchainId',
  )
}

/** Throws 400 `PAYMENT_REQUEST_NOT_FOUND`, `PAYMENT_REQUEST_ENDED`. */
export const cancelPaymentRequest: Write<ItemBody<PaymentRequestReference>, Members> = async (
  context,
  { itemData: { offchainId } },
) => {
  const { entry } = paymentRequestNamed(context, offchainId)
  return await changeRecords(context, (unit) => {
    const at = new Date(context.platform.clock.now()).toISOString()
    command<'paymentRequest'>(unit, entry, { type: 'command.cancel', at })
    return { members: { cancelledPaymentRequest: { offchainId } } }
  })
}
