// Selects the strategy behind a vault's address, and checks whether, to whom and how much the vault lends.
import { lentKey, vaultKey } from '../../engine/index/index-keys.ts'
import { ofKind, type RecordState } from '../../engine/records/record.ts'
import { durationSeconds, HUNDRED_PERCENT, type Duration } from '../../../machines/lending/interest.ts'
import { newDebt, outstandingPrincipal, rateOf, type Debt, type Lender } from '../../../machines/lending/loan-books.ts'
import { ratioOf } from '../../../machines/lending/loan-health.ts'
import type { AccountRef } from '../../../machines/holding.ts'
import type { Call } from '../../contract/call.ts'
import { ownRecordsAt } from '../lookup/whose-records.ts'
import type { Platform, Context } from '../context/platform.ts'
import { badRequest } from '../../contract/refusal.ts'
import { instrumentOf } from '../lookup/instrument.ts'
import { existingEnd, type End } from './board.ts'
import { borrowerCap, organizationOf } from './borrowers.ts'
import { inOtherCell } from './named.ts'
import { principalPosition } from './principal-position.ts'
import type { LendingDetailsInput } from '../../contract/schemas/loan.ts'

type Strategy = RecordState<'strategy'>

const VAULT = '/itemData/lendingDetails/loanStrategyAddress'
const EXPECTED = '/itemData/lendingDetails/expectedLoanValues'

/**
 * Any tenant can record the address of a provider's vault and create strategies for it. Strategies of the caller's
 * organization take precedence, then those of its tenant, then the oldest one of another tenant that lists the
 * organization as a borrower. A strategy of another tenant that does not list it is treated as nonexistent.
 *
 * Throws 400 `STRATEGY_NOT_FOUND` for a vault of the own tenant, `BORROWER_NOT_ACCEPTED` for any other,
 * `PROTOCOL_MISMATCH`, `OTHER_CELL`.
 *
 * @param mint of the principal
 * @param lender null: any
 */
export function strategyFor(
  { platform, call }: Context,
  { protocol, vault, lender }: { readonly protocol: string; readonly vault: string; readonly lender: Lender | null },
  mint: string,
): Strategy {
  const { directory } = platform.engine
  const strategies = strategiesFor({ platform, call }, vault).filter(
    (strategy) => strategy.context.instrument.address === mint && (lender === null || isOf(lender, strategy)),
  )
  const [first] = strategies
  if (first === undefined) {
    const isOwn = ownRecordsAt(directory, call.tenant, call.cluster, vault).length > 0
    if (isOwn) throw badRequest('STRATEGY_NOT_FOUND', `the vault ${vault} has no strategy for ${mint}`, VAULT)
    throw badRequest('BORROWER_NOT_ACCEPTED', `no strategy of ${vault} lends ${mint} to ${call.organization}`, VAULT)
  }
  const nearest = strategies
    .filter(({ context }) => context.protocol === protocol)
    .sort((a, b) => byNearness(call, a, b))[0]
  if (nearest === undefined)
    throw badRequest('PROTOCOL_MISMATCH', `the vault uses the protocol ${first.context.protocol}`, VAULT)
  checkOfThisCell({ platform, call }, nearest)
  return nearest
}

/**
 * Called before a loan is prepared, because its strategies are resolved only when it is drafted. Throws 400
 * `OTHER_CELL` if all strategies that lend to the organization out of the vault are in another cell.
 */
export function checkLendsHere({ platform, call }: Context, vault: string): void {
  const strategies = strategiesFor({ platform, call }, vault)
  if (strategies.some(({ tenant }) => platform.engine.owns(tenant))) return
  for (const strategy of strategies) checkOfThisCell({ platform, call }, strategy)
}

function checkOfThisCell({ platform, call }: Context, { tenant, context }: Strategy): void {
  if (!platform.engine.owns(tenant)) throw inOtherCell(call.organization, context.organization, VAULT)
}

/** Strategies of the tenant, and those of others that list its organization. */
function strategiesFor({ platform, call }: Context, vault: string): Strategy[] {
  return platform.engine.directory
    .find(vaultKey(call.cluster, vault))
    .flatMap(({ head }) => ofKind(head, 'strategy') ?? [])
    .filter((strategy) => strategy.tenant === call.tenant || lists(strategy, call.organization))
}

function lists({ context }: Strategy, organization: string): boolean {
  return context.borrowers?.some((borrower) => organizationOf(borrower) === organization) === true
}

function isOf(lender: Lender, { tenant, context }: Strategy): boolean {
  return lender.tenant === tenant && lender.organization === context.organization
}

function byNearness(call: Pick<Call, 'tenant' | 'organization'>, a: Strategy, b: Strategy): number {
  const distance = ({ tenant, context }: Strategy): number =>
    tenant !== call.tenant ? 2 : context.organization === call.organization ? 0 : 1
  const [one, other] = [a.context.createdAt + a.id, b.context.createdAt + b.id]
  return distance(a) - distance(b) || (one < other ? -1 : 1)
}

/** A loan has one lender. Throws 400 `STRATEGY_NOT_FOUND`. */
export function checkOneLender(strategies: readonly Strategy[]): void {
  const [first, ...others] = strategies
  const stranger = first === undefined ? undefined : others.find((each) => !isOf(lenderOf(first), each))
  if (stranger === undefined) return
  const mint = stranger.context.instrument.address
  throw badRequest(
    'STRATEGY_NOT_FOUND',
    `the lender has no strategy for ${mint}: one organization must lend all items of a loan`,
    VAULT,
  )
}

/** Throws 400 `BORROWER_NOT_ACCEPTED`, `ORIGINATIONS_DISABLED`. */
export function checkAccepts(strategy: Strategy, borrower: Pick<Call, 'tenant' | 'organization'>): void {
  borrowerCap(strategy, borrower, VAULT)
  if (!strategy.context.originationsEnabled)
    throw badRequest('ORIGINATIONS_DISABLED', 'new loans of the strategy are disabled', VAULT)
}

/** Vaults whose lending counts against no debit limit; empty unless every strategy involved is exempt. */
export function exemptVaults(strategies: readonly Strategy[]): readonly string[] {
  const isExempt = strategies.every(({ context }) => context.exemptFromDebitLimits === true)
  return isExempt ? [...new Set(strategies.map(({ context }) => context.vault.address))] : []
}

export function lenderOf({ tenant, context }: Strategy): Lender {
  return { account: context.vault, tenant, organization: context.organization }
}

/** Throws 400 `DURATION_NOT_ACCEPTED`. */
export function durationOf({ context }: Strategy, requested: Duration | undefined): Duration {
  if (requested === undefined) return context.duration
  if (durationSeconds(requested) > durationSeconds(context.duration))
    throw badRequest(
      'DURATION_NOT_ACCEPTED',
      `the strategy lends for at most ${context.duration.unit} ${context.duration.code}`,
      '/itemData/duration',
    )
  return { code: requested.code, unit: requested.unit }
}

/**
 * A new debt on the current terms. Throws 400 `COLLATERAL_NOT_ACCEPTED`.
 *
 * @param pledged mints of the collateral
 */
export function debtOf(
  strategy: Strategy,
  pledged: readonly { readonly mint: string; readonly pointer: string }[],
  terms: {
    readonly position: AccountRef
    readonly principal: bigint
    readonly duration: Duration
    readonly at: number
  },
): Debt {
  const { context } = strategy
  const refused = pledged.find(({ mint }) => !context.collateral.some(({ instrument }) => instrument.address === mint))
  if (refused !== undefined)
    throw badRequest(
      'COLLATERAL_NOT_ACCEPTED',
      `the strategy does not accept ${refused.mint} as collateral`,
      refused.pointer,
    )
  return newDebt(
    {
      strategy: strategy.id,
      instrument: context.instrument,
      decimals: context.decimals,
      position: terms.position,
      source: context.source,
      terms: context.collateral,
      apy: rateOf(
        context.collateral,
        pledged.map(({ mint }) => mint),
      ),
      duration: terms.duration,
      principalDue: terms.principal.toString(),
    },
    terms.at,
  )
}

/**
 * Checks that the terms are no worse than the borrower expects. Throws 400 `LOAN_TERMS_CHANGED`.
 *
 * @param pledged mints, in the order of the items
 */
export function checkExpected(
  debts: readonly Debt[],
  pledged: readonly string[],
  { expectedLoanValues }: LendingDetailsInput,
): void {
  const { expectedApy = 0, expectedLqt = [] } = expectedLoanValues ?? {}
  const maxApy = Math.max(0, ...debts.map(({ apy }) => apy))
  if (expectedApy > 0 && maxApy > expectedApy)
    throw badRequest(
      'LOAN_TERMS_CHANGED',
      `the apy is ${maxApy}, expected at most ${expectedApy}`,
      `${EXPECTED}/expectedApy`,
    )
  for (const [index, mint] of pledged.entries()) {
    const expected = expectedLqt[index] ?? 0
    const actual = ratioOf(debts, { instrument: { address: mint, id: null } }, 'liquidationRatio')
    if (expected > 0 && actual < expected)
      throw badRequest(
        'LOAN_TERMS_CHANGED',
        `the liquidation ratio is ${actual}, expected at least ${expected}`,
        `${EXPECTED}/expectedLqt/${index}`,
      )
  }
}

/** Throws 400 `INSUFFICIENT_PRINCIPAL` if the amount exceeds the cap of one loan. */
export function checkCap({ context }: Strategy, amount: bigint, pointer: string): void {
  const cap = context.originationCap === null ? null : BigInt(context.originationCap)
  if (cap !== null && amount > cap)
    throw badRequest(
      'INSUFFICIENT_PRINCIPAL',
      `the strategy lends at most ${cap} raw units to one loan, ${amount} are requested`,
      pointer,
    )
}

/** The vault's position, if enough principal remains in it. Throws 400 `INSUFFICIENT_PRINCIPAL`. */
export function principalEnd(platform: Platform, strategy: Strategy, amount: bigint, pointer: string): End {
  checkCap(strategy, amount, pointer)
  const { context, cluster, tenant } = strategy
  const state = principalPosition(platform, strategy)
  const instrument = instrumentOf(
    platform,
    { tenant, organization: context.organization },
    cluster,
    context.instrument.address,
  )
  if (state === undefined || instrument === undefined)
    throw badRequest('INSUFFICIENT_PRINCIPAL', 'the vault no longer has a position in the principal', pointer)
  const { balance, reserved } = state.context.tokens
  const free = BigInt(balance) - BigInt(reserved)
  // The liquidity buffer is a share of all principal: the vault's balance, including what is reserved, and the
  // outstanding loans.
  const all = BigInt(balance) + lentOut(platform, strategy)
  const buffer = (all * BigInt(context.liquidityBuffer ?? 0) + HUNDRED_PERCENT - 1n) / HUNDRED_PERCENT
  if (free - amount < buffer) {
    const bufferText = buffer === 0n ? '' : `, of which ${buffer} stay there`
    throw badRequest(
      'INSUFFICIENT_PRINCIPAL',
      `the vault has ${free} raw units${bufferText}; ${amount} are requested`,
      pointer,
    )
  }
  return existingEnd(platform, state, instrument, context.vault)
}

/** Raw units of principal that its loans have not repaid. */
function lentOut(platform: Platform, { id }: Strategy): bigint {
  return platform.engine.directory
    .find(lentKey(id))
    .flatMap(({ head }) => ofKind(head, 'loan')?.context.debts ?? [])
    .reduce((sum, debt) => (debt.strategy === id ? sum + outstandingPrincipal(debt) : sum), 0n)
}
