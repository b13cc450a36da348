// The endpoints of one cluster. Each query goes to one of them, chosen by weight among those that answer, keep up and
// are on the cluster's chain. A failed endpoint is paused and tried again with a real query. A lagging or distrusted
// endpoint is skipped while there is another.
import { malformed } from './account-read.ts'
import type { RpcAnswer } from './answers.ts'
import { ChainPace, type PaceSettings } from './chain-pace.ts'
import type { Clock } from '../time/clock.ts'
import {
  endpointFailure,
  PooledEndpoint,
  type Endpoint,
  type EndpointState,
  type ObservedExchange,
} from './endpoint.ts'
import type { PauseSettings } from './endpoint-health.ts'
import { newestOf, type Levels } from './endpoint-slots.ts'
import type { Commitment } from './rpc.ts'
import type { RpcExchange, TransportSettings } from './request-queue.ts'
import { ImplausibleAnswer, TransportError } from './rpc-error.ts'
import type { SharedQueues } from './shared-queues.ts'
import { SmoothChoice } from './smooth-choice.ts'
import { Transport } from './transport.ts'
import { httpWire, type Wire, type WireSettings } from './wire.ts'

export type { Endpoint, EndpointState } from './endpoint.ts'

/** A URL of weight 1, or a URL with a weight: its share of the queries relative to the others. */
export type WeightedEndpoint = string | { readonly url: string; readonly weight: number }

export interface PoolSettings extends TransportSettings, PauseSettings {
  readonly connections: number
  readonly maxResponseBytes: number
  readonly pace: PaceSettings
  /** An endpoint that is this many slots behind the best of the others is skipped. */
  readonly behindSlots: number
  /** An endpoint that lagged, or whose chain is unknown, is queried again after this. */
  readonly againMs: number
  /** Maximum timeout of a query that tries out an endpoint that failed or lagged. */
  readonly trialMs: number
}

/**
 * Purpose of a query. Each purpose takes its own turns, so that two alternating kinds of query do not always reach the
 * same nodes.
 */
export type Purpose = 'read' | 'status' | 'progress' | 'blockhash' | 'send' | 'proof'

/** An event for the operator. Contains no URL. */
export interface PoolNotice {
  readonly kind: 'PAUSED' | 'RECOVERED' | 'BEHIND' | 'IMPLAUSIBLE' | 'OTHER_CHAIN' | 'DISTRUSTED'
  readonly endpoint: string
  readonly detail: string
}

export interface PoolOptions {
  /** Replaces HTTP (for a simulator). */
  readonly openWire?: ((wire: WireSettings) => Wire) | undefined
  readonly notice?: ((notice: PoolNotice) => void) | undefined
  /** Request queues of the process, for the pools of all its cells. Absent: this pool has its own connections. */
  readonly queues?: SharedQueues | undefined
}

/** Purposes that must not try out an endpoint, because they are too important. */
const NEVER_A_TRIAL: ReadonlySet<Purpose> = new Set(['send', 'proof'])

export class EndpointPool {
  readonly settings: PoolSettings
  readonly clock: Clock
  /** How far the cluster has progressed, and can have progressed. */
  readonly pace: ChainPace
  readonly #endpoints: readonly PooledEndpoint[]
  /** Used while no endpoint is known to be on the chain of the cluster. Every call to it fails. */
  readonly #unavailable: Endpoint
  readonly #choices = new Map<Purpose, SmoothChoice<PooledEndpoint>>()
  readonly #notice: (notice: PoolNotice) => void
  /** Genesis hash of the cluster; null until `settleChain`: until then no endpoint is checked. */
  #genesisHash: string | null = null

  /** Throws on an empty list or a malformed URL. */
  constructor(endpoints: readonly WeightedEndpoint[], clock: Clock, settings: PoolSettings, options: PoolOptions = {}) {
    if (endpoints.length === 0) throw new TypeError('a cluster needs an endpoint')
    const { openWire = httpWire, notice = () => undefined, queues } = options
    const { connections, maxResponseBytes } = settings
    const names = new Map<string, number>()
    this.clock = clock
    this.settings = settings
    this.pace = new ChainPace(settings.pace)
    this.#notice = notice
    this.#unavailable = unavailableEndpoint(clock, settings, this.pace)
    this.#endpoints = endpoints.map((endpoint) => {
      const { url, weight } = typeof endpoint === 'string' ? { url: endpoint, weight: 1 } : endpoint
      const wire = { url, clock, connections, maxResponseBytes }
      const line = queues?.open(wire, settings) ?? openWire(wire)
      const transport: Transport = new Transport(line, clock, settings, () => this.#begun(made))
      const { name } = transport
      const count = (names.get(name) ?? 0) + 1
      names.set(name, count)
      const shownName = count === 1 ? name : `${name} (${count})`
      const made: PooledEndpoint = new PooledEndpoint(shownName, weight, transport, {
        pauses: settings,
        pace: this.pace,
      })
      return made
    })
  }

  get all(): readonly Endpoint[] {
    return this.#endpoints
  }

  states(): readonly EndpointState[] {
    const nowMs = this.clock.elapsed()
    return this.#endpoints.map((endpoint) => endpoint.state(nowMs))
  }

  /** Newest slot that any endpoint of this chain has shown at this level; -1: none. */
  newestSlot(level: Commitment): number {
    return this.#best(null)[level]
  }

  /**
   * The endpoint to query now. Skipped while there is another: a lagging endpoint, one with implausible claims, a
   * paused one (if all are paused, the one whose pause ends first is used), a distrusted one.
   */
  pick(purpose: Purpose = 'read'): Endpoint {
    return this.pickOther(purpose, new Set()) ?? this.#unavailable
  }

  /** Like `pick`, among those not tried yet. Null: no other endpoint can be used. */
  pickOther(purpose: Purpose, tried: ReadonlySet<Endpoint>): Endpoint | null {
    const nowMs = this.clock.elapsed()
    this.#checkUnknown(nowMs)
    const here = this.#endpoints.filter((endpoint) => this.#isHere(endpoint))
    const trusted = here.filter(({ distrusted }) => distrusted === null)
    const left = (trusted.length > 0 ? trusted : here).filter((endpoint) => !tried.has(endpoint))
    if (left.length === 0) return null
    // A caller on its second attempt has already waited for one endpoint: no trial.
    const due =
      NEVER_A_TRIAL.has(purpose) || tried.size > 0
        ? undefined
        : left.find((endpoint) => this.#isTrialDue(endpoint, nowMs))
    if (due !== undefined) {
      due.triedUntil = nowMs + this.settings.trialMs
      return due
    }
    const sound = left.filter(({ health }) => health.sound)
    const level = sound.filter((endpoint) => !this.#isPassedOver(endpoint))
    if (level.length > 0) return this.#choice(purpose).next(level)
    if (sound.length > 0) return sound.reduce((best, one) => (one.slots.behind < best.slots.behind ? one : best))
    return left.reduce((first, one) => (one.health.pausedUntil < first.health.pausedUntil ? one : first))
  }

  /** Endpoints that answer and keep up; if there are none, the one that `pick` returns. */
  usable(): readonly Endpoint[] {
    const here = this.#endpoints.filter(
      (one) => this.#isHere(one) && one.distrusted === null && one.health.sound && !this.#isPassedOver(one),
    )
    return here.length > 0 ? here : [this.pick('status')]
  }

  /** All endpoints of this chain but one, whatever their state: the witnesses of a proof. */
  others(than: Endpoint): readonly Endpoint[] {
    return this.#endpoints.filter((endpoint) => endpoint !== than && this.#isHere(endpoint))
  }

  /** Timeout in milliseconds of a query to this endpoint: shorter while it is tried out. */
  waitMs(endpoint: Endpoint, timeoutMs: number = this.settings.timeoutMs): number {
    const pooled = this.#held(endpoint)
    const doubted =
      pooled !== undefined && (!pooled.health.sound || this.#isPassedOver(pooled)) && this.#endpoints.length > 1
    return doubted ? Math.min(timeoutMs, this.settings.trialMs) : timeoutMs
  }

  distrust(endpoint: Endpoint, reason: string): void {
    const pooled = this.#held(endpoint)
    if (pooled === undefined || pooled.distrusted !== null) return
    pooled.distrusted = reason
    this.#notice({ kind: 'DISTRUSTED', endpoint: pooled.name, detail: reason })
  }

  /** From now on only endpoints of this chain are used. An endpoint whose chain is unknown is queried for it first. */
  settleChain(genesisHash: string): void {
    this.#genesisHash = genesisHash
  }

  /** Queries the chain and the slot of an endpoint. Rejects with RpcError or TransportError. */
  async meet(endpoint: Endpoint): Promise<string> {
    const calls = [
      { method: 'getGenesisHash', params: [] },
      { method: 'getSlot', params: [{ commitment: 'confirmed' }] },
    ]
    const [genesis] = await endpoint.transport.batch(calls)
    if (!genesis!.ok) throw genesis!.error
    if (typeof genesis!.result !== 'string') throw malformed('a genesis hash')
    return genesis!.result
  }

  /** Records the result of `meet`. */
  met(endpoint: Endpoint, genesisHash: string): void {
    const pooled = this.#held(endpoint)
    if (pooled === undefined || this.#genesisHash === null) return
    pooled.chain = genesisHash === this.#genesisHash ? 'same' : 'other'
    if (pooled.chain === 'other')
      this.#notice({ kind: 'OTHER_CHAIN', endpoint: pooled.name, detail: 'it is of another chain and is not used' })
  }

  /**
   * Determines which endpoints are behind, after all were queried at the same time. Of three or more, an endpoint far
   * ahead of the median is suspect. Of two, it cannot be decided which one is right.
   */
  compareSlots(): void {
    const nowMs = this.clock.elapsed()
    const here = this.#endpoints.filter((endpoint) => this.#isHere(endpoint) && endpoint.slots.newest.confirmed >= 0)
    const shown = here.map(({ slots }) => slots.newest.confirmed).sort((a, b) => a - b)
    const middle = shown.length < 3 ? Infinity : shown[Math.floor(shown.length / 2)]! + this.pace.settings.leapSlots
    for (const endpoint of here) {
      const { confirmed } = endpoint.slots.newest
      if (confirmed <= middle) this.pace.observe({ slot: confirmed, height: null, isFinalized: false }, nowMs, nowMs)
      else this.#suspect(endpoint, `slot ${confirmed} is far ahead of the other endpoints`, nowMs)
    }
    for (const endpoint of this.#endpoints) {
      const slot = endpoint.slots.newest.confirmed
      if (slot >= 0) endpoint.slots.observe({ level: 'confirmed', slot }, this.#best(endpoint), nowMs)
    }
  }

  async close(): Promise<void> {
    await Promise.all(this.#endpoints.map((endpoint) => endpoint.transport.close()))
  }

  #held(endpoint: Endpoint): PooledEndpoint | undefined {
    return this.#endpoints.find((one) => one === endpoint)
  }

  #isHere(endpoint: PooledEndpoint): boolean {
    return endpoint.chain === 'same' || (endpoint.chain === 'unknown' && this.#genesisHash === null)
  }

  #isBehind({ slots }: PooledEndpoint): boolean {
    return slots.behind > this.settings.behindSlots
  }

  #isPassedOver(endpoint: PooledEndpoint): boolean {
    return endpoint.suspectAt !== null || this.#isBehind(endpoint)
  }

  #isTrialDue(endpoint: PooledEndpoint, nowMs: number): boolean {
    if (nowMs < endpoint.triedUntil) return false
    if (!endpoint.health.sound) return !endpoint.health.isPaused(nowMs)
    if (endpoint.suspectAt !== null) return nowMs - endpoint.suspectAt >= this.settings.againMs
    return this.#isBehind(endpoint) && nowMs - endpoint.slots.observedAt >= this.settings.againMs
  }

  #choice(purpose: Purpose): SmoothChoice<PooledEndpoint> {
    let choice = this.#choices.get(purpose)
    if (choice === undefined) {
      choice = new SmoothChoice(() => this.clock.random())
      this.#choices.set(purpose, choice)
    }
    return choice
  }

  /** Runs in the background, so that no query waits for an endpoint that did not report its chain at the start. */
  #checkUnknown(nowMs: number): void {
    if (this.#genesisHash === null) return
    for (const endpoint of this.#endpoints) {
      if (endpoint.chain !== 'unknown' || nowMs < endpoint.triedUntil || endpoint.health.isPaused(nowMs)) continue
      endpoint.triedUntil = nowMs + Math.max(this.settings.againMs, this.settings.timeoutMs)
      this.meet(endpoint).then(
        (genesisHash) => this.met(endpoint, genesisHash),
        () => {
          endpoint.triedUntil = this.clock.elapsed() + this.settings.againMs
        },
      )
    }
  }

  #best(except: PooledEndpoint | null): Levels {
    const counted = this.#endpoints.filter((one) => one !== except && this.#isHere(one) && one.distrusted === null)
    return newestOf(counted.map(({ slots }) => slots.newest))
  }

  #begun(endpoint: PooledEndpoint): (exchanged: RpcExchange) => readonly RpcAnswer[] {
    const startedAt = this.clock.elapsed()
    const others = this.#best(endpoint)
    return (exchanged) => this.#ended(endpoint, exchanged, startedAt, others)
  }

  #ended(endpoint: PooledEndpoint, exchanged: RpcExchange, startedAt: number, others: Levels): readonly RpcAnswer[] {
    const nowMs = this.clock.elapsed()
    const { health, name } = endpoint
    const failure = endpointFailure(exchanged)
    endpoint.triedUntil = -Infinity
    if (failure !== null) {
      const retryAfterMs = 'retryAfterMs' in failure ? failure.retryAfterMs : undefined
      const first = health.sound
      health.failed(startedAt, nowMs, this.clock.random(), retryAfterMs)
      if (first) this.#notice({ kind: 'PAUSED', endpoint: name, detail: failure.message })
      return exchanged.answers
    }
    if (exchanged.failure !== null) return exchanged.answers
    if (health.answered(startedAt)) this.#notice({ kind: 'RECOVERED', endpoint: name, detail: 'it answers again' })
    const wasBehind = this.#isBehind(endpoint)
    const answers = this.#learn(endpoint, { exchanged, startedAt, nowMs, others })
    if (!wasBehind && this.#isBehind(endpoint)) {
      this.#notice({ kind: 'BEHIND', endpoint: name, detail: `${endpoint.slots.behind} slots behind the others` })
    }
    return answers
  }

  #learn(endpoint: PooledEndpoint, observed: ObservedExchange): readonly RpcAnswer[] {
    const { suspectAt: before } = endpoint
    // The slots of an endpoint of an unknown or different chain must not affect this cluster.
    if (this.#genesisHash === null || endpoint.chain !== 'same') return endpoint.learnSlots(observed)
    const otherDoubts = this.#endpoints.flatMap((one) =>
      one !== endpoint && one.doubts !== null && this.#isHere(one) ? [one.doubts] : [],
    )
    const answers = endpoint.learn(observed, otherDoubts)
    const implausible = answers.find((answer) => !answer.ok && answer.error instanceof ImplausibleAnswer)
    if (implausible?.ok === false) {
      if (before === null)
        this.#notice({ kind: 'IMPLAUSIBLE', endpoint: endpoint.name, detail: implausible.error.message })
    } else if (endpoint.suspectAt !== null && endpoint.plausibleAt - (before ?? -Infinity) >= this.settings.againMs) {
      endpoint.suspectAt = null
      this.#notice({
        kind: 'RECOVERED',
        endpoint: endpoint.name,
        detail: 'its slots and block heights are plausible again',
      })
    }
    return answers
  }

  #suspect(endpoint: PooledEndpoint, detail: string, nowMs: number): void {
    endpoint.suspectAt = nowMs
    endpoint.slots.forget()
    this.#notice({ kind: 'IMPLAUSIBLE', endpoint: endpoint.name, detail })
  }
}

function unavailableEndpoint(clock: Clock, settings: PoolSettings, pace: ChainPace): Endpoint {
  const name = 'no endpoint'
  const wire: Wire = {
    name,
    post: () => Promise.reject(new TransportError('CONNECTION', 'no endpoint of the cluster answers')),
    clear: (text) => text,
    close: () => Promise.resolve(),
  }
  return { name, transport: new Transport(wire, clock, settings), distrusted: null, pace }
}
