// Reads a published feed from the bytes of the account alone, as any third party can. The reader trusts only the
// publisher's key. The feed is not an oracle network: the value is what the holder of that key published, computed with
// the jobs whose hash is stored beside it.
import { TOKEN_2022_PROGRAM } from '../solana/address.ts'
import { FormatError } from '../solana/format-error.ts'
import { decodeMint, type Mint } from '../solana/mint-layout.ts'
import type { Publication } from '../../machines/data-source.ts'
import { FEED_KEY, readFeedText } from '../../machines/feed-text.ts'

export interface FeedAccount {
  readonly address: string
  /** Owning program of the account, base58. */
  readonly owner: string
  readonly data: Uint8Array
}

/** Expected values; absent members are not checked. */
export interface Expected {
  /** Address of the publisher: without it the value has no meaning. */
  readonly publisher: string
  readonly kind?: 'PRICE' | 'RATING'
  /** First 32 hex digits of the SHA-256 of the canonical jobs. */
  readonly jobHash?: string
  /** Slot that the account was read at; a value from a later slot is rejected. */
  readonly contextSlot?: number
  readonly maxSlotAge?: number
  /** Unix seconds. */
  readonly now?: number
  readonly maxAgeSeconds?: number
  /** Sequence and slot seen last: a feed never goes back. */
  readonly after?: { readonly sequence: number; readonly slot: number }
}

export type FeedProblem =
  | 'NOT_A_FEED'
  | 'OTHER_PUBLISHER'
  | 'MINTABLE'
  | 'POINTER_OPEN'
  | 'NO_VALUE'
  | 'OTHER_KIND'
  | 'OTHER_JOBS'
  | 'FROM_THE_FUTURE'
  | 'STALE'
  | 'WENT_BACK'

export type FeedRead =
  | {
      readonly ok: true
      readonly kind: 'PRICE' | 'RATING'
      readonly publication: Publication
      readonly jobHash: string
    }
  | { readonly ok: false; readonly problem: FeedProblem }

export function readFeed(account: FeedAccount, expected: Expected): FeedRead {
  const mint = decoded(account)
  const metadata = mint?.extensions.metadata
  const pointer = mint?.extensions.metadataPointer
  if (
    mint === null ||
    metadata === undefined ||
    pointer?.metadata !== account.address ||
    metadata.mint !== account.address
  )
    return refused('NOT_A_FEED')
  if (metadata.updateAuthority !== expected.publisher) return refused('OTHER_PUBLISHER')
  if (mint.mintAuthority !== null || mint.supply !== 0n) return refused('MINTABLE')
  // The authority of the pointer could direct readers to another account.
  if (pointer.authority !== null) return refused('POINTER_OPEN')
  const texts = metadata.additional.filter(([key]) => key === FEED_KEY)
  const feed = texts.length === 1 ? readFeedText(texts[0]![1]) : null
  if (feed === null) return refused('NO_VALUE')
  if (expected.kind !== undefined && feed.kind !== expected.kind) return refused('OTHER_KIND')
  if (expected.jobHash !== undefined && feed.jobHash !== expected.jobHash) return refused('OTHER_JOBS')
  const problem = agesBadly(feed.publication, expected)
  return problem === null ? { ok: true, ...feed } : refused(problem)
}

function agesBadly({ slot, asOf, sequence }: Publication, expected: Expected): FeedProblem | null {
  const { contextSlot, maxSlotAge, now, maxAgeSeconds, after } = expected
  if (contextSlot !== undefined && slot > contextSlot) return 'FROM_THE_FUTURE'
  if (contextSlot !== undefined && maxSlotAge !== undefined && contextSlot - slot > maxSlotAge) return 'STALE'
  if (now !== undefined && maxAgeSeconds !== undefined) {
    if (now - asOf > maxAgeSeconds) return 'STALE'
    if (asOf - now > maxAgeSeconds) return 'FROM_THE_FUTURE'
  }
  return after !== undefined && (sequence < after.sequence || slot < after.slot) ? 'WENT_BACK' : null
}

function decoded({ data, owner }: FeedAccount): Mint | null {
  if (owner !== TOKEN_2022_PROGRAM) return null
  try {
    return decodeMint(data, owner)
  } catch (error) {
    if (error instanceof FormatError) return null
    throw error
  }
}

function refused(problem: FeedProblem): FeedRead {
  return { ok: false, problem }
}
