// One question, asked of another endpoint where the first fails. For what may be asked twice: reads, never sends.
import { sleep } from '../time/clock.ts'
import type { Endpoint, EndpointPool, Purpose } from './pool.ts'
import { asRpcFailure, isBehind, isEndpointsFault, TransportError } from './rpc-error.ts'
import type { Transport } from './transport.ts'

/** Everything it asks, it asks of this one transport, each call for at most `waitMs`. */
export type Question<T> = (transport: Transport, waitMs: number, endpoint: Endpoint) => Promise<T>

/** Failures of endpoints that one question puts up with, the last included. */
const ATTEMPTS = 2
/** Nodes are a slot or two apart: after this it is worth asking all of them once more. */
const CATCH_UP_MS = 250
const ROUNDS = 4

/** Asks once, and once more elsewhere when that fails for a reason that lies with the endpoint. Rejects with RpcError or TransportError. */
export async function ask<T>(pool: EndpointPool, purpose: Purpose, timeoutMs: number, question: Question<T>): Promise<T> {
  const tried = new Set<Endpoint>()
  for (let endpoint = pool.pick(purpose); ; ) {
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
 * An answer that is not older than `leastSlot`: who has not come so far is passed over, and when nobody has, all are given a moment.
 * Rejects with TransportError BEHIND when that does not help, and as `ask` does.
 */
export async function askNoOlder<T extends { readonly slot: number }>(
  pool: EndpointPool,
  leastSlot: number,
  question: Question<T>,
): Promise<T> {
  const failed = new Set<Endpoint>()
  for (let round = 1; round <= ROUNDS; round += 1) {
    const tried = new Set(failed)
    let failure: Error | null = null
    for (let endpoint = pool.pickOther('read', tried); endpoint !== null; endpoint = pool.pickOther('read', tried)) {
      tried.add(endpoint)
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
  throw new TransportError('BEHIND', `no endpoint has come to slot ${leastSlot}`)
}
