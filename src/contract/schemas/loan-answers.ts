// Schemas of loans and strategies in responses, for the API document only.
import { z } from 'zod'
import { account, chainPlan, reference } from './answers.ts'
import { duration } from './loan.ts'
import type { ModelOf } from '../values/validated.ts'

const number = z.union([z.number(), z.string()])
const compact = z.looseObject({ onchain: z.looseObject({ id: z.string() }) })
const time = z.iso.datetime()

export const strategy = z
  .object({
    offchainId: z.uuid(),
    onchainId: z.string().meta({ description: 'The vault.' }),
    defiProtocol: z.string(),
    strategyAccount: compact,
    financialInstrument: compact,
    onchainDataSource: compact,
    collateral: z.array(
      z.object({
        financialInstrument: compact,
        apy: z.int(),
        loanToValueRatio: z.int(),
        liquidationRatio: z.int(),
        maxPriceAgeSeconds: z.int(),
        onchainDataSource: compact,
      }),
    ),
    duration,
    borrowers: z
      .array(z.object({ organizationExternalId: z.string(), cap: number.nullable() }))
      .meta({ description: 'Where none were named: the organizations of its own tenant, as they are now.' }),
    exemptFromDebitLimits: z.boolean(),
    originationsEnabled: z.boolean(),
    originationCap: number.nullable(),
    liquidityBuffer: z.int().nullable(),
    createdAt: time,
    updatedAt: time,
    tenantOrganizationId: z.string(),
  })
  .meta({ id: 'LoanStrategy' })
export type StrategyModel = ModelOf<typeof strategy>

export const loan = z
  .object({
    status: z.enum(['OPEN', 'CLOSED']),
    lifecycleState: z.enum(['PENDING', 'ACTIVE', 'OVERDUE', 'LIQUIDATABLE', 'REPAID', 'CLOSED']),
    defiProtocol: z.string(),
    chainPlan: chainPlan
      .optional()
      .meta({ description: 'How far the latest change is, where it takes several transactions.' }),
    escrow: account,
    borrower: reference.meta({ description: 'Of another tenant no more than the address.' }),
    lender: reference.meta({ description: 'Of another tenant no more than the address.' }),
    pledgedItems: z.array(z.object({ pledgedAmount: number, accountDetails: account })),
    borrowedItems: z.array(
      z.object({
        apy: z.int(),
        loanToValueRatio: z.int(),
        liquidationRatio: z.int(),
        principalDue: number,
        principalRepaid: number,
        interestPerSecond: number,
        interestOutstanding: number.meta({
          description: 'Interest owed as of `lastInterestUpdateTime`, in display units.',
        }),
        estimatedInterest: number.meta({
          description: 'Interest owed as of `computeEstimatedInterestUntil`, or now, in display units.',
        }),
        duration,
        lastInterestUpdateTime: time,
        startTime: time,
        endTime: time,
        accountDetails: reference,
      }),
    ),
    marketData: z.array(
      z.object({
        financialInstrument: compact,
        oracle: compact,
        price: number.nullable(),
        priceAt: time.nullable(),
        stale: z.boolean(),
      }),
    ),
    health: z
      .int()
      .nullable()
      .meta({
        description:
          '1000000 without debt, 0 where it becomes liquidatable; null without prices, or for collateral worth next ' +
          'to nothing.',
      }),
    currentLoanToValue: z.int().nullable(),
  })
  .meta({ id: 'Loan' })
export type LoanModel = ModelOf<typeof loan>
