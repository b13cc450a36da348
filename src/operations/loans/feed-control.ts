// Who can set the price that a lender lends by. A borrower of another tenant who can sign with a feed's authority, or defines the feed, would
// name the worth of its own collateral.
import { addressKey, organizationKey } from '../../engine/index-keys.ts'
import { isHolding, ofKind, type HoldingState, type RecordState } from '../../engine/record.ts'
import type { AccountRef } from '../../../machines/holding.ts'
import type { StrategyContext } from '../../../machines/strategy.ts'
import type { Call } from '../call.ts'
import type { Platform } from '../platform.ts'
import { badRequest } from '../refusal.ts'
import { organizationOf } from './borrowers.ts'

type Lending = Pick<StrategyContext, 'source' | 'collateral' | 'borrowers'>

/** Every feed is out of reach of every listed borrower of another tenant. Throws 400 `FEED_NOT_INDEPENDENT`. */
export function checkListedFeeds(platform: Platform, { tenant, cluster }: Pick<Call, 'tenant' | 'cluster'>, terms: Lending): void {
  const foreign = (terms.borrowers ?? []).map(organizationOf).filter((organization) => tenantOf(platform, organization) !== tenant)
  for (const organization of foreign) checkFeeds(platform, cluster, sourcesOf(terms), organization, '/itemData/borrowers')
}

/** As above for the one borrower that borrows now: grants change after a strategy is made. */
export function checkLenderFeeds(
  platform: Platform,
  { tenant, cluster, context }: RecordState<'strategy'>,
  borrower: Pick<Call, 'tenant' | 'organization'>,
  pointer: string,
): void {
  if (borrower.tenant !== tenant) checkFeeds(platform, cluster, sourcesOf(context), borrower.organization, pointer)
}

/** @param sources addresses and ids of feeds. Throws 400 `FEED_NOT_INDEPENDENT`. */
export function checkFeeds(
  platform: Platform,
  cluster: string,
  sources: readonly AccountRef[],
  borrower: string,
  pointer: string,
): void {
  const controlled = sources.find((source) => controls(platform, cluster, source, borrower))
  if (controlled === undefined) return
  const rule = 'a borrower of another tenant must not be able to publish its values'
  throw badRequest('FEED_NOT_INDEPENDENT', `organization ${borrower} can sign for the feed ${controlled.address}: ${rule}`, pointer)
}

/** The feeds of the principal and of every collateral, each once. */
export function sourcesOf({ source, collateral }: Pick<Lending, 'source' | 'collateral'>): readonly AccountRef[] {
  return [...new Map([source, ...collateral.map((terms) => terms.source)].map((each) => [each.address, each])).values()]
}

function controls({ engine: { directory } }: Platform, cluster: string, { id }: AccountRef, organization: string): boolean {
  const feed = id === null ? undefined : ofKind(directory.byId(id)?.head, 'dataSource')
  if (feed === undefined) return false
  const authorities = directory
    .find(addressKey(cluster, feed.context.authority.address))
    .map(({ head }) => head)
    .filter(isHolding)
  return feed.context.organization === organization || authorities.some((state) => maySign(state, organization))
}

/** Notes of somebody else's address are anybody's to make: only a record whose key is kept here says who uses it. */
function maySign({ context }: HoldingState, organization: string): boolean {
  const granted = context.orgsAllowedToSignWithPrivateKey?.includes(organization) === true
  return context.managed && (granted || context.organization === organization)
}

function tenantOf({ engine }: Platform, organization: string): string | undefined {
  return engine.directory.first(organizationKey(organization))?.head.tenant
}
