// A node whose lease is over signs nothing, and decides to send nothing: another node may own its cells, and switches
// of SYSTEM are answered without it. A request is checked when it begins, and here again, because it may have waited.
import { Refusal } from '../../contract/refusal.ts'
import type { Platform } from './platform.ts'

/** Must be called in the unit of work that signs or sends. Throws 503 `TENANT_UNAVAILABLE`, retryable. */
export function requireMayAct({ mayAct }: Pick<Platform, 'mayAct'>): void {
  if (mayAct?.() !== false) return
  const message = 'the lease of this node is over: another node may own the data of the tenant'
  throw new Refusal(503, [{ code: 'TENANT_UNAVAILABLE', message, retryable: true }], 1)
}
