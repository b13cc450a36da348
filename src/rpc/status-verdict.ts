// Interprets one status answer about one signature, given the earlier answers. Pure. A lagging node never overrides a
// later view. Absence counts only if it repeats at later slots and the history confirms it.
import { describeTransactionError } from '../solana/chain-error.ts'
import type { Commitment, SignatureStatus } from './rpc.ts'

/** Status caches of nodes hold 300 slots; beyond this distance a null proves nothing. */
export const CACHE_SLOTS = 250

export interface SeenStatus {
  readonly commitment: Commitment
  readonly slot: number
  readonly error: string | null
  /** Slot of the latest answer that showed the transaction. */
  readonly contextSlot: number
  /** False: known from the records, not yet reported since the start. */
  readonly reported: boolean
}

export interface StatusView {
  readonly seen: SeenStatus | null
  /** Successive answers without the transaction, each of a later slot. */
  readonly misses: number
  readonly missSlot: number
  /** When the first of them arrived, milliseconds of a monotonic clock. */
  readonly missedSince: number
}

/** The part of an answer that is the same for all its signatures. */
export interface StatusAnswerContext {
  readonly contextSlot: number
  /** The query searched the node's history. */
  readonly deep: boolean
  /** Arrival, milliseconds of a monotonic clock. */
  readonly atMs: number
}

/** When a seen transaction counts as forgotten: after this many successive misses over this time. */
export interface ForgetPolicy {
  readonly forgetAfter: number
  readonly forgetMs: number
}

const NO_MISSES = { misses: 0, missSlot: 0, missedSince: 0 }

/** The view of an unknown transaction. */
export const UNSEEN: StatusView = { seen: null, ...NO_MISSES }

export function knownAs(seen: SeenStatus): StatusView {
  return { seen, ...NO_MISSES }
}

export interface StatusVerdict {
  readonly view: StatusView
  readonly news: readonly ('seen' | 'forgotten')[]
  /** The next query must search the node's history. */
  readonly deep: boolean
}

const RANK: Readonly<Record<Commitment, number>> = { processed: 0, confirmed: 1, finalized: 2 }

export function verdictOf(
  view: StatusView,
  status: SignatureStatus | null,
  answered: StatusAnswerContext,
  policy: ForgetPolicy,
): StatusVerdict {
  return status === null ? verdictOfMissing(view, answered, policy) : verdictOfSeen(view, status, answered.contextSlot)
}

function verdictOfSeen(view: StatusView, status: SignatureStatus, contextSlot: number): StatusVerdict {
  const before = view.seen
  const error = status.error === null ? null : describeTransactionError(status.error)
  const seen = { commitment: status.commitment, slot: status.slot, error, contextSlot, reported: true }
  const now = knownAs(seen)
  if (before === null) return { view: now, news: ['seen'], deep: false }
  if (status.slot !== before.slot) {
    // A different slot means that the earlier fork was abandoned. A lagging node may still show the old slot.
    const stale = contextSlot < before.contextSlot && status.commitment !== 'finalized'
    if (stale) return { view, news: [], deep: false }
    return { view: now, news: before.commitment === 'processed' ? ['seen'] : ['forgotten', 'seen'], deep: false }
  }
  const risen = RANK[status.commitment] > RANK[before.commitment]
  const repeated = !before.reported && status.commitment === before.commitment
  if (risen || repeated) return { view: now, news: ['seen'], deep: false }
  const updated = { ...before, contextSlot: Math.max(contextSlot, before.contextSlot) }
  return { view: knownAs(updated), news: [], deep: false }
}

function verdictOfMissing(
  view: StatusView,
  { contextSlot, deep, atMs }: StatusAnswerContext,
  { forgetAfter, forgetMs }: ForgetPolicy,
): StatusVerdict {
  const before = view.seen
  if (before === null) return { view, news: [], deep: false }
  const later = contextSlot > Math.max(before.contextSlot, view.missSlot)
  if (!later) return { view, news: [], deep }
  const misses = view.misses + 1
  const missedSince = view.misses === 0 ? atMs : view.missedSince
  const isEnough = misses >= forgetAfter && atMs - missedSince >= forgetMs
  const mustAskHistory = isEnough || contextSlot - before.slot > CACHE_SLOTS
  if (mustAskHistory && !deep) return { view, news: [], deep: true }
  if (!isEnough)
    return { view: { seen: before, misses, missSlot: contextSlot, missedSince }, news: [], deep: mustAskHistory }
  return { view: UNSEEN, news: ['forgotten'], deep: false }
}
