// Schemas of loans and lending strategies. Rates and ratios are in hundredths of a basis
// point: 1 000 000 is 100 %.
import { z } from 'zod'
import { amount, amountOrZero, lamports } from '../values/amount.ts'
import { chainTransactionConfig, itemBody } from '../values/chain-config.ts'
import { address, uuid } from '../values/identity.ts'
import { accountLookup, positionLookup } from '../values/lookup.ts'
import { newAccount } from './new-account.ts'
import { AMOUNT, acrossMembers, changesSomething, exactlyOne } from '../values/rule.ts'
import { name, timestamp } from '../values/text.ts'
import type { OutputOf } from '../values/validated.ts'

const HUNDRED_PERCENT = 1_000_000
/** 10 000 % a year. */
const MAX_APY = 100 * HUNDRED_PERCENT
const MAX_AGE_SECONDS = 315_360_000
const MAX_UNITS = 100_000
/** Every instant of a loan has a year of four digits. */
const MAX_YEARS = 1_000
/** Of the units of which `MAX_UNITS` are longer than `MAX_YEARS`. */
const MAX_OF_LONG_UNITS: Readonly<Record<string, number>> = {
  YEARS: MAX_YEARS,
  MONTHS: Math.floor((MAX_YEARS * 365) / 30),
  WEEKS: Math.floor((MAX_YEARS * 365) / 7),
}
/**
 * A loan holds at most five items of each kind; the schema allows more, so that the operation can reject with that
 * number.
 */
const MAX_ITEMS = 20
const MAX_COLLATERAL = 200

const ratio = z.int().min(0).max(HUNDRED_PERCENT)
const protocol = name.meta({
  description: 'ESCROW_VAULT, or another lending protocol that this service has an adapter for.',
  examples: ['ESCROW_VAULT'],
})

export const duration = z
  .strictObject({
    code: z.enum(['MINUTES', 'DAYS', 'WEEKS', 'MONTHS', 'YEARS']),
    unit: z.int().min(1).max(MAX_UNITS),
  })
  .check(
    acrossMembers<Record<string, unknown>>(({ code, unit }) =>
      typeof unit === 'number' && unit > (MAX_OF_LONG_UNITS[String(code)] ?? Number.POSITIVE_INFINITY)
        ? { code: 'TOO_LARGE', message: `must be at most ${MAX_YEARS} years`, path: ['unit'] }
        : undefined,
    ),
  )
  .meta({ id: 'LoanDuration', description: `A month is 30 days, a year 365. At most ${MAX_YEARS} years.` })

const collateral = z
  .array(
    z.strictObject({
      financialInstrument: accountLookup,
      apy: z.int().min(0).max(MAX_APY),
      loanToValueRatio: ratio,
      liquidationRatio: ratio,
      maxPriceAgeSeconds: z.int().min(1).max(MAX_AGE_SECONDS),
      onchainDataSource: accountLookup.optional(),
    }),
  )
  .min(1)
  .max(MAX_COLLATERAL)
export type CollateralInput = OutputOf<typeof collateral>[number]

const borrower = z
  .union([
    name,
    z.strictObject({
      organizationExternalId: name,
      cap: amountOrZero.nullable().optional(),
    }),
  ])
  .meta({
    id: 'StrategyBorrower',
    description:
      'An organization, with the most outstanding principal it may owe the strategy (display units). Its external id alone, or no ' +
      '`cap`: no such bound, for organizations of the same tenant only.',
  })
export type BorrowerInput = Exclude<OutputOf<typeof borrower>, string>

const limits = {
  onchainDataSource: accountLookup.optional(),
  borrowers: z.array(borrower).max(1_000).nullable().optional(),
  exemptFromDebitLimits: z
    .boolean()
    .meta({ default: false, description: 'What is lent counts against no debit limit of the vault.' })
    .optional(),
  originationsEnabled: z.boolean().meta({ default: true }).optional(),
  originationCap: amountOrZero.nullable().optional(),
  liquidityBuffer: ratio.nullable().optional(),
}

export const newStrategy = z
  .strictObject({
    defiProtocol: protocol.optional(),
    strategyAccount: accountLookup,
    financialInstrument: accountLookup,
    collateral,
    duration,
    ...limits,
  })
  .meta({ id: 'NewLoanStrategy' })
export type NewStrategyInput = OutputOf<typeof newStrategy>

const reference = z.strictObject({ offchainId: uuid })
const changes = { collateral: collateral.optional(), duration: duration.optional(), ...limits }
export type StrategyTermsInput = OutputOf<z.ZodObject<typeof changes>>

export const strategyReference = z.strictObject({ strategy: reference }).meta({ id: 'LoanStrategyReference' })
export type StrategyReference = OutputOf<typeof strategyReference>

export const strategyChanges = z
  .strictObject({ strategy: reference, ...changes })
  .check(changesSomething(Object.keys(changes)))
  .meta({ id: 'LoanStrategyChanges', description: 'Absent members keep their value; null lifts a limit.' })
export type StrategyChangesInput = OutputOf<typeof strategyChanges>

const lendingDetails = z.strictObject({
  loanStrategyAddress: address,
  expectedLoanValues: z
    .strictObject({
      expectedApy: z
        .int()
        .min(0)
        .max(MAX_APY)
        .meta({ description: 'Every rate is at most this; 0: not checked.' })
        .optional(),
      expectedLqt: z
        .array(ratio)
        .max(MAX_ITEMS)
        .meta({ description: 'By itemsToPledge: the liquidation ratio is at least this; 0: not checked.' })
        .optional(),
    })
    .optional(),
})
export type LendingDetailsInput = OutputOf<typeof lendingDetails>

const oneAmount = exactlyOne<Record<string, unknown>>([AMOUNT])

const borrow = z
  .strictObject({
    positionLookup,
    amount: amount.optional(),
    lamports: lamports.optional(),
    transferTo: positionLookup.optional(),
  })
  .check(oneAmount)
  .meta({ id: 'ItemToBorrow' })
export type BorrowInput = OutputOf<typeof borrow>

const supplied = {
  positionLookup,
  amount: amount.optional(),
  lamports: lamports.optional(),
  transferFrom: positionLookup.optional(),
  mintAsset: z.boolean().optional(),
}
const supply = z.strictObject(supplied).check(oneAmount).meta({ id: 'LoanItem' })
/** Assets that go into escrow, or that repay a debt. */
export type SupplyInput = OutputOf<typeof supply>
const repayment = z
  .strictObject({ ...supplied, repayAll: z.boolean().optional() })
  .check(exactlyOne<Record<string, unknown>>([AMOUNT, 'repayAll']))
  .meta({ id: 'ItemToRepay' })

export const newLoan = z
  .strictObject({
    defiProtocol: protocol,
    lendingDetails,
    itemsToBorrow: z.array(borrow).min(1).max(MAX_ITEMS),
    itemsToPledge: z.array(supply).min(1).max(MAX_ITEMS),
    escrow: newAccount.optional(),
    duration: duration.optional(),
  })
  .meta({ id: 'NewLoan' })
export type NewLoanInput = OutputOf<typeof newLoan>

export const loanReference = z
  .strictObject({ defiProtocol: protocol, escrow: accountLookup })
  .meta({ id: 'LoanReference' })
export type LoanReference = OutputOf<typeof loanReference>

const loanDetails = z
  .strictObject({ escrow: accountLookup, computeEstimatedInterestUntil: timestamp.optional() })
  .meta({ id: 'LoanDetails' })
export type LoanDetailsInput = OutputOf<typeof loanDetails>
/** The contract gives the body this member, as those of the requests that make a transaction. */
export const loanDetailsBody = itemBody(loanDetails).extend({
  chainTransactionConfig: chainTransactionConfig
    .optional()
    .meta({ description: 'Accepted, but without effect: the request makes no transaction.' }),
})

function oneOf(names: readonly string[]) {
  return acrossMembers<Record<string, unknown>>((value) =>
    names.some((each) => Array.isArray(value[each]) && value[each].length > 0)
      ? undefined
      : { code: 'REQUIRED', message: `at least one item in ${names.join(' or ')} is needed` },
  )
}

const some = z.array(supply).max(MAX_ITEMS).optional()

export const swapCollateral = z
  .strictObject({ defiProtocol: protocol, escrow: accountLookup, itemsToDeposit: some, itemsToWithdraw: some })
  .check(oneOf(['itemsToDeposit', 'itemsToWithdraw']))
  .meta({ id: 'SwapCollateral' })
export type SwapCollateralInput = OutputOf<typeof swapCollateral>

export const repayLoan = z
  .strictObject({
    defiProtocol: protocol,
    escrow: accountLookup,
    itemsToRepay: z.array(repayment).max(MAX_ITEMS).optional(),
    itemsToRelease: some,
  })
  .check(oneOf(['itemsToRepay', 'itemsToRelease']))
  .meta({ id: 'RepayLoan' })
export type RepayLoanInput = OutputOf<typeof repayLoan>

export const refinanceLoan = z
  .strictObject({ defiProtocol: protocol, escrow: accountLookup, lendingDetails, duration: duration.optional() })
  .meta({ id: 'RefinanceLoan' })
export type RefinanceInput = OutputOf<typeof refinanceLoan>
