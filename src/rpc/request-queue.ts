// Requests to one endpoint. Calls of the same tick on the same channel share one batch; if the provider rejects
// batches, they are sent one by one. Requests and responses are bounded. The transports of all cells of a process may
// share a queue; each transport sees only its own calls.
//
// A request costs both processes more than a call within it. On a named channel, calls are therefore collected: a
// request begins at least `gapMs` after the previous one, and at once after a pause.
import { allFailed, matchAnswers, parseAnswer, type RpcAnswer } from './answers.ts'
import type { Clock } from '../time/clock.ts'
import { asRpcFailure, TransportError, type RpcError } from './rpc-error.ts'
import type { Wire } from './wire.ts'

export interface TransportSettings {
  /** False: the provider rejects batches. */
  readonly batch: boolean
  readonly maxBatchCalls: number
  /** Limit of one HTTP request. A stock validator rejects more than 50 KiB. */
  readonly maxRequestBytes: number
  readonly timeoutMs: number
  /** Minimum time between the starts of two requests on a named channel. Absent: none. */
  readonly gapMs?: number
}

/** One request that was answered or failed as a whole. `params` are JSON arrays as text. */
export interface RpcExchange {
  readonly calls: readonly { readonly method: string; readonly params: string }[]
  /** One per call, in order. */
  readonly answers: readonly RpcAnswer[]
  /** The error if the request as a whole failed; null: it was answered. */
  readonly failure: RpcError | TransportError | null
}

/** Called when a request is sent; the returned function is called with its result and returns the answers to use. */
export type ExchangeWatch = () => (exchanged: RpcExchange) => readonly RpcAnswer[]

export interface QueuedCall {
  readonly method: string
  readonly params: string
  /** The watch of the transport that makes the call. */
  readonly watch: ExchangeWatch
}

export interface ChannelCall extends QueuedCall {
  readonly settle: (answer: RpcAnswer) => void
}

export interface ChannelOptions {
  /** Calls share a request only with calls of their channel. */
  readonly channel: unknown
  readonly timeoutMs: number
  readonly exact: boolean
}

interface Channel {
  readonly calls: ChannelCall[]
  timeoutMs: number
  exact: boolean
}

export class RequestQueue {
  readonly #wire: Wire
  readonly #clock: Clock
  readonly #settings: TransportSettings
  readonly #channels = new Map<unknown, Channel>()
  /** Start of the last request by named channel (`Clock.elapsed`). */
  readonly #beganMs = new Map<string, number>()
  #nextId = 1

  constructor(wire: Wire, clock: Clock, settings: TransportSettings) {
    this.#wire = wire
    this.#clock = clock
    this.#settings = settings
  }

  /** Scheme and host of the endpoint, without credentials. */
  get name(): string {
    return this.#wire.name
  }

  /** Sends the calls together with the others of this tick, or those until the channel's next request may begin. */
  add(calls: Iterable<ChannelCall>, { channel: name, timeoutMs, exact }: ChannelOptions): void {
    let channel = this.#channels.get(name)
    if (channel === undefined) {
      channel = { calls: [], timeoutMs: 0, exact: false }
      this.#channels.set(name, channel)
      this.#plan(name)
    }
    channel.timeoutMs = Math.max(channel.timeoutMs, timeoutMs)
    channel.exact ||= exact
    channel.calls.push(...calls)
  }

  /** Sends exactly these calls in one request. Never rejects: one answer per call, in order. */
  async exchange(calls: readonly QueuedCall[], timeoutMs: number, exact: boolean): Promise<readonly RpcAnswer[]> {
    const firstId = this.#nextId
    this.#nextId += calls.length
    const texts = calls.map(
      (call, index) => `{"jsonrpc":"2.0","id":${firstId + index},"method":"${call.method}","params":${call.params}}`,
    )
    const body = texts.length === 1 ? texts[0]! : `[${texts.join(',')}]`
    const ended = watchCalls(calls)
    try {
      if (body.length > this.#settings.maxRequestBytes) {
        throw new TransportError('TOO_LARGE', `${this.name}: request over ${this.#settings.maxRequestBytes} bytes`)
      }
      const reply = await this.#wire.post(body, timeoutMs)
      if (reply.status !== 200) {
        const message = `${this.name}: HTTP ${reply.status} ${this.#wire.clear(reply.text)}`.trimEnd()
        throw new TransportError('HTTP', message, reply.status, reply.retryAfterMs)
      }
      const answers = matchAnswers(parseAnswer(reply.text, exact), firstId, calls.length, (text) =>
        this.#wire.clear(text),
      )
      return ended({ calls, answers, failure: null })
    } catch (error) {
      const failure = asRpcFailure(error)
      return ended({ calls, answers: allFailed(calls.length, failure), failure })
    }
  }

  async close(): Promise<void> {
    await this.#wire.close()
  }

  #plan(name: unknown): void {
    const waitMs = this.#untilNextMs(name)
    if (waitMs > 0) this.#clock.setTimeout(() => this.#flush(name), waitMs)
    else this.#clock.soon(() => this.#flush(name))
  }

  #untilNextMs(name: unknown): number {
    const beganMs = typeof name === 'string' ? this.#beganMs.get(name) : undefined
    return beganMs === undefined ? 0 : beganMs + (this.#settings.gapMs ?? 0) - this.#clock.elapsed()
  }

  #flush(name: unknown): void {
    if (typeof name === 'string') this.#beganMs.set(name, this.#clock.elapsed())
    const channel = this.#channels.get(name)!
    this.#channels.delete(name)
    for (const calls of this.#portions(channel.calls)) {
      void this.exchange(calls, channel.timeoutMs, channel.exact).then((answers) => {
        calls.forEach((call, index) => call.settle(answers[index]!))
      })
    }
  }

  /** Splits calls into requests within the limits, keeping their order. */
  #portions(calls: readonly ChannelCall[]): ChannelCall[][] {
    const most = this.#settings.batch ? this.#settings.maxBatchCalls : 1
    const portions: ChannelCall[][] = []
    let bytes = Infinity
    for (const call of calls) {
      const size = callBytes(call)
      const last = portions.at(-1)
      if (last === undefined || last.length >= most || bytes + size > this.#settings.maxRequestBytes) {
        portions.push([call])
        bytes = size
      } else {
        last.push(call)
        bytes += size
      }
    }
    return portions
  }
}

/** Passes to each transport its own part of a request. */
function watchCalls(calls: readonly QueuedCall[]): (exchanged: RpcExchange) => readonly RpcAnswer[] {
  const first = calls[0]?.watch
  if (first !== undefined && calls.every(({ watch }) => watch === first)) return first()
  const parts = new Map<ExchangeWatch, number[]>()
  for (const [at, { watch }] of calls.entries()) {
    const places = parts.get(watch)
    if (places === undefined) parts.set(watch, [at])
    else places.push(at)
  }
  const ends = [...parts].map(([watch, places]) => ({ places, ended: watch() }))
  return ({ answers, failure }) => {
    const used = [...answers]
    for (const { places, ended } of ends) {
      const part = { calls: places.map((at) => calls[at]!), answers: places.map((at) => answers[at]!), failure }
      for (const [index, answer] of ended(part).entries()) used[places[index]!] = answer
    }
    return used
  }
}

/** Size of a call inside a batch; ids take up to 16 digits. */
function callBytes(call: QueuedCall): number {
  return call.params.length + call.method.length + 60
}
