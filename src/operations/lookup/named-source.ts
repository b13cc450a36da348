// Resolves the data source of a request, and checks whether a publication of it is in progress.
import type { Entry } from '../../engine/records/entry.ts'
import { ofKind, type RecordState } from '../../engine/records/record.ts'
import type { AccountLookup } from '../../contract/values/lookup.ts'
import { recordAt } from './whose-records.ts'
import type { Platform, Context } from '../context/platform.ts'
import { badRequest, busy, type Refusal } from '../../contract/refusal.ts'
import { nothingNamed, resolveRecord, type NotFound } from './account.ts'
import { isUnderWay, ownChanges } from './own-messages.ts'
import type { Party } from './party.ts'

export type DataSource = RecordState<'dataSource'>

export const SOURCE_POINTER = '/itemData/onchainDataSource'

export const SOURCE_NOT_FOUND: NotFound = { code: 'DATA_SOURCE_NOT_FOUND', refuse: badRequest }

/** A source that the request reads. Throws 400 `DATA_SOURCE_NOT_FOUND`. */
export function visibleSource(context: Context, lookup: AccountLookup): DataSource {
  const source = ofKind(resolveRecord(context, lookup, SOURCE_POINTER, SOURCE_NOT_FOUND).committed, 'dataSource')
  if (source === undefined) throw nothingNamed(SOURCE_NOT_FOUND, SOURCE_POINTER)
  return source
}

/** A message in progress that publishes to the source, hands it over, or creates its account. */
function publicationOf({ engine }: Platform, source: Pick<DataSource, 'id' | 'tenant'>): Entry | undefined {
  return ownChanges(engine.directory, source)[0]
}

/**
 * Two concurrent publications could land in either order, and a reader would see the feed go back. Call it inside the
 * unit of work.
 */
export function mayPublish(platform: Platform, source: DataSource, issued: number): boolean {
  const { value, context } = source
  return value !== 'pending' && publicationOf(platform, source) === undefined && context.issued === issued
}

/** 400 `DATA_SOURCE_BUSY`, retryable. */
export function publicationUnderWay(): Refusal {
  return busy('DATA_SOURCE_BUSY', 'another publication of this data source is under way', SOURCE_POINTER)
}

/** Resolves when no publication of the source is in progress, after `waitMs`, or when the service stops. */
export async function whenIdle(
  platform: Platform,
  source: Pick<DataSource, 'id' | 'tenant'>,
  waitMs: number,
): Promise<void> {
  const { clock, engine } = platform
  const until = clock.now() + waitMs
  for (;;) {
    const open = publicationOf(platform, source)
    if (open === undefined) return
    const remainingMs = Math.min(waitMs, until - clock.now())
    if (remainingMs <= 0 || engine.waiters.hasEnded) return
    await engine.waiters.wait(open.head.id, (state) => !isUnderWay(state), remainingMs)
  }
}

/** The party that signs publications. */
export function publisherOf(platform: Platform, { tenant, cluster, context }: DataSource): Party {
  const { address } = context.authority
  return {
    address,
    entry:
      recordAt(platform.engine.directory, { tenant, organization: context.organization }, cluster, address) ?? null,
    autoSign: true,
  }
}
