// Which chain a cluster's endpoints are on, found out when it is opened. Those that do not answer then are asked before they are used.
import type { Endpoint, EndpointPool } from './pool.ts'

/** How long the others are waited for once one has answered. */
const GRACE_MS = 2_000

/**
 * The genesis hash of the cluster: `known` if any endpoint is of that chain, else that of the first in the list that answers in time.
 * Rejects (RpcError, TransportError) when none answers.
 */
export async function settleChain(pool: EndpointPool, known?: string): Promise<string> {
  const found = new Map<Endpoint, string>()
  let settled = false
  const meetings = pool.all.map(async (endpoint) => {
    const genesisHash = await pool.meet(endpoint)
    found.set(endpoint, genesisHash)
    // One that answers late.
    if (settled) pool.met(endpoint, genesisHash)
  })
  const all = Promise.allSettled(meetings)
  try {
    await Promise.any(meetings)
  } catch (error) {
    throw (error as AggregateError).errors[0]
  }
  await withinGrace(pool, all)
  settled = true
  const answered = pool.all.filter((endpoint) => found.has(endpoint))
  const genesisHash = [...found.values()].find((hash) => hash === known) ?? found.get(answered[0]!)!
  pool.settleChain(genesisHash)
  for (const endpoint of answered) pool.met(endpoint, found.get(endpoint)!)
  pool.compareSlots()
  return genesisHash
}

async function withinGrace(pool: EndpointPool, all: Promise<unknown>): Promise<void> {
  const { clock } = pool
  await new Promise<void>((resolve) => {
    const timer = clock.setTimeout(resolve, GRACE_MS)
    void all.then(() => {
      clock.clearTimeout(timer)
      resolve()
    })
  })
}
