// The borrowers of a strategy, and the cap on the principal each organization may owe at a time.
import { reserves } from '../../engine/records/consequences.ts'
import type { Entry } from '../../engine/records/entry.ts'
import type { Directory } from '../../engine/index/directory.ts'
import { lentKey, loanPartyKey, organizationKey, underWayKey } from '../../engine/index/index-keys.ts'
import { ofKind, type RecordState } from '../../engine/records/record.ts'
import { outstandingPrincipal, type Debt } from '../../../machines/lending/loan-books.ts'
import type { Raw } from '../../../machines/protocol.ts'
import type { LoanEvent } from '../../../machines/lending/loan.ts'
import type { StrategyBorrower } from '../../../machines/lending/strategy.ts'
import type { RecordEvent } from '../../../machines/transactions/transaction-record.ts'
import { rawOfDisplayed } from '../lookup/amounts.ts'
import type { Call } from '../../contract/call.ts'
import type { Platform, Context } from '../context/platform.ts'
import { badRequest } from '../../contract/refusal.ts'
import { eachTogether } from '../../contract/together.ts'
import { multiplierNow } from '../views/read-models/scale.ts'
import { principalPositionIds } from './principal-position.ts'
import type { BorrowerInput, StrategyTermsInput } from '../../contract/schemas/loan.ts'

type Strategy = RecordState<'strategy'>

const MEMBER = '/itemData/borrowers'

/**
 * Throws 400 `ORGANIZATION_NOT_FOUND`, `BORROWER_CAP_REQUIRED` for a borrower of another tenant without a cap,
 * `DUPLICATE_ITEM`.
 */
export function resolveBorrowers(
  { platform, call: { tenant } }: Context,
  inputs: NonNullable<StrategyTermsInput['borrowers']>,
  principal: RecordState<'instrument'>,
): readonly StrategyBorrower[] {
  const seen = new Set<string>()
  return eachTogether(inputs, (each, index) => {
    const pointer = `${MEMBER}/${index}`
    const { organizationExternalId: organization, cap = null }: BorrowerInput =
      typeof each === 'string' ? { organizationExternalId: each } : each
    const entry = organizationNamed(platform, organization, pointer)
    if (seen.has(organization))
      throw badRequest('DUPLICATE_ITEM', `organization ${organization} is listed twice`, pointer)
    seen.add(organization)
    if (cap !== null) return { organization, cap: rawCap(platform, principal, cap, `${pointer}/cap`) }
    if (entry.head.tenant === tenant) return organization
    const rule = 'a borrower of another tenant needs a cap on the principal it may owe'
    throw badRequest('BORROWER_CAP_REQUIRED', `organization ${organization} has no \`cap\`: ${rule}`, `${pointer}/cap`)
  })
}

/** Throws 400 `ORGANIZATION_NOT_FOUND` for all borrowers that are unknown. */
export function checkBorrowersKnown({ platform }: Context, inputs: StrategyTermsInput['borrowers']): void {
  eachTogether(inputs ?? [], (each, index) =>
    organizationNamed(platform, typeof each === 'string' ? each : each.organizationExternalId, `${MEMBER}/${index}`),
  )
}

function organizationNamed({ engine }: Platform, externalId: string, pointer: string): Entry {
  const entry = engine.directory.first(organizationKey(externalId))
  if (entry === undefined) throw badRequest('ORGANIZATION_NOT_FOUND', `no organization ${externalId}`, pointer)
  return entry
}

/**
 * Converts a cap to raw units. Requests show a cap like other amounts, scaled by the multiplier of the instrument; the
 * record stores raw units, so that a change of the multiplier does not change the cap. With a cap of 0 nothing more is
 * lent.
 */
export function rawCap(platform: Platform, { context }: RecordState<'instrument'>, cap: string, pointer: string): Raw {
  if (cap === '0') return cap
  const { decimals } = context
  return rawOfDisplayed(cap, { decimals, multiplier: multiplierNow(platform, context) }, pointer).toString()
}

export function organizationOf(borrower: StrategyBorrower): string {
  return typeof borrower === 'string' ? borrower : borrower.organization
}

/**
 * The borrower's cap in raw units; null: no cap.
 *
 * Throws 400 `BORROWER_NOT_ACCEPTED`, also for a borrower of another tenant without a cap.
 */
export function borrowerCap(
  { tenant, context }: Strategy,
  borrower: Pick<Call, 'tenant' | 'organization'>,
  pointer: string,
): bigint | null {
  const { organization } = borrower
  const isOwn = tenant === borrower.tenant
  const listed = context.borrowers?.find((each) => organizationOf(each) === organization)
  if (listed !== undefined && typeof listed !== 'string') return BigInt(listed.cap)
  if (isOwn && (context.borrowers === null || listed !== undefined)) return null
  const reason = listed === undefined ? '' : ' before a cap is set for it'
  throw badRequest('BORROWER_NOT_ACCEPTED', `the strategy does not lend to ${organization}${reason}`, pointer)
}

/**
 * Keeps an organization's outstanding principal within its cap, including every loan of the strategy that may still
 * land.
 *
 * Call it in the unit of work that signs. Throws 400 `BORROWER_NOT_ACCEPTED`, `BORROWER_CAP_EXCEEDED`.
 *
 * @param amount raw units to be lent
 * @param renewed id of the loan to whose debt the amount belongs, or whose debt to this strategy it replaces
 */
export function checkBorrowerCap(
  platform: Platform,
  strategy: Strategy,
  borrower: Pick<Call, 'tenant' | 'organization'>,
  { amount, renewed, pointer }: { readonly amount: bigint; readonly renewed?: string; readonly pointer: string },
): void {
  const cap = borrowerCap(strategy, borrower, pointer)
  if (cap === null) return
  const owed = outstandingOf(platform, strategy, borrower.organization, renewed)
  if (owed + amount > cap) {
    const request = `${borrower.organization} owes ${owed} raw units of the strategy's principal, or is about to, and asks for ${amount}`
    throw badRequest('BORROWER_CAP_EXCEEDED', `${request}: its cap is ${cap}`, pointer)
  }
}

/**
 * Outstanding raw units, as recorded and in loan changes under way. For each loan the larger of the two counts, so that
 * a loan counts once.
 */
function outstandingOf(
  platform: Platform,
  strategy: Strategy,
  organization: string,
  except: string | undefined,
): bigint {
  const { id } = strategy
  const { directory } = platform.engine
  const owed = new Map<string, bigint>()
  const count = (loan: RecordState | undefined, debts: readonly Debt[]): void => {
    if (ofKind(loan, 'loan')?.context.organization !== organization || loan === undefined || loan.id === except) return
    for (const debt of debts) {
      const principal = debt.strategy === id ? outstandingPrincipal(debt) : 0n
      if (principal > (owed.get(loan.id) ?? 0n)) owed.set(loan.id, principal)
    }
  }
  for (const { head } of directory.find(lentKey(id))) count(head, ofKind(head, 'loan')?.context.debts ?? [])
  for (const transactionId of openAt(platform, strategy)) {
    const transaction = ofKind(directory.resident(transactionId)?.head, 'transaction')
    if (transaction === undefined || !reserves(transaction)) continue
    for (const { record, facts } of transaction.context.fixed.entries) {
      const debts = facts.flatMap(({ event }) => (isLoanChange(event) ? (event.change.lending?.debts ?? []) : []))
      count(directory.resident(record)?.head, debts)
    }
  }
  return [...owed.values()].reduce((sum, principal) => sum + principal, 0n)
}

/**
 * Ids of transactions that may lend out of the vault: those with a reservation on its position, and those of loans
 * that are being created.
 */
function openAt(platform: Platform, strategy: Strategy): ReadonlySet<string> {
  const { directory } = platform.engine
  const { cluster, context } = strategy
  const reserving = principalPositionIds(platform, strategy).flatMap((id) => directory.find(underWayKey(id)))
  const parties = directory.find(loanPartyKey(cluster, context.vault.address))
  const loans = parties.flatMap(({ head }) => ofKind(head, 'loan') ?? [])
  return new Set([
    ...reserving.map(({ head }) => ofKind(head, 'countersignature')?.context.transactionId ?? head.id),
    ...loans
      .flatMap(({ context: { open, plan } }) => [open, ...stepsOf(directory, plan)])
      .filter((each) => each !== null),
  ])
}

function stepsOf(directory: Directory, plan: string | null): readonly (string | null)[] {
  const record = plan === null ? undefined : ofKind(directory.resident(plan)?.head, 'plan')
  return record?.context.steps.map(({ transactionId }) => transactionId) ?? []
}

/** True if the event changes a loan. */
export function isLoanChange(event: RecordEvent): event is RecordEvent & Extract<LoanEvent, { type: 'chain.changed' }> {
  return event.type === 'chain.changed'
}
