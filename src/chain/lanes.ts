// One lane per fee payer (or nonce): what was signed since the lane's last send goes out as one batch, in order, the next batch when
// the one before was answered. All lanes share the cluster's limits. First sends go before repeats. Nothing submitted is dropped.
// The one file that knows p-queue. Its rate limit keeps its own timers; without one (`rate: null`) it uses none.
import PQueue from 'p-queue'
import type { Clock } from './clock.ts'
import type { LaneSettings } from './cluster-settings.ts'
import type { Endpoint, EndpointPool } from './pool.ts'
import { sendTransactions, type SendAnswer } from './rpc.ts'
import type { ChainAlarm, SendOutcome } from './submission.ts'

/** What a lane sends. */
export interface Parcel {
  readonly transactionId: string
  readonly lane: string
  readonly signature: string
  readonly bytes: Uint8Array
  /** With a durable nonce: sent one by one. */
  readonly alone: boolean
}

export interface Attempt {
  readonly transactionId: string
  readonly endpoint: string
  readonly atMs: number
  readonly outcome: SendOutcome
  readonly detail: string | null
}

export interface LanesListener {
  /** These are about to go out in one send. */
  sending(parcels: readonly Parcel[]): void
  /** They did, and this is what the endpoint said: one attempt per parcel, in order. */
  sent(attempts: readonly Attempt[]): void
  alarm(alarm: ChainAlarm): void
}

const FIRST_SEND = 1
const REPEAT = 0
const REPEATS = ''

interface Lane {
  readonly queue: PQueue
  waiting: Parcel[]
  scheduled: boolean
}

export class Lanes {
  readonly #pool: EndpointPool
  readonly #clock: Clock
  readonly #settings: LaneSettings
  readonly #listener: LanesListener
  readonly #lanes = new Map<string, Lane>()
  readonly #gate: PQueue
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

  /** Queues a first send. */
  submit(parcel: Parcel): void {
    this.#put(parcel.lane, parcel)
  }

  /** Queues the same bytes again, behind every first send; repeats of all fee payers travel together. */
  repeat(parcel: Parcel): void {
    this.#put(REPEATS, { ...parcel, alone: false })
  }

  /** Lets the sends under way end and forgets the rest, which their owner will find in its records. */
  async close(): Promise<void> {
    this.#closed = true
    this.#gate.clear()
    await this.#gate.onIdle()
  }

  #put(name: string, parcel: Parcel): void {
    if (this.#closed) return
    let lane = this.#lanes.get(name)
    if (lane === undefined) {
      lane = { queue: new PQueue({ concurrency: 1 }), waiting: [], scheduled: false }
      this.#lanes.set(name, lane)
    }
    lane.waiting.push(parcel)
    if (!lane.scheduled) this.#schedule(name, lane)
  }

  /** The lane's next task starts with the next turn, so that everything signed in this one is in it. */
  #schedule(name: string, lane: Lane): void {
    lane.scheduled = true
    this.#clock.soon(() => {
      void lane.queue.add(async () => {
        await this.#gate.add(() => this.#send(this.#take(lane)), { priority: name === REPEATS ? REPEAT : FIRST_SEND })
        if (this.#closed) return
        if (lane.waiting.length > 0) this.#schedule(name, lane)
        else if (this.#lanes.get(name) === lane) this.#lanes.delete(name)
      })
    })
  }

  #take(lane: Lane): Parcel[] {
    const first = lane.waiting.findIndex((parcel) => parcel.alone)
    const most = first === 0 ? 1 : first === -1 ? this.#settings.maxBatch : Math.min(first, this.#settings.maxBatch)
    return lane.waiting.splice(0, most)
  }

  async #send(parcels: readonly Parcel[]): Promise<void> {
    if (parcels.length === 0 || this.#closed) return
    const endpoint = this.#pool.pick()
    this.#listener.sending(parcels)
    const answers = await sendTransactions(endpoint.transport, parcels.map(base64), this.#settings.timeoutMs)
    const atMs = this.#clock.now()
    const attempts = parcels.map((parcel, index) => {
      const { outcome, detail } = this.#judge(endpoint, parcel, answers[index]!)
      return { transactionId: parcel.transactionId, endpoint: endpoint.name, atMs, outcome, detail }
    })
    this.#listener.sent(attempts)
  }

  #judge(endpoint: Endpoint, parcel: Parcel, answer: SendAnswer): { outcome: SendOutcome; detail: string | null } {
    if (answer.kind === 'duplicate') return { outcome: 'duplicate', detail: null }
    if (answer.kind !== 'accepted') return { outcome: answer.kind, detail: answer.detail }
    if (answer.signature === parcel.signature) return { outcome: 'accepted', detail: null }
    const detail = `sent ${parcel.signature}, the endpoint answered ${answer.signature.slice(0, 100)}`
    this.#pool.distrust(endpoint, detail)
    this.#listener.alarm({ kind: 'SIGNATURE_MISMATCH', endpoint: endpoint.name, transactionId: parcel.transactionId, detail })
    return { outcome: 'mismatched', detail }
  }
}

function base64(parcel: Parcel): string {
  const { buffer, byteOffset, byteLength } = parcel.bytes
  return Buffer.from(buffer, byteOffset, byteLength).toString('base64')
}
