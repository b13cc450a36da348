// The endpoints of payment requests; part of routes.ts.
import { cancelPaymentRequest } from '../../operations/payment-requests/cancel.ts'
import { createPaymentRequest } from '../../operations/payment-requests/create.ts'
import { fetchPaymentRequests, paymentRequestDetails } from '../../operations/payment-requests/read.ts'
import { PAYMENT_REQUESTS } from '../../operations/views/bulk/payment-requests.ts'
import { group, read, write, type Route } from '../route.ts'
import * as answers from '../../contract/schemas/answers.ts'
import { bulkBody } from '../../contract/values/bulk.ts'
import { itemBody } from '../../contract/values/chain-config.ts'
import * as requests from '../../contract/schemas/payment-request.ts'

export const PAYMENT_REQUEST_ROUTES: readonly Route[] = group(
  {
    tag: 'Payment requests',
    path: '/api/v1/payment-requests',
    alsoBare: true,
    reads: ['TRANSACTIONS_READ'],
    writes: ['POSITIONS_WRITE'],
  },
  [
    write({
      method: 'POST',
      path: '',
      summary: 'Create a payment request',
      schema: itemBody(requests.newPaymentRequest),
      operation: createPaymentRequest,
      status: 201,
      transaction: 'never',
      answer: requests.createdPaymentRequest,
    }),
    read({
      path: '/single',
      summary: 'Fetch a payment request',
      schema: itemBody(requests.paymentRequestReference),
      operation: paymentRequestDetails,
      answer: requests.paymentRequest,
    }),
    read({
      path: '/bulk',
      summary: 'Fetch payment requests',
      schema: bulkBody(PAYMENT_REQUESTS),
      operation: fetchPaymentRequests,
      answer: answers.page(requests.paymentRequest),
    }),
    write({
      method: 'PATCH',
      path: '/cancel',
      summary: 'Cancel a payment request',
      schema: itemBody(requests.paymentRequestReference),
      operation: cancelPaymentRequest,
      status: 200,
      transaction: 'never',
      answer: requests.cancelledPaymentRequest,
    }),
  ],
)
