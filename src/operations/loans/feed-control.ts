// Checks who controls the price feeds of a loan. A borrower of another tenant who can sign with a feed's authority,
// or has defined the feed, could set the value of its own collateral.
import { organizationKey } from '../../engine/index/index-keys.ts'
import { isHolding, ofKind, type HoldingState, type RecordState } from '../../engine/records/record.ts'
import type { AccountRef } from '../../../machines/holding.ts'
import { amountDueAt } from '../../../machines/lending/loan-books.ts'
import type { StrategyContext } from '../../../machines/lending/strategy.ts'
import type { Call } from '../../contract/call.ts'
import type { Platform } from '../context/platform.ts'
import { badRequest } from '../../contract/refusal.ts'
import { organizationOf } from './borrowers.ts'

type Lending = Pick<StrategyContext, 'source' | 'collateral' | 'borrowers'>

/** No listed borrower of another tenant may control a feed of the terms. Throws 400 `FEED_NOT_INDEPENDENT`. */
export function checkListedFeeds(
  platform: Platform,
  { tenant, cluster }: Pick<Call, 'tenant' | 'cluster'>,
  terms: Lending,
): void {
  for (const organization of (terms.borrowers ?? []).map(organizationOf)) {
    const borrower = { organization, tenant: tenantOf(platform, organization) }
    if (borrower.tenant !== tenant)
      checkFeeds(platform, cluster, sourcesOf(terms), { borrower, pointer: '/itemData/borrowers' })
  }
}

/** The same check for the borrower of a new loan: grants may have changed since the strategy was made. */
export function checkLenderFeeds(
  platform: Platform,
  { tenant, cluster, context }: RecordState<'strategy'>,
  borrower: Pick<Call, 'tenant' | 'organization'>,
  pointer: string,
): void {
  if (borrower.tenant !== tenant) checkFeeds(platform, cluster, sourcesOf(context), { borrower, pointer })
}

/** The same check before collateral is released while something is owed, for the feeds that the open debts name. */
export function checkFeedsOfDebts(
  platform: Platform,
  { tenant, cluster, context }: RecordState<'loan'>,
  at: number,
  pointer: string,
): void {
  const { lender, debts, organization, owner } = context
  const borrowers = [{ tenant, organization }, ...(owner === undefined ? [] : [owner])]
  for (const borrower of borrowers.filter((each) => each.tenant !== lender.tenant))
    for (const debt of debts.filter((each) => amountDueAt(each, at) > 0n))
      checkFeeds(platform, cluster, sourcesOf({ source: debt.source, collateral: debt.terms }), { borrower, pointer })
}

interface Borrower {
  readonly organization: string
  /** undefined: the organization does not exist. */
  readonly tenant: string | undefined
}

function checkFeeds(
  platform: Platform,
  cluster: string,
  sources: readonly AccountRef[],
  { borrower, pointer }: { readonly borrower: Borrower; readonly pointer: string },
): void {
  const controlled = sources.find((source) => controls(platform, cluster, source, borrower))
  if (controlled === undefined) return
  const rule = 'a borrower of another tenant must not be able to publish its values'
  const problem = `the tenant of ${borrower.organization} can sign for the feed ${controlled.address}`
  throw badRequest('FEED_NOT_INDEPENDENT', `${problem}: ${rule}`, pointer)
}

/** The feeds of the principal and of all collateral, without duplicates. */
function sourcesOf({ source, collateral }: Pick<Lending, 'source' | 'collateral'>): readonly AccountRef[] {
  return [...new Map([source, ...collateral.map((terms) => terms.source)].map((each) => [each.address, each])).values()]
}

/** All organizations of a tenant count as one: they have the same administrator. */
function controls(platform: Platform, cluster: string, { id }: AccountRef, borrower: Borrower): boolean {
  const { directory } = platform.engine
  const feed = id === null ? undefined : ofKind(directory.resident(id)?.head, 'dataSource')
  if (feed === undefined) return false
  const authorities = directory
    .atAddress(cluster, feed.context.authority.address)
    .map(({ head }) => head)
    .filter(isHolding)
  return (
    isOf(borrower, feed.tenant, feed.context.organization) ||
    authorities.some((state) => maySign(platform, state, borrower))
  )
}

function isOf({ tenant, organization }: Borrower, ownerTenant: string | undefined, owner: string): boolean {
  return owner === organization || (tenant !== undefined && ownerTenant === tenant)
}

/** Any tenant may record an address; only a record with the key shows who can sign. */
function maySign(platform: Platform, { tenant, context }: HoldingState, borrower: Borrower): boolean {
  const granted = context.orgsAllowedToSignWithPrivateKey ?? []
  return (
    context.managed &&
    (isOf(borrower, tenant, context.organization) ||
      granted.some((each) => isOf(borrower, tenantOf(platform, each), each)))
  )
}

function tenantOf({ engine }: Platform, organization: string): string | undefined {
  return engine.directory.first(organizationKey(organization))?.head.tenant
}
