// Retries a query at another endpoint if the first endpoint fails. Only for idempotent calls: reads, never sends.
import { sleep } from '../time/clock.ts'
import type { Endpoint, EndpointPool, Purpose } from './pool.ts'
import { asRpcFailure, isBehind, isEndpointsFault, TransportError } from './rpc-error.ts'
import type { Transport } from './transport.ts'

/** A query that makes all its calls through one transport, each with a timeout of `waitMs`. */
export type Question<T> = (transport: Transport, waitMs: number, endpoint: Endpoint) => Promise<T>

/** Maximum number of endpoints that one query tries. */
const ATTEMPTS = 2
/** Pause before all endpoints are tried once more: nodes are usually one or two slots apart. */
const CATCH_UP_MS = 250
const ROUNDS = 4

/**
 * Queries one endpoint, and a second one if the first fails through a fault of the endpoint. Rejects with RpcError or
 * TransportError.
 */
export async function ask<T>(
  pool: EndpointPool,
  purpose: Purpose,
  timeoutMs: number,
  question: Question<T>,
): Promise<T> {
  const tried = new Set<Endpoint>()
  for (let endpoint = pool.pick(purpose); ;) {
    try {
      return await question(endpoint.transport, pool.waitMs(endpoint, timeoutMs), endpoint)
    } catch (error) {
      tried.add(endpoint)
      const other = tried.size < ATTEMPTS && isEndpointsFault(error) ? pool.pickOther(purpose, tried) : null
      if (other === null) throw error
      endpoint = other
    }
  }
}

/**
 * Returns a response no older than `leastSlot`. Endpoints that have not reached it are skipped; if none has, all are
 * tried again after a pause. Rejects with TransportError BEHIND when no endpoint catches up in time, and otherwise like
 * `ask`.
 */
export async function askWithMinSlot<T extends { readonly slot: number }>(
  pool: EndpointPool,
  leastSlot: number,
  question: Question<T>,
): Promise<T> {
  const failed = new Set<Endpoint>()
  let isAsked = false
  for (let round = 1; round <= ROUNDS; round += 1) {
    const tried = new Set(failed)
    let failure: Error | null = null
    for (let endpoint = pool.pickOther('read', tried); endpoint !== null; endpoint = pool.pickOther('read', tried)) {
      tried.add(endpoint)
      isAsked = true
      try {
        const answer = await question(endpoint.transport, pool.waitMs(endpoint), endpoint)
        if (answer.slot >= leastSlot) return answer
      } catch (error) {
        if (isBehind(error)) continue
        failed.add(endpoint)
        failure = asRpcFailure(error)
        if (!isEndpointsFault(error) || failed.size === ATTEMPTS) throw failure
      }
    }
    if (failure !== null && failed.size === tried.size) throw failure
    if (round < ROUNDS) await sleep(pool.clock, CATCH_UP_MS)
  }
  // Endpoints that have not said which chain they are of are not asked.
  const reason = isAsked ? `no endpoint has come to slot ${leastSlot}` : 'no endpoint of the cluster answers'
  throw new TransportError('BEHIND', reason)
}
