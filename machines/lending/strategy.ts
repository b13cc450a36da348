// The strategy machine: terms on which a vault lends one principal instrument, its collateral and borrowers. Loans keep
// the terms of their origination; a change applies to later loans.
import { recordSetup } from '../record-setup.ts'
import { accept, refuse, rule, unknownEvent, type Decide } from '../answer.ts'
import type { AccountRef } from '../holding.ts'
import { durationSeconds, HUNDRED_PERCENT, type Duration } from './interest.ts'
import type { CollateralTerms } from './loan-books.ts'
import type { Raw } from '../protocol.ts'

/**
 * An organization that may borrow: its external id, optionally with the maximum principal it may owe at a time, raw
 * units.
 */
export type StrategyBorrower = string | { readonly organization: string; readonly cap: Raw }

export interface StrategyContext {
  /** The lending protocol that owns the vault: the built-in one, or a provider's. */
  readonly protocol: string
  /** External id of the lender's organization. */
  readonly organization: string
  /** The account that owns the principal. */
  readonly vault: AccountRef
  /** Token account of the vault for the principal. */
  readonly position: AccountRef
  /** Mint of the principal. */
  readonly instrument: AccountRef
  readonly decimals: number
  /** Data source of the principal's price. */
  readonly source: AccountRef
  readonly collateral: readonly CollateralTerms[]
  /** The maximum and default term. */
  readonly duration: Duration
  /**
   * null: every organization of the strategy's tenant. An organization of another tenant without a cap, as older
   * records may list, gets no loan.
   */
  readonly borrowers: readonly StrategyBorrower[] | null
  /** True: lending does not count against debit limits of the vault. Absent: it counts. */
  readonly exemptFromDebitLimits?: boolean
  readonly originationsEnabled: boolean
  /** Maximum principal per loan, raw units; null: unlimited. */
  readonly originationCap: Raw | null
  /** Part of the total principal, lent or not, that stays in the vault, in hundredths of a basis point; null: none. */
  readonly liquidityBuffer: number | null
  /** ISO 8601. */
  readonly createdAt: string
  readonly updatedAt: string
}

export type StrategyChanges = Partial<
  Pick<
    StrategyContext,
    | 'source'
    | 'collateral'
    | 'duration'
    | 'borrowers'
    | 'exemptFromDebitLimits'
    | 'originationsEnabled'
    | 'originationCap'
    | 'liquidityBuffer'
  >
>

export type StrategyEvent = { readonly type: 'command.update'; readonly changes: StrategyChanges; readonly at: string }

export interface StrategyInput {
  readonly strategy: StrategyContext
}

const CHANGEABLE: ReadonlySet<string> = new Set<keyof StrategyChanges>([
  'source',
  'collateral',
  'duration',
  'borrowers',
  'exemptFromDebitLimits',
  'originationsEnabled',
  'originationCap',
  'liquidityBuffer',
])

/** Why the terms are invalid; null: they are valid. */
export function faultOf({
  collateral,
  duration,
  instrument,
}: Pick<StrategyContext, 'collateral' | 'duration' | 'instrument'>): string | null {
  const mints = collateral.map((terms) => terms.instrument.address)
  if (mints.length === 0) return 'a strategy names at least one collateral instrument'
  if (new Set(mints).size < mints.length) return 'an instrument is named twice as collateral'
  if (mints.includes(instrument.address)) return 'the principal cannot be its own collateral'
  if (durationSeconds(duration) <= 0) return 'the duration must be more than nothing'
  const wrong = collateral.find(
    ({ loanToValueRatio, liquidationRatio }) =>
      loanToValueRatio > liquidationRatio || liquidationRatio > Number(HUNDRED_PERCENT),
  )
  return wrong === undefined ? null : 'loanToValueRatio is at most liquidationRatio, which is at most 1000000'
}

const updateRule: Decide<StrategyContext, StrategyEvent, Partial<StrategyContext>> = ({ context, event }) => {
  const unknown = Object.keys(event.changes).find((name) => !CHANGEABLE.has(name))
  if (unknown !== undefined) return refuse('MEMBER_NOT_CHANGEABLE', `${unknown} cannot be changed`)
  const fault = faultOf({ ...context, ...event.changes })
  return fault === null ? accept({ ...event.changes, updatedAt: event.at }) : refuse('STRATEGY_TERMS_INVALID', fault)
}

export const strategyMachine = recordSetup<StrategyContext, StrategyEvent, StrategyInput>().createMachine({
  id: 'strategy',
  description:
    'On what terms a vault lends one instrument, against which collateral. Loans keep the terms they began with.',
  context: ({ input }) => ({ ...input.strategy }),
  on: { '*': unknownEvent },
  initial: 'active',
  states: {
    active: {
      description: 'Its terms can be changed for the loans that follow, and new loans can be switched off.',
      on: { 'command.update': rule(updateRule) },
    },
  },
})
