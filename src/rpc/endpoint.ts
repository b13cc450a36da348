// One endpoint of a pool: its connection, and its state as learnt from its own responses.
import type { RpcAnswer } from './answers.ts'
import type { ChainPace, Claim, EndpointDoubts } from './chain-pace.ts'
import { claimOf, slotOfAnswer, slotOfRefusal } from './context-slot.ts'
import { EndpointHealth, type PauseSettings } from './endpoint-health.ts'
import { EndpointSlots, type Levels } from './endpoint-slots.ts'
import type { RpcExchange } from './request-queue.ts'
import { ImplausibleAnswer, isBehind, isEndpointsFault, RpcError, TransportError } from './rpc-error.ts'
import type { Transport } from './transport.ts'

export interface Endpoint {
  /** Scheme and host, without credentials; numbered if the pool has several endpoints of one host. */
  readonly name: string
  readonly transport: Transport
  /** Reason for distrusting the endpoint; null: it is trusted. A proof is never taken from a distrusted endpoint. */
  readonly distrusted: string | null
  /** Pace of its cluster. */
  readonly pace: ChainPace
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
  /** True after a response that claims more progress than the cluster can have made. */
  readonly suspect: boolean
}

/** A request with its responses. `others`: newest slots that the other endpoints had shown when it was sent. */
export interface ObservedExchange {
  readonly exchanged: RpcExchange
  readonly startedAt: number
  readonly nowMs: number
  readonly others: Levels
}

export class PooledEndpoint implements Endpoint {
  readonly name: string
  readonly weight: number
  readonly transport: Transport
  readonly health: EndpointHealth
  readonly pace: ChainPace
  readonly slots: EndpointSlots
  /** Implausible claims since the last plausible one; null: none. */
  doubts: EndpointDoubts | null = null
  /** Time (`Clock.elapsed`) of the endpoint's last implausible claim; null: it is not suspect. */
  suspectAt: number | null = null
  /** Time of the last plausible claim. */
  plausibleAt = -Infinity
  distrusted: string | null = null
  chain: Chain = 'unknown'
  /** Time (`Clock.elapsed`) before which no second trial request is sent. */
  triedUntil = -Infinity

  constructor(
    name: string,
    weight: number,
    transport: Transport,
    { pauses, pace }: { readonly pauses: PauseSettings; readonly pace: ChainPace },
  ) {
    this.name = name
    this.weight = weight
    this.transport = transport
    this.health = new EndpointHealth(pauses)
    this.pace = pace
    this.slots = new EndpointSlots(pace.patienceMs)
  }

  /**
   * Records the slots and heights of the responses. Returns the responses to use: implausible ones are failures.
   * @param otherDoubts Implausible claims of the other endpoints.
   */
  learn(observed: ObservedExchange, otherDoubts: readonly EndpointDoubts[]): readonly RpcAnswer[] {
    const { calls, answers } = observed.exchanged
    return answers.map((answer, index) => {
      const { method, params } = calls[index]!
      if (!answer.ok) {
        this.#learnRefusal(params, answer.error, observed)
        return answer
      }
      const claim = claimOf(method, params, answer.result)
      if (claim !== null && !this.#isPlausible(claim, observed, otherDoubts)) {
        const claimed = `slot ${claim.slot ?? '-'}, block height ${claim.height ?? '-'}`
        const message = `${this.name}: ${method} claims ${claimed}, beyond what the cluster can have reached`
        return { ok: false, error: new ImplausibleAnswer(message, answer.result) }
      }
      this.#learnSlot(method, params, answer.result, observed)
      return answer
    })
  }

  /** Records the slots of the responses without checking them. */
  learnSlots(observed: ObservedExchange): readonly RpcAnswer[] {
    const { calls, answers } = observed.exchanged
    answers.forEach((answer, index) => {
      const { method, params } = calls[index]!
      if (answer.ok) this.#learnSlot(method, params, answer.result, observed)
      else this.#learnRefusal(params, answer.error, observed)
    })
    return answers
  }

  #learnSlot(method: string, params: string, result: unknown, { others, nowMs }: ObservedExchange): void {
    const seen = slotOfAnswer(method, params, result)
    if (seen !== null) this.slots.observe(seen, others, nowMs)
  }

  #learnRefusal(params: string, error: RpcError | TransportError, { others, nowMs }: ObservedExchange): void {
    const seen = error instanceof RpcError && isBehind(error) ? slotOfRefusal(params, error.data) : null
    if (seen !== null && this.pace.isPossibleSlot(seen.slot, nowMs)) this.slots.observe(seen, others, nowMs)
  }

  #isPlausible(claim: Claim, { startedAt, nowMs }: ObservedExchange, otherDoubts: readonly EndpointDoubts[]): boolean {
    if (!this.pace.isPossible(claim, nowMs)) {
      this.suspectAt = nowMs
      if (claim.isFinalized) return false
      const doubts = this.pace.doubt(claim, this.doubts, startedAt, nowMs)
      this.doubts = doubts === null ? null : this.pace.settle(doubts, otherDoubts, nowMs)
      if (!this.pace.isPossible(claim, nowMs)) return false
    }
    this.plausibleAt = nowMs
    this.pace.observe(claim, startedAt, nowMs)
    this.doubts = this.pace.doubtsAfter(claim, this.doubts)
    return true
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
      suspect: this.suspectAt !== null,
    }
  }
}

/**
 * The failure to pause an endpoint for: the request failed, or every call in it was rejected through a fault of the
 * endpoint. Null if the endpoint answered.
 */
export function endpointFailure({ answers, failure }: RpcExchange): RpcError | TransportError | null {
  if (failure !== null) return isEndpointsFault(failure) ? failure : null
  const first = answers[0]
  if (first === undefined || first.ok || !(first.error instanceof RpcError)) return null
  return answers.every((answer) => !answer.ok && answer.error instanceof RpcError && isEndpointsFault(answer.error))
    ? first.error
    : null
}
