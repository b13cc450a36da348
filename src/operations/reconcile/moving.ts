// Determines whether transactions of this service may be changing more of an account than its balances, so that a
// reading cannot be separated from their effects.
import type { Entry } from '../../engine/records/entry.ts'
import { signatureKey, underWayKey } from '../../engine/index/index-keys.ts'
import { ofKind, type HoldingState, type RecordState } from '../../engine/records/record.ts'
import type { Platform } from '../context/platform.ts'
import { ownChanges } from '../lookup/own-messages.ts'

/** True if a message in progress may change more than the balances: it reports the change itself. */
export function isChanging({ engine }: Platform, state: HoldingState): boolean {
  return state.value === 'pending' || ownChanges(engine.directory, state).length > 0
}

/**
 * True if a transaction in progress may create or close the account within minutes, or has just done so. Transactions
 * that wait under an unused durable nonce do not count, because they can wait for any length of time. Nor do those of
 * other tenants, before they land, if they were made after slot `by`: each could be replaced by the next.
 */
export function isInFlight(platform: Platform, { id, tenant, value }: HoldingState, by = -1): boolean {
  if (value === 'pending') return true
  return platform.engine.directory.find(underWayKey(id)).some(({ head }) => {
    const transaction = ofKind(head, 'transaction')
    if (transaction === undefined) return ofKind(head, 'countersignature')?.context.nonceAccount === null
    const { nonceAccount, blockhashSlot } = transaction.context.fixed
    const isSeen = transaction.value === 'processed' || transaction.value === 'confirmed'
    return isSeen || (nonceAccount === null && (head.tenant === tenant || blockhashSlot <= by))
  })
}

/** The newest transactions settled in the record that a fork can still undo. They are all in memory. */
export function openTouches({ engine: { directory } }: Platform, state: HoldingState): RecordState<'transaction'>[] {
  const find: Find = {
    byId: (id) => directory.resident(id),
    bySignature: (signature) => directory.first(signatureKey(state.cluster, signature)),
  }
  return touchesOf(find, state)
    .flatMap(({ committed }) => ofKind(committed, 'transaction') ?? [])
    .filter(({ context }) => context.finalAt === null)
}

/** Slot of the last transaction settled in the record; 0 if there is none. */
export function settledAt({ engine: { directory } }: Platform, state: HoldingState): number {
  const find: Find = {
    byId: (id) => directory.byId(id),
    bySignature: (signature) => directory.bySignature(state.cluster, signature),
  }
  return Math.max(0, ...touchesOf(find, state).map(({ head }) => ofKind(head, 'transaction')?.context.slot ?? 0))
}

interface Find {
  byId(id: string): Entry | undefined
  bySignature(signature: string): Entry | undefined
}

/**
 * The newest transactions settled in the record, as far as this process knows them; those of other tenants by
 * signature.
 */
function touchesOf(find: Find, { context }: HoldingState): Entry[] {
  const { creation, last, lastOfOthers = '' } = context
  const bySignature = (signature: string): Entry | undefined =>
    signature === '' ? undefined : find.bySignature(signature)
  const own = [creation, last].map((touch) => {
    if (touch === null) return undefined
    return touch.transactionId === null ? bySignature(touch.signature) : find.byId(touch.transactionId)
  })
  return [...new Set([...own, bySignature(lastOfOthers)].filter((entry) => entry !== undefined))]
}
