// Statements: the request, and what is answered as JSON.
import { z } from 'zod'
import { idsOrNull, pair } from './answers.ts'
import { accountLookup, tradeSide } from '../values/lookup.ts'
import { exactlyOne } from '../values/rule.ts'
import { name, timestamp } from '../values/text.ts'
import type { ModelOf, OutputOf } from '../values/validated.ts'

export const newStatement = z
  .strictObject({
    account: accountLookup.optional(),
    position: tradeSide.optional(),
    organization: name.optional(),
    from: timestamp,
    to: timestamp.optional(),
    format: z.enum(['JSON', 'CSV']).meta({ default: 'JSON' }).optional(),
  })
  .check(exactlyOne(['account', 'position', 'organization']))
  .meta({ id: 'NewStatement' })
export type StatementInput = OutputOf<typeof newStatement>

const number = z.union([z.number(), z.string()])
const text = z.string().nullable()

const party = z
  .object({ onchainId: z.string(), offchainId: z.uuid().nullable(), ownerOnchainId: text, name: text })
  .meta({ id: 'StatementParty' })
export type StatementPartyModel = ModelOf<typeof party>

const movement = z
  .object({
    time: z.iso.datetime(),
    kind: z.enum(['TRANSACTION', 'OUTSIDE', 'ONBOARDED']),
    amount: pair,
    from: z.array(party),
    to: z.array(party),
    fee: number,
    rent: number,
    externalReference: text,
    itemReferences: z.array(z.string()),
    operation: text,
    transaction: z
      .object({
        offchainId: z.uuid().nullable(),
        onchainId: text,
        blockTime: z.iso.datetime().nullable(),
        slot: z.int().nullable(),
      })
      .nullable(),
    balanceAfter: pair,
  })
  .meta({ id: 'StatementMovement' })
export type StatementMovementModel = ModelOf<typeof movement>

const balance = z
  .object({
    account: z.object({ onchainId: z.string(), offchainId: z.uuid(), name: text }),
    ownerOnchainId: text,
    financialInstrument: idsOrNull.nullable(),
    symbol: text,
    openingBalance: pair,
    movements: z.array(movement),
    closingBalance: pair,
  })
  .meta({ id: 'StatementBalance' })
export type StatementBalanceModel = ModelOf<typeof balance>

export const statement = z
  .object({ from: z.iso.datetime(), to: z.iso.datetime(), balances: z.array(balance) })
  .meta({ id: 'Statement' })
