// A feed that a strategy or an open loan is valued by decides about money: whoever sets its price can take the collateral or the principal.
// What it says may be changed by keys that may set account policy, and what it is about not at all while it is used.
import type { Definition } from '../../../machines/data-source.ts'
import type { Effect } from '../../solana/table/effect.ts'
import { feedUsersKey } from '../../engine/index/index-keys.ts'
import type { RecordState } from '../../engine/records/record.ts'
import { requirePolicyRole } from '../../contract/roles.ts'
import type { Call } from '../../contract/call.ts'
import { ownRecordsAt } from '../lookup/whose-records.ts'
import type { Platform } from '../context/platform.ts'
import { badRequest } from '../../contract/refusal.ts'
import { SOURCE_POINTER, type DataSource } from '../lookup/named-source.ts'

type Change = Partial<Pick<Definition, 'financialInstrument' | 'dataKind'>>

const NAMED = 10

/**
 * Throws 403 `ROLE_REQUIRED`, and 400 `FEED_IN_USE` for another instrument or kind while a strategy or an open loan of the feed's own tenant
 * uses it. Those of other tenants, which a shared feed may have, see a feed without a price then, and lend nothing.
 */
export function checkFeedChange(platform: Platform, call: Call, { tenant, cluster, context }: DataSource, change: Change): void {
  const users = usersOf(platform, cluster, context.address)
  if (users.length === 0) return
  requirePolicyRole(call.caller, 'to change a feed that a lending strategy uses', SOURCE_POINTER)
  const { financialInstrument = context.financialInstrument, dataKind = context.dataKind } = change
  const own = users.filter((user) => user.tenant === tenant)
  const isOther = financialInstrument.address !== context.financialInstrument.address || dataKind !== context.dataKind
  if (!isOther || own.length === 0) return
  const named = own.slice(0, NAMED).map(({ kind, id }) => `${kind} ${id}`)
  throw badRequest('FEED_IN_USE', `the feed keeps its instrument and kind while it is used by ${named.join(', ')}`, SOURCE_POINTER)
}

/**
 * True of a message that writes to a feed in use of the tenant: made by somebody else, it publishes a value of the signer's choice, past the
 * jobs of the feed.
 */
export function writesToFeedInUse(platform: Platform, tenant: string, cluster: string, effects: readonly Effect[]): boolean {
  return effects.some((effect) => {
    const mint = effect.kind === 'metadata' ? effect.mint : effect.kind === 'authority' ? effect.account : null
    if (mint === null) return false
    const isFeed = ownRecordsAt(platform.engine.directory, tenant, cluster, mint).some(({ head }) => head.kind === 'dataSource')
    return isFeed && usersOf(platform, cluster, mint).length > 0
  })
}

/** Throws 403 `ROLE_REQUIRED`. */
export function checkFeedWrites(platform: Platform, { tenant, cluster, caller }: Call, effects: readonly Effect[], pointer: string): void {
  if (writesToFeedInUse(platform, tenant, cluster, effects))
    requirePolicyRole(caller, 'to write to a feed that a lending strategy uses', pointer)
}

function usersOf({ engine }: Platform, cluster: string, address: string): readonly RecordState[] {
  return engine.directory.find(feedUsersKey(cluster, address)).map(({ head }) => head)
}
