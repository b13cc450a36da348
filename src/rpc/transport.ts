// JSON-RPC to one endpoint for one cell. Calls of the same tick on the same channel share one batch. Every call gets
// exactly one answer, its own.
import { allFailed, type RpcAnswer } from './answers.ts'
import type { Clock } from '../time/clock.ts'
import { RequestQueue, type ExchangeWatch, type TransportSettings } from './request-queue.ts'
import { TransportError } from './rpc-error.ts'
import type { Wire } from './wire.ts'

export interface CallOptions {
  readonly timeoutMs?: number
  /** Integers too wide for a double are returned as bigint. */
  readonly exact?: boolean
  /**
   * Calls share a request only with calls of their channel, because an answer waits for the slowest call of its
   * request. A named channel is shared with the other transports of the queue.
   */
  readonly channel?: string
}

export interface RpcCall {
  readonly method: string
  readonly params: readonly unknown[]
}

/** A queue of requests that this transport uses until it is closed. */
export interface QueueUse {
  readonly queue: RequestQueue
  readonly close: () => Promise<void>
}

const unwatched: ExchangeWatch =
  () =>
  ({ answers }) =>
    answers

export class Transport {
  readonly #use: QueueUse
  readonly #settings: TransportSettings
  readonly #watch: ExchangeWatch
  /** Functions that end the unanswered calls. */
  readonly #unanswered = new Set<() => void>()
  #closed = false

  constructor(wire: Wire | QueueUse, clock: Clock, settings: TransportSettings, watch = unwatched) {
    this.#use = 'queue' in wire ? wire : useAlone(new RequestQueue(wire, clock, settings))
    this.#settings = settings
    this.#watch = watch
  }

  /** Scheme and host of the endpoint, without credentials. */
  get name(): string {
    return this.#use.queue.name
  }

  /** One call. Rejects with RpcError or TransportError. */
  async call(method: string, params: readonly unknown[], options: CallOptions = {}): Promise<unknown> {
    const [answer] = await this.group(method, [JSON.stringify(params)], options)
    if (answer!.ok) return answer!.result
    throw answer!.error
  }

  /** Many calls of one method; `params` are JSON arrays as text. Never rejects: one answer per call, in order. */
  async group(method: string, params: readonly string[], options: CallOptions = {}): Promise<readonly RpcAnswer[]> {
    if (params.length === 0) return []
    const { channel = this, timeoutMs = this.#settings.timeoutMs, exact = false } = options
    return await this.#untilClosed(params.length, (resolve) => {
      const answers = new Array<RpcAnswer>(params.length)
      let left = params.length
      const calls = params.map((text, index) => ({
        ...{ method, params: text, watch: this.#watch },
        settle: (answer: RpcAnswer) => {
          answers[index] = answer
          if (--left === 0) resolve(answers)
        },
      }))
      this.#use.queue.add(calls, { channel, timeoutMs, exact })
    })
  }

  /**
   * Sends exactly these calls, in this order, in one request (or one after the other if the provider rejects batches).
   * Never rejects: one answer per call. If the request exceeds the limit, nothing is sent and every answer is
   * TOO_LARGE.
   */
  async batch(calls: readonly RpcCall[], options: CallOptions = {}): Promise<readonly RpcAnswer[]> {
    const queued = calls.map(({ method, params }) => ({ method, params: JSON.stringify(params), watch: this.#watch }))
    const { timeoutMs = this.#settings.timeoutMs, exact = false } = options
    const { queue } = this.#use
    return await this.#untilClosed(calls.length, (resolve) => {
      if (this.#settings.batch) void queue.exchange(queued, timeoutMs, exact).then(resolve)
      else
        void (async () => {
          const answers: RpcAnswer[] = []
          for (const call of queued) answers.push(...(await queue.exchange([call], timeoutMs, exact)))
          resolve(answers)
        })()
    })
  }

  /** Unanswered calls fail with CLOSED. */
  async close(): Promise<void> {
    this.#closed = true
    await this.#use.close()
    for (const end of this.#unanswered) end()
  }

  #untilClosed(
    count: number,
    ask: (resolve: (answers: readonly RpcAnswer[]) => void) => void,
  ): Promise<readonly RpcAnswer[]> {
    return new Promise((resolve) => {
      const end = (): void => resolve(allFailed(count, new TransportError('CLOSED', `${this.name}: closed`)))
      if (this.#closed) {
        end()
        return
      }
      this.#unanswered.add(end)
      ask((answers) => {
        this.#unanswered.delete(end)
        resolve(answers)
      })
    })
  }
}

const useAlone = (queue: RequestQueue): QueueUse => ({ queue, close: () => queue.close() })
