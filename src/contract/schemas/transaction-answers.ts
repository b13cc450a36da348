// Schemas of a transaction and of its explanation in responses, for the API document only.
import { z } from 'zod'
import { counterpartyName } from './counterparty.ts'
import { idsOrNull, number, text, time, transactionResult } from './answers.ts'
import type { ModelOf } from '../values/validated.ts'

const movementParty = idsOrNull.extend({ ownerOnchainId: text, name: text }).meta({ id: 'MovementParty' })
export type MovementPartyModel = ModelOf<typeof movementParty>

const movement = z
  .object({
    type: z.enum(['TRANSFER', 'TRANSFER_NETWORK_CURRENCY', 'MINT', 'BURN', 'FREEZE', 'UNFREEZE']),
    source: movementParty.nullable(),
    destination: movementParty.nullable(),
    amount: number.nullable(),
    symbol: text,
  })
  .meta({ id: 'TransactionMovement' })
export type MovementModel = ModelOf<typeof movement>

export const transactionRecord = transactionResult
  .extend({
    fee: number,
    feePayer: idsOrNull,
    accounts: z.array(idsOrNull.extend({ counterparty: counterpartyName.optional() })),
    messageLifetimeStrategy: z.string(),
    recentBlockhash: text,
    lastValidBlockHeight: z.int().nullable(),
    nonceAccount: idsOrNull.nullable(),
    transactionVersion: z.string(),
    computeUnitsConsumed: z.int().nullable(),
    computeUnitsLimit: z.int().nullable(),
    computeUnitPrice: number.nullable(),
    instructions: z.array(z.object({ type: z.string(), programId: z.string() })),
    endpoint: text,
    externalReference: text.meta({ description: 'As the request gave it.' }),
    itemReferences: z
      .array(z.string())
      .optional()
      .meta({ description: 'References of the items of a batch, or of the item data of a schedule; absent: none.' }),
    blockTime: time,
    slot: z.int().nullable(),
    preparedAt: z.iso.datetime(),
    tenantOrganizationId: z.string(),
    history: z.array(z.object({ status: z.string(), at: z.iso.datetime(), detail: text.optional() })),
    feePayerName: text,
    movements: z.array(movement),
  })
  .meta({ id: 'Transaction' })
export type TransactionRecordModel = ModelOf<typeof transactionRecord>

const historyEntry = z.object({ status: z.string(), at: z.iso.datetime(), detail: text })

export const explanation = z
  .object({
    transaction: transactionResult.extend({ externalReference: text }),
    checks: z.array(
      z.object({
        rule: z.string(),
        verdict: z.enum(['PASSED', 'PENDING', 'NOT_REACHED', 'LEFT_TO_CHAIN']).meta({
          description: 'PENDING: decided with the first signature of the service. NOT_REACHED: it ended before.',
        }),
        detail: z.string(),
        judgedOn: z.looseObject({}),
      }),
    ),
    attempts: z.array(
      historyEntry.extend({
        attempt: z.int(),
        since: z.int().meta({ description: 'Equal to attempt, or the first of those that the entry counts.' }),
        endpoint: text,
        answer: text,
      }),
    ),
    signatures: z.array(
      z.object({
        onchainId: z.string(),
        offchainId: z.uuid().nullable(),
        signed: z.boolean(),
        ours: z.boolean(),
        asked: z.boolean().meta({ description: 'A remote signer was asked, and may have signed.' }),
        signature: text.meta({ description: 'Base58. Ours is shown once it has left the service.' }),
      }),
    ),
    reservations: z.array(z.object({ offchainId: z.uuid(), asset: z.string(), amount: number })),
    history: z.array(historyEntry),
    attestation: z.looseObject({ outcome: z.string(), keyId: z.string() }).optional(),
    watch: z
      .looseObject({ attempts: z.int(), unproven: text })
      .optional()
      .meta({ description: 'While it is under way; unproven: why it is not known to have expired.' }),
    expiryProof: z.looseObject({}).optional(),
  })
  .meta({ id: 'Explanation' })
export type ExplanationModel = ModelOf<typeof explanation>
