// Whether something of ours may be moving a record's account at this moment: then what the chain shows cannot be told from its effect.
import type { Entry } from '../../engine/records/entry.ts'
import { underWayKey } from '../../engine/index/index-keys.ts'
import { ofKind, type HoldingState, type RecordState } from '../../engine/records/record.ts'
import type { Platform } from '../context/platform.ts'

/** What comes in reserves nothing: a credit that the chain shows and we have not settled yet would be counted twice. */
export function isMoving(platform: Platform, { id, value, context }: HoldingState): boolean {
  const tokens = 'tokens' in context ? context.tokens.reserved : '0'
  if (context.lamports.reserved !== '0' || tokens !== '0' || value === 'pending') return true
  return platform.engine.directory.first(underWayKey(id)) !== undefined
}

/**
 * Whether one of those may create or close the account within minutes, or has just done so. What waits, under a durable nonce that nobody has
 * used yet, does not count: anybody can let a transaction wait for ever.
 */
export function isInFlight(platform: Platform, { id, value }: HoldingState): boolean {
  if (value === 'pending') return true
  return platform.engine.directory.find(underWayKey(id)).some(({ head }) => {
    const transaction = ofKind(head, 'transaction')
    if (transaction === undefined) return ofKind(head, 'countersignature')?.context.nonceAccount === null
    const isSeen = transaction.value === 'processed' || transaction.value === 'confirmed'
    return isSeen || transaction.context.fixed.nonceAccount === null
  })
}

/** Transactions that made the account what it is, and could still be undone with their fork. */
export function openTouches(platform: Platform, state: HoldingState): RecordState<'transaction'>[] {
  return touchesOf(platform, state)
    .flatMap(({ committed }) => ofKind(committed, 'transaction') ?? [])
    .filter(({ context }) => context.finalAt === null)
}

/** Slot of the last transaction in the record's books; 0 when there is none. */
export function settledAt(platform: Platform, state: HoldingState): number {
  return Math.max(0, ...touchesOf(platform, state).map(({ head }) => ofKind(head, 'transaction')?.context.slot ?? 0))
}

/** The newest transactions in the record's books, as far as this process knows them; another tenant's by its signature. */
function touchesOf({ engine: { directory } }: Platform, { cluster, context }: HoldingState): Entry[] {
  const { creation, last, lastOfOthers = '' } = context
  const bySignature = (signature: string): Entry | undefined => (signature === '' ? undefined : directory.bySignature(cluster, signature))
  const own = [creation, last].map((touch) => {
    if (touch === null) return undefined
    return touch.transactionId === null ? bySignature(touch.signature) : directory.byId(touch.transactionId)
  })
  return [...new Set([...own, bySignature(lastOfOthers)].filter((entry) => entry !== undefined))]
}
