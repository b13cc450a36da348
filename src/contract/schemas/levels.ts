// Levels of detail in bulk responses, for the API document only: what the two lower levels omit.
import { z } from 'zod'
import { account, addressOnly, ids, instrument, page, position, transactionResult } from './answers.ts'
import { transactionRecord } from './transaction-answers.ts'
import { authorities } from './authorities.ts'

const { onchain, offchain, managed, status, tenantOrganizationId } = account.shape

const identifiers = z
  .object({
    onchain: onchain.pick({ id: true }),
    offchain: offchain.pick({ id: true }),
    managed,
    tenantOrganizationId,
  })
  .meta({ id: 'AccountIdentifiers' })

const compact = z
  .object({
    onchain: onchain.pick({ id: true, lastTransactionId: true, lastTransactionAt: true }),
    offchain: offchain.pick({
      id: true,
      type: true,
      code: true,
      alId: true,
      organizationExternalId: true,
      accountNumber: true,
      lastTransactionId: true,
    }),
    managed,
    status,
    tenantOrganizationId,
  })
  .meta({ id: 'AccountCompact' })

const orAddress = (level: z.ZodType) => z.union([level, addressOnly])
const authority = z.union([compact, addressOnly, z.null()])
const { state, balance, reserved, available, tokenDebitLimits } = position.shape

/** Members of a position besides those of an account, at one of the lower levels. */
const ofPosition = (level: z.ZodType) => ({
  owner: orAddress(level),
  closeAuthority: orAddress(level).nullable(),
  delegate: orAddress(level).nullable(),
  financialInstrument: orAddress(level),
  state,
  balance,
  reserved,
  available,
  tokenDebitLimits,
})

const levels = (...models: readonly [z.ZodType, z.ZodType, z.ZodType]) => page(z.union(models))

export const accounts = levels(account, compact, identifiers)

export const positions = levels(
  position,
  compact.extend(ofPosition(compact)).meta({ id: 'PositionCompact' }),
  identifiers.extend(ofPosition(identifiers)).meta({ id: 'PositionIdentifiers' }),
)

export const instruments = levels(
  instrument,
  instrument
    .extend({
      mintAccount: compact,
      ...authorities(authority),
    })
    .meta({ id: 'FinancialInstrumentCompact' }),
  instrument
    .pick({ version: true })
    .extend({ mintAccount: identifiers })
    .meta({ id: 'FinancialInstrumentIdentifiers' }),
)

const owned = transactionRecord.pick({ tenantOrganizationId: true })
const { externalReference } = transactionRecord.shape

export const transactions = levels(
  transactionRecord,
  transactionResult.extend({ ...owned.shape, externalReference }).meta({ id: 'TransactionCompact' }),
  owned
    .extend({ offchainId: ids.shape.offchainId, onchainId: transactionResult.shape.onchainId })
    .meta({ id: 'TransactionIdentifiers' }),
)
