// Send queues: one lane per fee payer (or nonce account) and tenant. All transactions signed since the lane's last send
// leave as one batch, in order, and the next batch waits for the answer to the previous one. All lanes share the limits
// of the cluster, with tenants taking turns. First sends precede resends. No submitted transaction is dropped.
//
// The only file that uses p-queue. Its rate limit uses timers of its own; without a rate limit (`rate: null`) there are
// none.
import PQueue from 'p-queue'
import type { Clock } from '../time/clock.ts'
import type { LaneSettings } from '../rpc/cluster-settings.ts'
import type { Endpoint, EndpointPool } from '../rpc/pool.ts'
import { sendTransactions, type SendAnswer } from '../rpc/rpc.ts'
import type { ChainAlarm, SendOutcome } from './submission.ts'
import { withSpan } from '../telemetry/traces.ts'
import { FairQueue } from './fair-queue.ts'

/** Interval at which `maySend` is checked while this process may not send. */
const NOT_YET_MS = 100

/** One transaction to be sent by a lane. */
export interface PendingSend {
  readonly transactionId: string
  readonly tenant: string
  readonly lane: string
  readonly signature: string
  readonly bytes: Uint8Array
  /** Uses a durable nonce: sent on its own. */
  readonly alone: boolean
}

export interface SendAttempt {
  readonly transactionId: string
  readonly endpoint: string
  readonly atMs: number
  readonly outcome: SendOutcome
  readonly detail: string | null
}

export interface LanesListener {
  /** Called just before these transactions are sent together to an endpoint, which is given by name. */
  sending(pendingSends: readonly PendingSend[], endpoint: string): void
  /** Called with the endpoint's answers: one attempt per transaction, in order. */
  sent(attempts: readonly SendAttempt[]): void
  alarm(alarm: ChainAlarm): void
}

export interface LaneTotals {
  /** Waiting for their turn. */
  readonly queued: number
  /** Handed to an endpoint that has not answered yet. */
  readonly inFlight: number
  /** Answered by an endpoint, with success or failure. */
  readonly sent: number
}

interface Lane {
  readonly key: string
  readonly tenant: string
  readonly repeats: boolean
  /** Allows one send at a time. */
  readonly queue: PQueue
  waiting: PendingSend[]
  scheduled: boolean
  /** Resolves the lane's current turn when its send was answered. */
  answered: () => void
}

/** The contribution of one lane to a send. */
interface Load {
  readonly lane: Lane
  readonly pendingSends: readonly PendingSend[]
}

export class Lanes {
  readonly #pool: EndpointPool
  readonly #clock: Clock
  readonly #settings: LaneSettings
  readonly #listener: LanesListener
  readonly #lanes = new Map<string, Lane>()
  readonly #queue = new FairQueue<Lane>()
  readonly #gate: PQueue
  #opening = false
  #deferred = false
  #queued = 0
  #inFlight = 0
  #sent = 0
  #closed = false

  constructor(pool: EndpointPool, clock: Clock, settings: LaneSettings, listener: LanesListener) {
    this.#pool = pool
    this.#clock = clock
    this.#settings = settings
    this.#listener = listener
    const { concurrency, rate } = settings
    this.#gate =
      rate === null
        ? new PQueue({ concurrency })
        : new PQueue({ concurrency, intervalCap: rate.sends, interval: rate.perMs, strict: true })
  }

  get totals(): LaneTotals {
    return { queued: this.#queued, inFlight: this.#inFlight, sent: this.#sent }
  }

  /**
   * Queues a first send. A fee payer used by several tenants has one lane per tenant, so that no tenant waits for
   * another's queue.
   */
  submit(pendingSend: PendingSend): void {
    this.#put(`first ${JSON.stringify([pendingSend.tenant, pendingSend.lane])}`, pendingSend, false)
  }

  /** Queues the same bytes again, behind every first send. Resends of all fee payers of a tenant share one lane. */
  repeat(pendingSend: PendingSend): void {
    this.#put(`again ${pendingSend.tenant}`, { ...pendingSend, alone: false }, true)
  }

  /**
   * Removes queued transactions that were not yet handed to an endpoint. The others keep their order. Returns the
   * removed ids.
   */
  withdraw(matches: (transactionId: string) => boolean): string[] {
    const withdrawn: string[] = []
    for (const lane of this.#lanes.values()) {
      const remaining = lane.waiting.filter(({ transactionId }) => {
        const matched = matches(transactionId)
        if (matched) withdrawn.push(transactionId)
        return !matched
      })
      if (remaining.length < lane.waiting.length) lane.waiting = remaining
    }
    this.#queued -= withdrawn.length
    return withdrawn
  }

  /**
   * Waits for the sends in flight and discards the queue. The caller has the discarded transactions in its records.
   */
  async close(): Promise<void> {
    this.#closed = true
    this.#gate.clear()
    await this.#gate.onIdle()
  }

  #put(key: string, pendingSend: PendingSend, repeats: boolean): void {
    if (this.#closed) return
    let lane = this.#lanes.get(key)
    if (lane === undefined) {
      const queue = new PQueue({ concurrency: 1 })
      lane = {
        key,
        tenant: pendingSend.tenant,
        repeats,
        queue,
        waiting: [],
        scheduled: false,
        answered: () => undefined,
      }
      this.#lanes.set(key, lane)
    }
    lane.waiting.push(pendingSend)
    this.#queued += 1
    if (!lane.scheduled) this.#schedule(lane)
  }

  /** The lane waits for its turn, then for the answer to its part of the send. */
  #schedule(lane: Lane): void {
    lane.scheduled = true
    void lane.queue.add(async () => {
      await new Promise<void>((answered) => {
        lane.answered = answered
        this.#queue.enter(lane)
        this.#open()
      })
      lane.scheduled = false
      if (this.#closed) return
      if (lane.waiting.length > 0) this.#schedule(lane)
      else this.#lanes.delete(lane.key)
    })
  }

  /** Sends begin in the next turn of the event loop, so that they include everything signed in this one. */
  #open(): void {
    if (this.#opening) return
    this.#opening = true
    this.#clock.soon(() => {
      this.#opening = false
      this.#begin()
    })
  }

  /**
   * One send waits at the gate while any lane waits for its turn. Which lanes it carries is decided only when the gate
   * lets it through.
   */
  #begin(): void {
    if (this.#closed || this.#queue.isEmpty || this.#gate.size > 0) return
    if (!this.#maySend) {
      this.#beginLater()
      return
    }
    void this.#gate.add(async () => {
      // The wait at the gate may have outlasted the right to send.
      if (!this.#maySend) {
        this.#beginLater()
        return
      }
      const loads = this.#load()
      this.#begin()
      await this.#send(loads.flatMap(({ pendingSends }) => pendingSends))
      for (const { lane } of loads) lane.answered()
    })
  }

  get #maySend(): boolean {
    return this.#settings.maySend?.() !== false
  }

  #beginLater(): void {
    if (this.#deferred) return
    this.#deferred = true
    this.#clock.setTimeout(() => {
      this.#deferred = false
      this.#begin()
    }, NOT_YET_MS)
  }

  /**
   * Collects the contributions of the next lanes to one send. The first lane contributes as much as fits. Further lanes
   * are added only if they fit as a whole: many small lanes share a send, while large lanes have sends of their own,
   * all in flight at once.
   */
  #load(): Load[] {
    const loads: Load[] = []
    let room = this.#settings.maxBatch
    for (let lane = this.#queue.peek(); lane !== undefined && room > 0; lane = this.#queue.peek()) {
      const count = batchOf(lane.waiting, this.#settings.maxBatch)
      const alone = lane.waiting[0]?.alone === true
      if (loads.length > 0 && count > 0 && (alone || lane.waiting.length > room)) break
      this.#queue.take()
      // Empty when all transactions of the lane were withdrawn; the lane has used its turn.
      loads.push({ lane, pendingSends: lane.waiting.splice(0, count) })
      room = alone ? 0 : room - count
      this.#queued -= count
    }
    return loads
  }

  async #send(pendingSends: readonly PendingSend[]): Promise<void> {
    if (pendingSends.length === 0 || this.#closed) return
    const endpoint = this.#pool.pick('send')
    this.#inFlight += pendingSends.length
    this.#listener.sending(pendingSends, endpoint.name)
    const attributes = {
      endpoint: endpoint.name,
      count: pendingSends.length,
      first: pendingSends[0]?.transactionId ?? '',
    }
    const { timeoutMs } = this.#settings
    const send = () => sendTransactions(endpoint.transport, pendingSends.map(base64), timeoutMs)
    const answers = await withSpan('lane send', attributes, send, { kind: 'CLIENT' })
    this.#inFlight -= pendingSends.length
    this.#sent += pendingSends.length
    const atMs = this.#clock.now()
    const attempts = pendingSends.map((pendingSend, index) => {
      const { outcome, detail } = this.#judge(endpoint, pendingSend, answers[index]!)
      return { transactionId: pendingSend.transactionId, endpoint: endpoint.name, atMs, outcome, detail }
    })
    this.#listener.sent(attempts)
  }

  #judge(
    endpoint: Endpoint,
    pendingSend: PendingSend,
    answer: SendAnswer,
  ): { outcome: SendOutcome; detail: string | null } {
    if (answer.kind === 'duplicate') return { outcome: 'duplicate', detail: null }
    if (answer.kind !== 'accepted') return { outcome: answer.kind, detail: answer.detail }
    if (answer.signature === pendingSend.signature) return { outcome: 'accepted', detail: null }
    const detail = `sent ${pendingSend.signature}, the endpoint answered ${answer.signature.slice(0, 100)}`
    this.#pool.distrust(endpoint, detail)
    this.#listener.alarm({
      kind: 'SIGNATURE_MISMATCH',
      endpoint: endpoint.name,
      transactionId: pendingSend.transactionId,
      detail,
    })
    return { outcome: 'mismatched', detail }
  }
}

/** How many transactions of a lane leave together: those before the first that is sent alone, or that one. */
function batchOf(waiting: readonly PendingSend[], maxBatch: number): number {
  const first = waiting.findIndex(({ alone }) => alone)
  if (first === 0) return 1
  return Math.min(first === -1 ? waiting.length : first, maxBatch)
}

function base64(pendingSend: PendingSend): string {
  const { buffer, byteOffset, byteLength } = pendingSend.bytes
  return Buffer.from(buffer, byteOffset, byteLength).toString('base64')
}
