// Queries statuses of signatures in a pool: at one endpoint normally, at all usable endpoints where a null would have
// consequences.
import { ask } from './asking.ts'
import type { EndpointPool } from './pool.ts'
import { signatureStatuses, type Commitment, type SignatureStatus, type StatusAnswer } from './rpc.ts'

const RANK: Readonly<Record<Commitment, number>> = { processed: 0, confirmed: 1, finalized: 2 }

/** Rejects with RpcError or TransportError. */
export function askForStatuses(
  pool: EndpointPool,
  signatures: readonly string[],
  timeoutMs: number,
): Promise<StatusAnswer> {
  return ask(pool, 'status', timeoutMs, (transport, waitMs) =>
    signatureStatuses(transport, signatures, { searchHistory: false, timeoutMs: waitMs }),
  )
}

/**
 * Searches histories too. A status known to any endpoint counts, and a null is as old as the oldest response. Rejects
 * when no endpoint answers.
 */
export async function askAllForStatuses(
  pool: EndpointPool,
  signatures: readonly string[],
  timeoutMs: number,
): Promise<StatusAnswer> {
  const queries = pool
    .usable()
    .map(({ transport }) => signatureStatuses(transport, signatures, { searchHistory: true, timeoutMs }))
  const settled = await Promise.allSettled(queries)
  const answers = settled.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
  if (answers.length === 0) return queries[0]!
  return {
    contextSlot: Math.min(...answers.map(({ contextSlot }) => contextSlot)),
    statuses: signatures.map((_, index) => answers.map(({ statuses }) => statuses[index] ?? null).reduce(better)),
  }
}

function better(one: SignatureStatus | null, other: SignatureStatus | null): SignatureStatus | null {
  if (one === null || other === null) return one ?? other
  return RANK[other.commitment] > RANK[one.commitment] ? other : one
}
