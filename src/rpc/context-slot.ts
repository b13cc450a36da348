// The slot that an answer is as of, and at which level: what tells how far a node has come, from the methods that are used anyway.
import { isSlot, type Commitment } from './rpc.ts'

export interface SlotSeen {
  readonly level: Commitment
  readonly slot: number
}

const WITH_CONTEXT: ReadonlySet<string> = new Set(['getLatestBlockhash', 'getAccountInfo', 'getMultipleAccounts', 'getBalance'])
const COMMITMENT = /"commitment":"(processed|confirmed|finalized)"/

/** `params`: the JSON array of the call as text. Null: the method's answer names no slot, or not in shape. */
export function slotOfAnswer(method: string, params: string, result: unknown): SlotSeen | null {
  if (method === 'getSlot') return seen(levelOf(params), result)
  if (method === 'getEpochInfo') return seen(levelOf(params), (result as { absoluteSlot?: unknown } | null)?.absoluteSlot)
  // Its answer comes from the node's newest state, whatever level the statuses in it have reached.
  if (method === 'getSignatureStatuses') return seen('processed', contextSlot(result))
  return WITH_CONTEXT.has(method) ? seen(levelOf(params), contextSlot(result)) : null
}

/** The slot in the refusal of a node that has not come as far as `minContextSlot`. */
export function slotOfRefusal(params: string, data: unknown): SlotSeen | null {
  return seen(levelOf(params), (data as { contextSlot?: unknown } | null | undefined)?.contextSlot)
}

function seen(level: Commitment, slot: unknown): SlotSeen | null {
  return isSlot(slot) ? { level, slot } : null
}

function contextSlot(result: unknown): unknown {
  return (result as { context?: { slot?: unknown } | null } | null)?.context?.slot
}

/** Without one a node answers at `finalized`. */
function levelOf(params: string): Commitment {
  return (COMMITMENT.exec(params)?.[1] as Commitment | undefined) ?? 'finalized'
}
