// POST /payment-requests/single, /payment-requests/bulk
import type { ItemBody } from '../../contract/values/chain-config.ts'
import type { PaymentRequestReference } from '../../contract/schemas/payment-request.ts'
import type { Read } from '../context/platform.ts'
import { answerOwn } from '../views/bulk/fetch.ts'
import { PAYMENT_REQUEST_SOURCE } from '../views/bulk/payment-requests.ts'
import type { BulkInput } from '../views/fetch-bulk.ts'
import { detailedPaymentRequest, paymentRequestModel } from '../views/read-models/payment-request.ts'
import { paymentRequestNamed } from './cancel.ts'
import type { PaymentRequestModel } from '../../contract/schemas/payment-request.ts'
import type { PageOf } from '../../contract/schemas/answers.ts'

export const paymentRequestDetails: Read<ItemBody<PaymentRequestReference>, PaymentRequestModel> = (
  context,
  { itemData },
) => detailedPaymentRequest(paymentRequestNamed(context, itemData.offchainId).request)

export const fetchPaymentRequests: Read<BulkInput, PageOf<PaymentRequestModel>> = async (context, { itemQuery }) => {
  const { count, items } = await answerOwn(context, PAYMENT_REQUEST_SOURCE, itemQuery)
  return { count, items: items.map((state) => paymentRequestModel(state)) }
}
