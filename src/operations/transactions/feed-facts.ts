// Effects of an instruction on a recorded data source: the published value under its key, and the publishing
// authority.
import type { Effect } from '../../solana/table/effect.ts'
import type { RecordState } from '../../engine/records/record.ts'
import { FEED_KEY, readFeedText } from '../../../machines/feed-text.ts'
import type { AccountRef } from '../../../machines/holding.ts'
import type { Fact } from '../../../machines/transactions/transaction-record.ts'

export function feedFacts(
  effect: Effect,
  { context }: RecordState<'dataSource'>,
  refer: (address: string) => AccountRef,
): Fact[] {
  if (effect.kind === 'authority' && effect.which === 'METADATA_UPDATE' && effect.next !== null) {
    const event = { type: 'chain.handedOver', authority: refer(effect.next) } as const
    return [{ event, undo: { type: 'chain.handedOver', authority: context.authority } }]
  }
  if (effect.kind !== 'metadata' || effect.action !== 'updateField' || effect.key !== FEED_KEY) return []
  const feed = readFeedText(effect.value ?? '')
  if (feed === null || feed.kind !== context.dataKind) return []
  const { publication } = feed
  const { latest, landedSlot } = context
  return [
    {
      event: { type: 'chain.published', publication },
      undo: { type: 'chain.unpublished', sequence: publication.sequence, latest, landedSlot },
    },
  ]
}
