// Nodes on simulated connections, and a clock that the test advances: a pool without a network, the same in every run.
import type { Clock } from '../../src/time/clock.ts'
import { TransportError } from '../../src/rpc/rpc-error.ts'
import type { Reply, Wire, WireSettings } from '../../src/rpc/wire.ts'
import type { Call, Script } from './scripted-node.ts'

interface Due {
  readonly at: number
  readonly callback: () => void
}

export class ToyClock implements Clock {
  #elapsedMs = 0
  #timers: Due[] = []
  #state: number

  constructor(seed = 1) {
    this.#state = seed
  }

  now = (): number => 1_700_000_000_000 + this.#elapsedMs
  elapsed = (): number => this.#elapsedMs
  soon = (callback: () => void): void => void setImmediate(callback)

  random = (): number => {
    this.#state = (Math.imul(this.#state, 1_664_525) + 1_013_904_223) >>> 0
    return this.#state / 2 ** 32
  }

  setTimeout = (callback: () => void, delayMs: number): Due => {
    const timer = { at: this.#elapsedMs + delayMs, callback }
    this.#timers.push(timer)
    return timer
  }

  clearTimeout = (timer: object): void => {
    this.#timers = this.#timers.filter((one) => one !== timer)
  }

  /** Advances the clock by this time; due timers run on the way, each at its time. */
  async pass(ms: number): Promise<void> {
    const end = this.#elapsedMs + ms
    await settle()
    for (;;) {
      const next = this.#timers.filter(({ at }) => at <= end).sort((a, b) => a.at - b.at)[0]
      if (next === undefined) break
      this.clearTimeout(next)
      this.#elapsedMs = Math.max(this.#elapsedMs, next.at)
      next.callback()
      await settle()
    }
    this.#elapsedMs = end
  }

  /** The outcome of some work, with time advancing until it is done. */
  async until<T>(work: Promise<T>): Promise<T> {
    const end = new AbortController()
    const watchedWork = work.finally(() => end.abort())
    watchedWork.catch(() => undefined)
    for (let turns = 0; !end.signal.aborted && turns < 2_000; turns += 1) await this.pass(10)
    return await watchedWork
  }
}

/** Runs everything that needs no time. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 8; turn += 1) await new Promise((resolve) => setImmediate(resolve))
}

/** The state of a node: answering, refusing connections, silent, or rejecting requests. */
export type Standing = 'up' | 'down' | 'silent' | { readonly status: number; readonly retryAfterMs?: number }

export class WireNode {
  readonly url: string
  standing: Standing = 'up'
  script: Script
  /** The delay of an answer. */
  delayMs = 0
  /** Requests that reached it, as lists of calls. */
  readonly requests: Call[][] = []

  constructor(name: string, script: Script) {
    this.url = `https://${name}.example/secret-path-key`
    this.script = script
  }

  /** Every received call, in order. */
  get calls(): Call[] {
    return this.requests.flat()
  }

  asked(method: string): Call[] {
    return this.calls.filter((call) => call.method === method)
  }
}

/** A transport to these nodes only. */
export function wiresTo(nodes: readonly WireNode[]): (settings: WireSettings) => Wire {
  return ({ url, clock }) => {
    const node = nodes.find((one) => one.url === url)!
    const name = new URL(url).origin
    const fail = (fault: 'TIMEOUT' | 'CONNECTION') => new TransportError(fault, `${name}: ${fault}`)
    const wait = (ms: number) => new Promise<void>((resolve) => void clock.setTimeout(resolve, ms))

    async function post(body: string, timeoutMs: number): Promise<Reply> {
      const parsed = JSON.parse(body) as Call | Call[]
      node.requests.push(Array.isArray(parsed) ? parsed : [parsed])
      if (node.standing === 'down') throw fail('CONNECTION')
      if (node.standing === 'silent' || node.delayMs >= timeoutMs) {
        await wait(timeoutMs)
        throw fail('TIMEOUT')
      }
      if (node.delayMs > 0) await wait(node.delayMs)
      if (node.standing !== 'up') return { text: '', ...node.standing }
      const text = Array.isArray(parsed) ? await Promise.all(parsed.map(answer)) : await answer(parsed)
      return { status: 200, text: JSON.stringify(text) }
    }

    async function answer(call: Call): Promise<object> {
      const result = await node.script(call)
      const isError = typeof result === 'object' && result !== null && 'error' in result
      return { jsonrpc: '2.0', id: call.id, ...(isError ? result : { result }) }
    }

    return { name, post, clear: (text) => text, close: () => Promise.resolve() }
  }
}
