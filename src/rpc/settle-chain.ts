// Determines the chain of a cluster's endpoints when the cluster is opened. An endpoint that does not answer at that
// time is queried before its first use.
import type { Endpoint, EndpointPool } from './pool.ts'

/** How long to wait for the other endpoints after one has answered. */
const GRACE_MS = 2_000

/**
 * Returns the genesis hash of the cluster: `known` if any endpoint is of that chain, else the hash of the first
 * endpoint in the list that answers in time. When none answers the hash is `known`, and each endpoint is queried again
 * before its first use; without `known` it rejects with RpcError or TransportError.
 */
export async function settleChain(pool: EndpointPool, known?: string): Promise<string> {
  const hashes = new Map<Endpoint, string>()
  let settled = false
  const meetings = pool.all.map(async (endpoint) => {
    const genesisHash = await pool.meet(endpoint)
    hashes.set(endpoint, genesisHash)
    // A late answer.
    if (settled) pool.met(endpoint, genesisHash)
  })
  const all = Promise.allSettled(meetings)
  try {
    await Promise.any(meetings)
  } catch (error) {
    if (known === undefined) throw (error as AggregateError).errors[0]
    pool.settleChain(known)
    return known
  }
  await withinGrace(pool, all)
  settled = true
  const answered = pool.all.filter((endpoint) => hashes.has(endpoint))
  const genesisHash = [...hashes.values()].find((hash) => hash === known) ?? hashes.get(answered[0]!)!
  pool.settleChain(genesisHash)
  for (const endpoint of answered) pool.met(endpoint, hashes.get(endpoint)!)
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
