// Schemas of payment requests.
import { z } from 'zod'
import { amount } from '../values/amount.ts'
import { ids } from './answers.ts'
import { externalReference } from '../values/external-reference.ts'
import { uuid } from '../values/identity.ts'
import { accountLookup } from '../values/lookup.ts'
import { line, timestamp } from '../values/text.ts'
import type { ModelOf, OutputOf } from '../values/validated.ts'

/** What a memo instruction of a wallet holds with room to spare. */
const MAX_MEMO = 256

export const newPaymentRequest = z
  .strictObject({
    destination: accountLookup,
    financialInstrument: accountLookup.optional(),
    amount,
    externalReference,
    memo: line(MAX_MEMO).min(1).optional(),
    expiresAt: timestamp.optional(),
  })
  .meta({ id: 'NewPaymentRequest' })
export type NewPaymentRequestInput = OutputOf<typeof newPaymentRequest>

export const paymentRequestReference = z.strictObject({ offchainId: uuid }).meta({ id: 'PaymentRequestReference' })
export type PaymentRequestReference = OutputOf<typeof paymentRequestReference>

const number = z.union([z.number(), z.string()])
const text = z.string().nullable()
const time = z.iso.datetime().nullable()

export const createdPaymentRequest = z.object({
  newPaymentRequest: z.object({
    offchainId: z.uuid(),
    url: z.string(),
    reference: z.string(),
    payerPage: z.string(),
    qrCode: z.string(),
  }),
})
export const cancelledPaymentRequest = z.object({ cancelledPaymentRequest: z.object({ offchainId: z.uuid() }) })

const party = z.object({ onchainId: z.string(), offchainId: ids.shape.offchainId.optional() })

export const paymentRequest = z
  .object({
    offchainId: z.uuid(),
    status: z.enum(['OPEN', 'UNDERPAID', 'PAID', 'OVERPAID', 'EXPIRED', 'CANCELLED']),
    isFinal: z.boolean(),
    destination: party,
    financialInstrument: party.optional(),
    amount: number,
    receivedAmount: number,
    lateAmount: number,
    externalReference: z.string(),
    memo: text,
    expiresAt: time,
    reference: z.string(),
    url: z.string(),
    payerPage: z.string(),
    qrCode: z.string().optional(),
    payments: z.array(
      z.object({
        onchainId: z.string(),
        amount: number,
        status: z.enum(['CONFIRMED', 'FINALIZED']),
        late: z.boolean(),
        blockTime: z.iso.datetime(),
      }),
    ),
    tenantOrganizationId: z.string(),
    createdAt: z.iso.datetime(),
    endedAt: time,
  })
  .meta({ id: 'PaymentRequest' })
export type PaymentRequestModel = ModelOf<typeof paymentRequest>
