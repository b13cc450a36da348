// Extracts the slot and commitment level that a response is as of. This tells how far a node has progressed without
// extra calls.
import { isSlot, type Commitment } from './rpc.ts'

export interface SlotSeen {
  readonly level: Commitment
  readonly slot: number
}

const WITH_CONTEXT: ReadonlySet<string> = new Set(['getLatestBlockhash', 'getAccountInfo', 'getMultipleAccounts', 'getBalance'])
const COMMITMENT = /"commitment":"(processed|confirmed|finalized)"/

/**
 * Null if responses of the method name no slot, or the slot is malformed.
 * @param params The JSON array of the call as text.
 */
export function slotOfAnswer(method: string, params: string, result: unknown): SlotSeen | null {
  if (method === 'getSlot') return seen(levelOf(params), result)
  if (method === 'getEpochInfo') return seen(levelOf(params), (result as { absoluteSlot?: unknown } | null)?.absoluteSlot)
  // The context slot of statuses is of the node's newest state, whatever level the statuses have reached.
  if (method === 'getSignatureStatuses') return seen('processed', contextSlot(result))
  return WITH_CONTEXT.has(method) ? seen(levelOf(params), contextSlot(result)) : null
}

/** The slot in the error of a node that has not reached `minContextSlot`. */
export function slotOfRefusal(params: string, data: unknown): SlotSeen | null {
  return seen(levelOf(params), (data as { contextSlot?: unknown } | null | undefined)?.contextSlot)
}

function seen(level: Commitment, slot: unknown): SlotSeen | null {
  return isSlot(slot) ? { level, slot } : null
}

function contextSlot(result: unknown): unknown {
  return (result as { context?: { slot?: unknown } | null } | null)?.context?.slot
}

/** Without a commitment a node answers at `finalized`. */
function levelOf(params: string): Commitment {
  return (COMMITMENT.exec(params)?.[1] as Commitment | undefined) ?? 'finalized'
}
