// JSON-RPC to one endpoint. Calls of the same tick on the same channel share one batch; if the provider rejects
// batches, they are sent one by one. Every call gets exactly one answer, its own. Requests and responses are bounded.
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
}

export interface CallOptions {
  readonly timeoutMs?: number
  /** Integers too wide for a double are returned as bigint. */
  readonly exact?: boolean
  /** Calls share a request only with calls of their channel: an answer waits for the slowest call of its request. */
  readonly channel?: string
}

export interface RpcCall {
  readonly method: string
  readonly params: readonly unknown[]
}

/** One request that was answered, or failed as a whole. `params` are JSON arrays as text. */
export interface Exchanged {
  readonly calls: readonly { readonly method: string; readonly params: string }[]
  /** One per call, in order. */
  readonly answers: readonly RpcAnswer[]
  /** Why the request as a whole has no answers; null if it was answered. */
  readonly failure: RpcError | TransportError | null
}

/** Called when a request is sent; the returned function is called with its result and returns the answers to use. */
export type ExchangeWatch = () => (exchanged: Exchanged) => readonly RpcAnswer[]

interface Item {
  readonly method: string
  readonly params: string
  readonly settle: (answer: RpcAnswer) => void
}

interface Channel {
  readonly items: Item[]
  timeoutMs: number
  exact: boolean
}

export class Transport {
  readonly #wire: Wire
  readonly #clock: Clock
  readonly #settings: TransportSettings
  readonly #channels = new Map<string, Channel>()
  readonly #watch: ExchangeWatch
  #nextId = 1

  constructor(
    wire: Wire,
    clock: Clock,
    settings: TransportSettings,
    watch: ExchangeWatch = () =>
      ({ answers }) =>
        answers,
  ) {
    this.#wire = wire
    this.#clock = clock
    this.#settings = settings
    this.#watch = watch
  }

  /** Scheme and host of the endpoint, without credentials. */
  get name(): string {
    return this.#wire.name
  }

  /** One call. Rejects with RpcError or TransportError. */
  async call(method: string, params: readonly unknown[], options: CallOptions = {}): Promise<unknown> {
    const [answer] = await this.group(method, [JSON.stringify(params)], options)
    if (answer!.ok) return answer!.result
    throw answer!.error
  }

  /** Many calls of one method; `params` are JSON arrays as text. Never rejects: one answer per call, in order. */
  group(method: string, params: readonly string[], options: CallOptions = {}): Promise<RpcAnswer[]> {
    if (params.length === 0) return Promise.resolve([])
    return new Promise((resolve) => {
      const answers = new Array<RpcAnswer>(params.length)
      let left = params.length
      const channel = this.#channel(options)
      params.forEach((text, index) => {
        const settle = (answer: RpcAnswer) => {
          answers[index] = answer
          if (--left === 0) resolve(answers)
        }
        channel.items.push({ method, params: text, settle })
      })
    })
  }

  /**
   * Sends exactly these calls, in this order, in one request (or one after the other if the provider rejects batches).
   * Never rejects: one answer per call. If the request exceeds the limit, nothing is sent and every answer is
   * TOO_LARGE.
   */
  async batch(calls: readonly RpcCall[], options: CallOptions = {}): Promise<readonly RpcAnswer[]> {
    const items = calls.map((call) => ({ method: call.method, params: JSON.stringify(call.params) }))
    const timeoutMs = options.timeoutMs ?? this.#settings.timeoutMs
    const exact = options.exact ?? false
    if (this.#settings.batch) return this.#exchange(items, timeoutMs, exact)
    const answers: RpcAnswer[] = []
    for (const item of items) answers.push(...(await this.#exchange([item], timeoutMs, exact)))
    return answers
  }

  async close(): Promise<void> {
    await this.#wire.close()
  }

  #channel(options: CallOptions): Channel {
    const name = options.channel ?? ''
    let channel = this.#channels.get(name)
    if (channel === undefined) {
      channel = { items: [], timeoutMs: 0, exact: false }
      this.#channels.set(name, channel)
      this.#clock.soon(() => this.#flush(name))
    }
    channel.timeoutMs = Math.max(channel.timeoutMs, options.timeoutMs ?? this.#settings.timeoutMs)
    channel.exact ||= options.exact ?? false
    return channel
  }

  #flush(name: string): void {
    const channel = this.#channels.get(name)!
    this.#channels.delete(name)
    for (const items of this.#portions(channel.items)) {
      void this.#exchange(items, channel.timeoutMs, channel.exact).then((answers) => {
        items.forEach((item, index) => item.settle(answers[index]!))
      })
    }
  }

  /** Splits calls into requests within the limits, keeping their order. */
  #portions(items: readonly Item[]): Item[][] {
    const most = this.#settings.batch ? this.#settings.maxBatchCalls : 1
    const portions: Item[][] = []
    let bytes = Infinity
    for (const item of items) {
      const size = itemBytes(item)
      const last = portions.at(-1)
      if (last === undefined || last.length >= most || bytes + size > this.#settings.maxRequestBytes) {
        portions.push([item])
        bytes = size
      } else {
        last.push(item)
        bytes += size
      }
    }
    return portions
  }

  async #exchange(
    items: readonly { method: string; params: string }[],
    timeoutMs: number,
    exact: boolean,
  ): Promise<readonly RpcAnswer[]> {
    const firstId = this.#nextId
    this.#nextId += items.length
    const texts = items.map(
      (item, index) => `{"jsonrpc":"2.0","id":${firstId + index},"method":"${item.method}","params":${item.params}}`,
    )
    const body = texts.length === 1 ? texts[0]! : `[${texts.join(',')}]`
    const ended = this.#watch()
    try {
      if (body.length > this.#settings.maxRequestBytes) {
        throw new TransportError('TOO_LARGE', `${this.name}: request over ${this.#settings.maxRequestBytes} bytes`)
      }
      const reply = await this.#wire.post(body, timeoutMs)
      if (reply.status !== 200) {
        const said = `${this.name}: HTTP ${reply.status} ${this.#wire.clear(reply.text)}`.trimEnd()
        throw new TransportError('HTTP', said, reply.status, reply.retryAfterMs)
      }
      const answers = matchAnswers(parseAnswer(reply.text, exact), firstId, items.length, (text) =>
        this.#wire.clear(text),
      )
      return ended({ calls: items, answers, failure: null })
    } catch (error) {
      const failure = asRpcFailure(error)
      return ended({ calls: items, answers: allFailed(items.length, failure), failure })
    }
  }
}

/** Size of a call inside a batch; ids take up to 16 digits. */
function itemBytes(item: Item): number {
  return item.params.length + item.method.length + 60
}
