// Schemas of transaction requests.
import { z } from 'zod'
import { externalReference } from '../values/external-reference.ts'
import { address, signature, uuid } from '../values/identity.ts'
import { accountLookup } from '../values/lookup.ts'
import { acrossMembers, atLeastOne, exactlyOne } from '../values/rule.ts'
import { evidence, line } from '../values/text.ts'
import type { OutputOf } from '../values/validated.ts'

export const transactionReference = z
  .strictObject({ offchainId: uuid.optional(), onchainId: signature.optional() })
  .check(atLeastOne(['offchainId', 'onchainId']))
  .meta({ id: 'TransactionReference', description: 'offchainId or onchainId (the first signature); both must agree.' })
export type TransactionReference = OutputOf<typeof transactionReference>

const ours = z.strictObject({ offchainId: uuid })

/** Base64 of at most one packet; the parser of transactions validates the content. */
const serialized = line(2048).min(1).meta({ contentEncoding: 'base64' })

const oneOfBoth = exactlyOne<{ transaction?: unknown; serializedTransaction?: unknown }>([
  'transaction',
  'serializedTransaction',
])
const MAX_SIGNATURES = 19

/** An existing transaction keeps its reference: only a serialized one may be given a reference. */
const ofNewOnly = acrossMembers<{ transaction?: unknown; externalReference?: unknown }>((value) =>
  value.transaction !== undefined && value.externalReference !== undefined
    ? {
        code: 'MUTUALLY_EXCLUSIVE',
        message: 'only a serializedTransaction may be given a reference',
        path: ['externalReference'],
      }
    : undefined,
)

export const signTransaction = z
  .strictObject({
    transaction: ours.optional(),
    serializedTransaction: serialized.optional(),
    signers: z.array(accountLookup).max(MAX_SIGNATURES).optional(),
    signatures: z
      .array(z.strictObject({ onchainId: address, signature }))
      .max(MAX_SIGNATURES)
      .optional(),
    returnSerialized: z.boolean().optional(),
    externalReference: externalReference.optional(),
    idempotencyId: uuid.optional(),
  })
  .check(oneOfBoth, ofNewOnly)
  .meta({ id: 'SignTransaction', description: 'Signatures brought from outside, and managed signers that sign now.' })
export type SignTransactionInput = OutputOf<typeof signTransaction>

export const submitTransaction = z
  .strictObject({
    transaction: ours.optional(),
    serializedTransaction: serialized.optional(),
    externalReference: externalReference.optional(),
    idempotencyId: uuid.optional(),
  })
  .check(oneOfBoth, ofNewOnly)
  .meta({ id: 'SubmitTransaction' })
export type SubmitTransactionInput = OutputOf<typeof submitTransaction>

export const approveTransaction = z
  .strictObject({ offchainId: uuid })
  .meta({ id: 'ApproveTransaction', description: 'A transaction or batch whose debit may exceed its limits.' })
export type ApproveTransactionInput = OutputOf<typeof approveTransaction>

export const cancelTransaction = z
  .strictObject({ offchainId: uuid })
  .meta({ id: 'CancelTransaction', description: 'A transaction, or a batch whose waiting items are cancelled.' })
export type CancelTransactionInput = OutputOf<typeof cancelTransaction>

export const attestTransaction = z
  .strictObject({
    offchainId: uuid,
    outcome: z.enum(['FINALIZED', 'BLOCKCHAIN_ERROR', 'EXPIRED']),
    evidence: evidence.meta({ description: 'The evidence on which this key attests the outcome. Kept for ever.' }),
  })
  .meta({ id: 'AttestTransaction', description: 'What became of it, when nothing can prove it any more.' })
export type AttestTransactionInput = OutputOf<typeof attestTransaction>
