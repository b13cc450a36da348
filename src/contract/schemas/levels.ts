// Levels of detail in bulk responses, for the API document only: what the two lower levels omit.
import { z } from 'zod'
import {
  account,
  addressOnly,
  ids,
  instrument,
  page,
  position,
  transactionResult,
  type AccountModel,
  type InstrumentModel,
  type PositionModel,
} from './answers.ts'
import { transactionRecord, type TransactionRecordModel } from './transaction-answers.ts'
import type { ModelOf } from '../values/validated.ts'
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

const orAddress = <Level extends z.ZodType>(level: Level) => z.union([level, addressOnly])
const authority = z.union([compact, addressOnly, z.null()])
const { state, balance, reserved, available, tokenDebitLimits, defaultDebitLimits } = position.shape

/** Members of a position besides those of an account, at one of the lower levels. */
const ofPosition = <Level extends z.ZodType>(level: Level) => ({
  owner: orAddress(level),
  closeAuthority: orAddress(level).nullable(),
  delegate: orAddress(level).nullable(),
  financialInstrument: orAddress(level),
  state,
  balance,
  reserved,
  available,
  tokenDebitLimits,
  defaultDebitLimits,
})

export type DetailLevel = 'detailed' | 'compact' | 'identifiers'

function levels<Detailed extends z.ZodType, Compact extends z.ZodType, Identifiers extends z.ZodType>(
  ...models: readonly [Detailed, Compact, Identifiers]
) {
  return page(z.union(models))
}

export const accounts = levels(account, compact, identifiers)

/** An account at each level. */
export interface AccountModels {
  readonly detailed: AccountModel
  readonly compact: ModelOf<typeof compact>
  readonly identifiers: ModelOf<typeof identifiers>
}

const positionCompact = compact.extend(ofPosition(compact)).meta({ id: 'PositionCompact' })
const positionIdentifiers = identifiers.extend(ofPosition(identifiers)).meta({ id: 'PositionIdentifiers' })

export const positions = levels(position, positionCompact, positionIdentifiers)

/** A position at each level. */
export interface PositionModels {
  readonly detailed: PositionModel
  readonly compact: ModelOf<typeof positionCompact>
  readonly identifiers: ModelOf<typeof positionIdentifiers>
}

const instrumentCompact = instrument
  .extend({
    mintAccount: compact,
    ...authorities(authority),
  })
  .meta({ id: 'FinancialInstrumentCompact' })
const instrumentIdentifiers = instrument
  .pick({ version: true })
  .extend({ mintAccount: identifiers })
  .meta({ id: 'FinancialInstrumentIdentifiers' })

export const instruments = levels(instrument, instrumentCompact, instrumentIdentifiers)

/** An instrument at each level. */
export interface InstrumentModels {
  readonly detailed: InstrumentModel
  readonly compact: ModelOf<typeof instrumentCompact>
  readonly identifiers: ModelOf<typeof instrumentIdentifiers>
}

const owned = transactionRecord.pick({ tenantOrganizationId: true })
const { externalReference } = transactionRecord.shape

const transactionCompact = transactionResult
  .extend({ ...owned.shape, externalReference })
  .meta({ id: 'TransactionCompact' })
const transactionIdentifiers = owned
  .extend({ offchainId: ids.shape.offchainId, onchainId: transactionResult.shape.onchainId })
  .meta({ id: 'TransactionIdentifiers' })

export const transactions = levels(transactionRecord, transactionCompact, transactionIdentifiers)

/** A transaction at each level. */
export interface TransactionModels {
  readonly detailed: TransactionRecordModel
  readonly compact: ModelOf<typeof transactionCompact>
  readonly identifiers: ModelOf<typeof transactionIdentifiers>
}
