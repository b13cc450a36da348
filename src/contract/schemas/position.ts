// Schemas of positions: opening, closing, and all movements of balances.
import { z } from 'zod'
import { canonicalJson } from '../canonical.ts'
import { withAliases } from '../values/aliases.ts'
import { amount, lamports } from '../values/amount.ts'
import { tokenDebitLimits } from './debit-limit.ts'
import { uuid } from '../values/identity.ts'
import { accountLookup, positionLookup, referenceChanges, tradeSide } from '../values/lookup.ts'
import { debitKeys, newAccount } from './new-account.ts'
import { AMOUNT, acrossMembers, atMostOne, changesSomething, exactlyOne } from '../values/rule.ts'
import { comment, memo } from '../values/text.ts'
import type { OutputOf } from '../values/validated.ts'

const flag = z.boolean().optional()

/** Members of every payment. `idempotencyId` is the Idempotency-Key in the body. */
const payment = {
  amount: amount.optional(),
  lamports: lamports.optional(),
  memo: memo.optional(),
  idempotencyId: uuid.optional(),
}

interface LimitsTwice {
  readonly position?: unknown
  readonly tokenDebitLimits?: unknown
}

/** The new account may state the limits, too. */
const sameLimits = acrossMembers<LimitsTwice>(({ position, tokenDebitLimits: beside }) => {
  const inside = typeof position === 'object' ? (position as LimitsTwice | null)?.tokenDebitLimits : undefined
  return inside === undefined || beside === undefined || canonicalJson(inside) === canonicalJson(beside)
    ? undefined
    : {
        code: 'MUTUALLY_EXCLUSIVE',
        message: 'contradicts the limits of position: give one of them, or both with the same value',
        path: ['tokenDebitLimits'],
      }
})

export const newPosition = z
  .strictObject({
    position: newAccount.optional(),
    owner: accountLookup,
    financialInstrument: accountLookup,
    tokenDebitLimits: tokenDebitLimits.optional(),
  })
  .check(sameLimits)
  .meta({ id: 'NewPosition' })
export type NewPositionInput = OutputOf<typeof newPosition>

const changes = {
  offchainReferences: referenceChanges.nullable().optional(),
  comments: comment.nullable().optional(),
  tokenDebitApiKeys: debitKeys.nullable().optional(),
  tokenDebitLimits: tokenDebitLimits.optional(),
}

/** Absent members keep their value, null clears. */
export const positionChanges = z
  .strictObject({ position: positionLookup, ...changes })
  .check(changesSomething(Object.keys(changes)))
  .meta({ id: 'PositionChanges' })
/** Absent members keep their value, null clears. */
export type PositionChangesInput = OutputOf<typeof positionChanges>

export const switchPosition = z
  .strictObject({ position: positionLookup, freezeAuthority: accountLookup.optional() })
  .meta({ id: 'SwitchPosition' })
/** Freeze or unfreeze. */
export type SwitchPositionInput = OutputOf<typeof switchPosition>

export const mint = z
  .strictObject({
    destination: positionLookup,
    ...payment,
    mintAuthority: accountLookup.optional(),
    initializeDestinationPositionIfNeeded: flag,
    unfreezeDestination: flag,
    freezeDestination: flag,
  })
  .check(exactlyOne([AMOUNT]))
  .meta({ id: 'Mint' })
export type MintInput = OutputOf<typeof mint>

export const burn = z
  .strictObject({
    source: positionLookup,
    ...payment,
    burnEntireBalance: flag,
    unfreezeSource: flag,
    freezeSource: flag,
    permanentDelegate: flag,
  })
  .check(exactlyOne([AMOUNT, 'burnEntireBalance']))
  .meta({ id: 'Burn' })
export type BurnInput = OutputOf<typeof burn>

export const transfer = z
  .strictObject({
    source: positionLookup,
    destination: positionLookup,
    ...payment,
    transferEntireBalance: flag,
    permanentDelegate: flag,
    unfreezeSource: flag,
    freezeSource: flag,
    unfreezeDestination: flag,
    freezeDestination: flag,
    offchainBalanceAvailabilityPrecheck: flag,
    initializeDestinationPositionIfNeeded: flag,
  })
  .check(exactlyOne([AMOUNT, 'transferEntireBalance']))
  .meta({ id: 'Transfer' })
export type TransferInput = OutputOf<typeof transfer>

export const transferNetworkCurrency = z
  .strictObject({
    source: accountLookup,
    destination: accountLookup,
    ...payment,
    transferEntireBalance: flag,
    offchainBalanceAvailabilityPrecheck: flag,
  })
  .check(exactlyOne([AMOUNT, 'transferEntireBalance']))
  .meta({ id: 'TransferNetworkCurrency' })
export type TransferNetworkCurrencyInput = OutputOf<typeof transferNetworkCurrency>

const MIN_LEGS = 2
const MAX_LEGS = 8

const tradeLeg = z
  .strictObject({
    source: tradeSide,
    destination: tradeSide,
    amount: amount.optional(),
    lamports: lamports.optional(),
    initializeDestinationPositionIfNeeded: flag,
  })
  .check(exactlyOne([AMOUNT]))
  .meta({ id: 'TradeLeg' })
export type TradeLegInput = OutputOf<typeof tradeLeg>

export const trade = z
  .strictObject({
    legs: z.array(tradeLeg).min(MIN_LEGS).max(MAX_LEGS),
    memo: memo.optional(),
    idempotencyId: uuid.optional(),
  })
  .meta({ id: 'Trade' })
export type TradeInput = OutputOf<typeof trade>

export const closePosition = withAliases(
  {
    position: positionLookup,
    refundSolToFeePayer: flag,
    refundSolDestination: accountLookup.optional(),
    burnRemainingTokenBalance: flag,
    transferRemainingTokenBalanceTo: positionLookup.optional(),
    initializeDestinationPositionIfNeeded: flag,
    unfreezeIfNeeded: flag,
    freezeAuthority: accountLookup.optional(),
  },
  { refundDestination: 'refundSolDestination' },
)
  .check(atMostOne(['burnRemainingTokenBalance', 'transferRemainingTokenBalanceTo']))
  .meta({ id: 'ClosePosition' })
export type ClosePositionInput = OutputOf<typeof closePosition>
