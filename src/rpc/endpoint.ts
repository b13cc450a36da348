// One endpoint of a pool: its connection, and its state as learnt from its own responses.
import { slotOfAnswer, slotOfRefusal } from './context-slot.ts'
import { EndpointHealth, type PauseSettings } from './endpoint-health.ts'
import { EndpointSlots, type Levels } from './endpoint-slots.ts'
import { isBehind, isEndpointsFault, RpcError, TransportError } from './rpc-error.ts'
import type { Exchanged, Transport } from './transport.ts'

export interface Endpoint {
  /** Scheme and host, without credentials; numbered if the pool has several endpoints of one host. */
  readonly name: string
  readonly transport: Transport
  /** Why the endpoint is distrusted; null while it is trusted. A proof is never taken from a distrusted endpoint. */
  readonly distrusted: string | null
}

/** Chain of the endpoint: not known yet, the cluster's, or another. An endpoint of another chain is never used. */
export type Chain = 'unknown' | 'same' | 'other'

export interface EndpointState {
  readonly name: string
  readonly weight: number
  readonly distrusted: string | null
  readonly chain: Chain
  /** Failures in a row. */
  readonly failures: number
  /** Milliseconds until it is tried again; null: not paused. */
  readonly pausedForMs: number | null
  /** Lag behind the best of the others, by its latest response. */
  readonly behindSlots: number
  /** Newest `confirmed` slot it has shown; null before the first. */
  readonly slot: number | null
}

export class PooledEndpoint implements Endpoint {
  readonly name: string
  readonly weight: number
  readonly transport: Transport
  readonly health: EndpointHealth
  readonly slots = new EndpointSlots()
  distrusted: string | null = null
  chain: Chain = 'unknown'
  /** Until when (`Clock.elapsed`) no second trial request is made. */
  triedUntil = -Infinity

  constructor(name: string, weight: number, transport: Transport, settings: PauseSettings) {
    this.name = name
    this.weight = weight
    this.transport = transport
    this.health = new EndpointHealth(settings)
  }

  /**
   * Records the slots of the responses.
   * @param others Newest slots that the other endpoints had shown when the request was sent.
   */
  learnSlots({ calls, answers }: Exchanged, others: Levels, nowMs: number): void {
    answers.forEach((answer, index) => {
      const { method, params } = calls[index]!
      const refusal = !answer.ok && isBehind(answer.error) && answer.error instanceof RpcError ? answer.error.data : undefined
      const seen = answer.ok ? slotOfAnswer(method, params, answer.result) : slotOfRefusal(params, refusal)
      if (seen !== null) this.slots.observe(seen, others, nowMs)
    })
  }

  state(nowMs: number): EndpointState {
    const { name, weight, distrusted, chain, health, slots } = this
    const { confirmed } = slots.newest
    return {
      name,
      weight,
      distrusted,
      chain,
      failures: health.failures,
      pausedForMs: health.isPaused(nowMs) ? Math.ceil(health.pausedUntil - nowMs) : null,
      behindSlots: slots.behind,
      slot: confirmed < 0 ? null : confirmed,
    }
  }
}

/**
 * The failure to pause an endpoint for: the request failed, or every call in it was rejected through a fault of the
 * endpoint. Null if the endpoint answered.
 */
export function failureOf({ answers, failure }: Exchanged): RpcError | TransportError | null {
  if (failure !== null) return isEndpointsFault(failure) ? failure : null
  const first = answers[0]
  if (first === undefined || first.ok || !(first.error instanceof RpcError)) return null
  return answers.every((answer) => !answer.ok && answer.error instanceof RpcError && isEndpointsFault(answer.error)) ? first.error : null
}
