// Protects the feeds that value a lending strategy or an open loan: the publisher of a price could take the collateral
// or the principal. Only keys with the account policy role may change a feed in use, and no key may change its
// instrument or kind while its own tenant uses it.
import type { DataSourceEvent, FeedDefinition } from '../../../machines/data-source.ts'
import type { RecordEvent } from '../../../machines/transactions/transaction-record.ts'
import type { Effect } from '../../solana/table/effect.ts'
import { dataSourcesKey, feedUsersKey } from '../../engine/index/index-keys.ts'
import { ofKind, type RecordState } from '../../engine/records/record.ts'
import type { Call } from '../../contract/call.ts'
import { requirePolicyRole } from '../../contract/roles.ts'
import { ownRecordsAt } from '../lookup/whose-records.ts'
import type { Platform, Context } from '../context/platform.ts'
import { badRequest } from '../../contract/refusal.ts'
import { SOURCE_POINTER, type DataSource } from '../lookup/named-source.ts'

type Published = Extract<DataSourceEvent, { readonly type: 'chain.published' }>
type Change = Partial<Pick<FeedDefinition, 'financialInstrument' | 'dataKind'>>

const MAX_NAMED = 10

/**
 * Throws 403 `ROLE_REQUIRED`, and 400 `FEED_IN_USE` if the change selects another instrument or kind while a strategy
 * or an open loan of the feed's own tenant uses the feed. Other tenants that use a shared feed then see a feed without
 * a price, and lend nothing.
 */
export function checkFeedChange(
  { platform, call }: Context,
  { tenant, cluster, context }: DataSource,
  change: Change,
): void {
  const users = usersOf(platform, cluster, context.address)
  if (users.length === 0) return
  requirePolicyRole(call.caller, 'to change a feed that a lending strategy uses', SOURCE_POINTER)
  const { financialInstrument = context.financialInstrument, dataKind = context.dataKind } = change
  const own = users.filter((user) => user.tenant === tenant)
  const isOther = financialInstrument.address !== context.financialInstrument.address || dataKind !== context.dataKind
  if (!isOther || own.length === 0) return
  const userNames = own.slice(0, MAX_NAMED).map(({ kind, id }) => `${kind} ${id}`)
  throw badRequest(
    'FEED_IN_USE',
    `the instrument and kind of the feed cannot be changed while it is used by ${userNames.join(', ')}`,
    SOURCE_POINTER,
  )
}

/**
 * True if the message writes to a feed in use of the tenant. A message that was not built by this service can publish
 * any value that its signer chooses, without the jobs of the feed.
 */
export function writesToFeedInUse(
  platform: Platform,
  tenant: string,
  cluster: string,
  effects: readonly Effect[],
): boolean {
  return effects.some((effect) => {
    const mint = effect.kind === 'metadata' ? effect.mint : effect.kind === 'authority' ? effect.account : null
    if (mint === null) return false
    const isFeed = ownRecordsAt(platform.engine.directory, tenant, cluster, mint).some(
      ({ head }) => head.kind === 'dataSource',
    )
    return isFeed && usersOf(platform, cluster, mint).length > 0
  })
}

/** Throws 403 `ROLE_REQUIRED`. */
export function checkFeedWrites(
  { platform, call: { tenant, cluster, caller } }: Context,
  effects: readonly Effect[],
  pointer: string,
): void {
  if (writesToFeedInUse(platform, tenant, cluster, effects))
    requirePolicyRole(caller, 'to write to a feed that a lending strategy uses', pointer)
}

/** Ids of the tenant's feeds in use that only the key of the address can write to. */
export function feedsInUseOf(
  platform: Platform,
  { tenant, cluster }: Pick<Call, 'tenant' | 'cluster'>,
  authority: string,
): readonly string[] {
  return platform.engine.directory
    .find(dataSourcesKey(cluster))
    .flatMap(({ head }) => ofKind(head, 'dataSource') ?? [])
    .filter((source) => source.tenant === tenant && source.value !== 'closed')
    .filter(({ context }) => context.authority.address === authority)
    .filter(({ context }) => usersOf(platform, cluster, context.address).length > 0)
    .map(({ id }) => id)
}

/**
 * A publication that waited is signed only until a later one is made: it would put an earlier value in the place of a
 * later one. Throws 400 `SEQUENCE_USED`.
 */
export function checkIsLatestPublication(
  { engine }: Platform,
  { tenant, context }: RecordState<'transaction'>,
  pointer: string,
): void {
  for (const { record, facts } of context.fixed.entries) {
    const source = ofKind(engine.directory.resident(record)?.head, 'dataSource')
    if (source === undefined || source.tenant !== tenant) continue
    for (const { event } of facts) {
      if (!isPublication(event) || event.publication.sequence >= source.context.issued) continue
      throw badRequest(
        'SEQUENCE_USED',
        `a later value of ${source.context.address} was published, or is about to be: cancel the transaction and repeat ` +
          'the request',
        pointer,
      )
    }
  }
}

function isPublication(event: RecordEvent): event is RecordEvent & Published {
  return event.type === 'chain.published'
}

function usersOf({ engine }: Platform, cluster: string, address: string): readonly RecordState[] {
  return engine.directory.find(feedUsersKey(cluster, address)).map(({ head }) => head)
}
