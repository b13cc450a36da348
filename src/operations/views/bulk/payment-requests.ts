// Fields of bulk queries over payment requests.
import { sumReceived, type PaymentRequestState } from '../../../../machines/payment-request.ts'
import { formatAmount } from '../../../../machines/amount.ts'
import type { Resource } from '../../../engine/query/field.ts'
import type { RecordState } from '../../../engine/records/record.ts'
import { PAYMENT_REQUEST_STATUS } from '../read-models/payment-request.ts'
import { ownRecords } from './own-records.ts'
import { shortRows } from './short-rows.ts'

type PaymentRequest = RecordState<'paymentRequest'>

export const PAYMENT_REQUESTS: Resource<PaymentRequest> = {
  fields: [
    { name: 'offchainId', type: 'OFFCHAIN_ID', read: ({ id }) => id },
    {
      name: 'status',
      type: 'TEXT',
      values: Object.values(PAYMENT_REQUEST_STATUS),
      read: ({ value }) => PAYMENT_REQUEST_STATUS[value as PaymentRequestState],
    },
    { name: 'externalReference', type: 'TEXT', read: ({ context }) => context.externalReference },
    { name: 'memo', type: 'TEXT', nullable: true, read: ({ context }) => context.memo ?? null },
    { name: 'reference', type: 'ONCHAIN_ADDRESS_ID', read: ({ context }) => context.reference },
    { name: 'destinationOnchainId', type: 'ONCHAIN_ADDRESS_ID', read: ({ context }) => context.destination.address },
    {
      name: 'financialInstrumentOnchainId',
      type: 'ONCHAIN_ADDRESS_ID',
      nullable: true,
      read: ({ context }) => context.mint?.address ?? null,
    },
    { name: 'amount', type: 'NUMBER', read: ({ context }) => formatAmount(BigInt(context.amount), context.decimals) },
    {
      name: 'receivedAmount',
      type: 'NUMBER',
      read: ({ context }) => formatAmount(sumReceived(context.payments), context.decimals),
    },
    { name: 'expiresAt', type: 'TIMESTAMP', nullable: true, read: ({ context }) => context.expiresAt },
    { name: 'createdAt', type: 'TIMESTAMP', read: ({ context }) => context.createdAt },
    { name: 'endedAt', type: 'TIMESTAMP', nullable: true, read: ({ context }) => context.endedAt },
  ],
  defaultSort: [{ fieldName: 'createdAt', sortDirection: 'DESC' }],
  id: ({ id }) => id,
}

export const PAYMENT_REQUEST_SOURCE = ownRecords(
  'paymentRequest',
  PAYMENT_REQUESTS,
  shortRows('paymentRequest', 'createdAt', [
    'externalReference',
    'memo',
    'reference',
    'destination',
    'mint',
    'amount',
    'decimals',
    'payments',
    'expiresAt',
    'createdAt',
    'endedAt',
  ]),
)
