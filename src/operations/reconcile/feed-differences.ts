// Compares the account of a data source with its record. Others may publish with the authority's key, or transfer the
// authority.
import { isDeepStrictEqual } from 'node:util'
import { decodeMint } from '../../solana/mint-layout.ts'
import { FEED_KEY, readFeedText } from '../../../machines/feed-text.ts'
import type { DataSourceEvent } from '../../../machines/data-source.ts'
import type { AccountRef } from '../../../machines/holding.ts'
import { accountOf } from '../lookup/party.ts'
import type { ChainAccount, Platform } from '../context/platform.ts'
import type { DataSource } from '../lookup/named-source.ts'

/**
 * @param slot slot of the reading
 * @param values false: a publication of this service is in progress, and only the authority is compared
 */
export function feedDifferences(
  platform: Platform,
  state: DataSource,
  account: ChainAccount,
  { slot, values = true }: { readonly slot: number; readonly values?: boolean | undefined },
): DataSourceEvent[] {
  const { context, tenant, cluster } = state
  const { metadata } = decodeMint(account.data, account.owner).extensions
  const text = metadata?.additional.find(([key]) => key === FEED_KEY)?.[1]
  const feed = text === undefined ? null : readFeedText(text)
  const shown = feed === null || feed.kind !== context.dataKind ? null : feed.publication
  const latest = values ? shown : context.latest
  const publisher = metadata?.updateAuthority ?? null
  // If the authority was given up, the record keeps the last one, which cannot publish any more.
  const authority = publisher === null || publisher === context.authority.address ? context.authority : refer(publisher)
  if (isDeepStrictEqual(latest, context.latest) && authority === context.authority) return []
  return [{ type: 'chain.feedRead', latest, authority, slot }]

  function refer(address: string): AccountRef {
    return accountOf(platform, { tenant, cluster }, address)
  }
}
