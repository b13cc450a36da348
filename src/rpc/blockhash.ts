// A recent blockhash at hand, so that building and signing need no round trip: from `confirmed`, at most 10 s old, refreshed in
// the background while somebody uses it, silent when nobody does.
import { ask } from './asking.ts'
import type { Clock, Timer } from '../time/clock.ts'
import type { EndpointPool } from './pool.ts'
import { TransportError } from './rpc-error.ts'
import { isSlot } from './rpc.ts'

export interface RecentBlockhash {
  readonly blockhash: string
  /** Slot of the answer it came with. */
  readonly slot: number
  readonly lastValidBlockHeight: number
}

export interface BlockhashSettings {
  readonly refreshMs: number
  readonly maxAgeMs: number
  /** Refreshing stops this long after the last use. */
  readonly idleMs: number
}

/** Blocks a blockhash lives for: height of its own block = lastValidBlockHeight - 150. */
const LIFETIME_BLOCKS = 150

export class BlockhashSource {
  readonly #pool: EndpointPool
  readonly #clock: Clock
  readonly #settings: BlockhashSettings
  #held: RecentBlockhash | null = null
  #heldAt = 0
  #usedAt = -Infinity
  #timer: Timer | null = null
  #asking: Promise<RecentBlockhash> | null = null
  #closed = false

  constructor(pool: EndpointPool, clock: Clock, settings: BlockhashSettings) {
    this.#pool = pool
    this.#clock = clock
    this.#settings = settings
  }

  /** The blockhash at hand, null when there is none young enough (then `fresh` gets one). Keeps the source awake. */
  current(): RecentBlockhash | null {
    this.#usedAt = this.#clock.elapsed()
    this.#schedule()
    return this.#young() ? this.#held : null
  }

  /** The blockhash at hand, or one asked for now. Rejects with RpcError or TransportError. */
  async fresh(): Promise<RecentBlockhash> {
    return this.current() ?? this.#ask()
  }

  /** Slot and block height at `confirmed` as of the last answer: never ahead of the chain; null before the first. */
  lastKnown(): { readonly slot: number; readonly blockHeight: number } | null {
    if (this.#held === null) return null
    return { slot: this.#held.slot, blockHeight: this.#held.lastValidBlockHeight - LIFETIME_BLOCKS }
  }

  close(): void {
    this.#closed = true
    if (this.#timer !== null) this.#clock.clearTimeout(this.#timer)
  }

  #young(): boolean {
    return this.#held !== null && this.#clock.elapsed() - this.#heldAt <= this.#settings.maxAgeMs
  }

  #schedule(): void {
    if (this.#timer !== null || this.#closed) return
    this.#timer = this.#clock.setTimeout(() => {
      this.#timer = null
      if (this.#clock.elapsed() - this.#usedAt > this.#settings.idleMs) return
      // A failure leaves the old one in place until it is too old; the next turn tries again.
      void this.#ask().catch(() => null).finally(() => this.#schedule())
    }, this.#settings.refreshMs)
  }

  #ask(): Promise<RecentBlockhash> {
    this.#asking ??= this.#fetch().finally(() => {
      this.#asking = null
    })
    return this.#asking
  }

  async #fetch(): Promise<RecentBlockhash> {
    const askedAt = this.#clock.elapsed()
    const answer = await ask(this.#pool, 'blockhash', this.#pool.settings.timeoutMs, async (transport, timeoutMs) => {
      const options = { channel: 'status', timeoutMs }
      return readBlockhash(await transport.call('getLatestBlockhash', [{ commitment: 'confirmed' }], options))
    })
    // A node that lags answers with an older one: it is taken only when what we hold is getting old itself.
    const behind = this.#held !== null && answer.slot < this.#held.slot
    if (behind && askedAt - this.#heldAt < this.#settings.maxAgeMs / 2) return this.#held!
    this.#held = answer
    this.#heldAt = askedAt
    return answer
  }
}

function readBlockhash(result: unknown): RecentBlockhash {
  interface Shape {
    readonly context?: { readonly slot?: unknown } | null
    readonly value?: { readonly blockhash?: unknown; readonly lastValidBlockHeight?: unknown } | null
  }
  const { context, value } = (result ?? {}) as Shape
  const slot = context?.slot
  const blockhash = value?.blockhash
  const height = value?.lastValidBlockHeight
  if (!isSlot(slot) || typeof blockhash !== 'string' || !isSlot(height)) {
    throw new TransportError('MALFORMED', 'a blockhash in the wrong shape')
  }
  return { blockhash, slot, lastValidBlockHeight: height }
}
