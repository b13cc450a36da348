// Extracts the slot and commitment level that a response is as of, and all slots and block heights that it claims. This
// tells how far a node has progressed without extra calls.
import type { Claim } from './chain-pace.ts'
import { isSlot, type Commitment } from './rpc.ts'

export interface SlotSeen {
  readonly level: Commitment
  readonly slot: number
}

const WITH_CONTEXT: ReadonlySet<string> = new Set([
  'getLatestBlockhash',
  'getAccountInfo',
  'getMultipleAccounts',
  'getBalance',
])
const COMMITMENT = /"commitment":"(processed|confirmed|finalized)"/

/**
 * Null if responses of the method name no slot, or the slot is malformed.
 * @param params The JSON array of the call as text.
 */
export function slotOfAnswer(method: string, params: string, result: unknown): SlotSeen | null {
  if (method === 'getSlot') return slotSeenAt(levelOf(params), result)
  if (method === 'getEpochInfo')
    return slotSeenAt(levelOf(params), (result as { absoluteSlot?: unknown } | null)?.absoluteSlot)
  // The context slot of statuses is of the node's newest state, whatever level the statuses have reached.
  if (method === 'getSignatureStatuses') return slotSeenAt('processed', contextSlot(result))
  return WITH_CONTEXT.has(method) ? slotSeenAt(levelOf(params), contextSlot(result)) : null
}

/** The slot in the error of a node that has not reached `minContextSlot`. */
export function slotOfRefusal(params: string, data: unknown): SlotSeen | null {
  return slotSeenAt(levelOf(params), (data as { contextSlot?: unknown } | null | undefined)?.contextSlot)
}

/** Number of blocks for which a blockhash is valid. */
const LIFETIME_BLOCKS = 150

/** Slots and block heights in a response; null: there are none. */
export function claimOf(method: string, params: string, result: unknown): Claim | null {
  const level = method === 'getSignatureStatuses' ? 'processed' : levelOf(params)
  const slots = [slotOfAnswer(method, params, result)?.slot, ...slotsWithin(method, result)].filter(isSlot)
  const height = heightOf(method, result)
  if (slots.length === 0 && height === null) return null
  return { slot: slots.length === 0 ? null : Math.max(...slots), height, isFinalized: level === 'finalized' }
}

/** Slots in which transactions are reported to have landed. */
function slotsWithin(method: string, result: unknown): readonly unknown[] {
  const { slot, value } = (result ?? {}) as { slot?: unknown; value?: unknown }
  if (method === 'getTransaction') return [slot]
  if (method !== 'getSignatureStatuses' || !Array.isArray(value)) return []
  return value.map((status: unknown) => (status as { slot?: unknown } | null)?.slot)
}

function heightOf(method: string, result: unknown): number | null {
  if (method === 'getBlockHeight') return isSlot(result) ? result : null
  const { blockHeight, value } = (result ?? {}) as {
    blockHeight?: unknown
    value?: { lastValidBlockHeight?: unknown } | null
  }
  if (method === 'getEpochInfo') return isSlot(blockHeight) ? blockHeight : null
  const last = method === 'getLatestBlockhash' ? value?.lastValidBlockHeight : undefined
  return isSlot(last) ? last - LIFETIME_BLOCKS : null
}

function slotSeenAt(level: Commitment, slot: unknown): SlotSeen | null {
  return isSlot(slot) ? { level, slot } : null
}

function contextSlot(result: unknown): unknown {
  return (result as { context?: { slot?: unknown } | null } | null)?.context?.slot
}

/** Without a commitment a node answers at `finalized`. */
function levelOf(params: string): Commitment {
  return (COMMITMENT.exec(params)?.[1] as Commitment | undefined) ?? 'finalized'
}
