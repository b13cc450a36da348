// Caches a recent blockhash at `confirmed`, at most `maxAgeMs` (10 s) old, so that building and signing need no round
// trip. Refreshes in the background while the source is in use, and makes no calls when it is idle.
import { ask } from './asking.ts'
import { sleep, type Clock, type Timer } from '../time/clock.ts'
import type { EndpointPool } from './pool.ts'
import { TransportError } from './rpc-error.ts'
import { isSlot } from './rpc.ts'

export interface RecentBlockhash {
  readonly blockhash: string
  /** Context slot of the response. */
  readonly slot: number
  readonly lastValidBlockHeight: number
}

export interface BlockhashSettings {
  readonly refreshMs: number
  readonly maxAgeMs: number
  /** Refreshing stops this long after the last use. */
  readonly idleMs: number
}

/** Blocks a blockhash is valid for: the height of its own block is `lastValidBlockHeight` - 150. */
const LIFETIME_BLOCKS = 150

export class BlockhashSource {
  readonly #pool: EndpointPool
  readonly #clock: Clock
  readonly #settings: BlockhashSettings
  #cached: RecentBlockhash | null = null
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

  /** The cached blockhash; null: it is missing or too old (then call `fresh`). Counts as a use. */
  current(): RecentBlockhash | null {
    this.#usedAt = this.#clock.elapsed()
    this.#schedule()
    return this.#young() ? this.#cached : null
  }

  /** The cached blockhash, or a new one. Rejects with RpcError or TransportError. */
  async fresh(): Promise<RecentBlockhash> {
    return this.current() ?? this.#ask()
  }

  /**
   * A blockhash other than `known`; null: the cluster has none within `maxAgeMs`. Rejects with RpcError or
   * TransportError.
   */
  async after(known: string): Promise<RecentBlockhash | null> {
    const until = this.#clock.elapsed() + this.#settings.maxAgeMs
    for (;;) {
      const latest = await this.fresh()
      if (latest.blockhash !== known) return latest
      if (this.#clock.elapsed() >= until) return null
      // `fresh` keeps the refreshing in the background going.
      await sleep(this.#clock, this.#settings.refreshMs)
    }
  }

  /** Slot and block height at `confirmed` as of the last response, never ahead of the chain; null before the first. */
  lastKnown(): { readonly slot: number; readonly blockHeight: number } | null {
    if (this.#cached === null) return null
    return { slot: this.#cached.slot, blockHeight: this.#cached.lastValidBlockHeight - LIFETIME_BLOCKS }
  }

  close(): void {
    this.#closed = true
    if (this.#timer !== null) this.#clock.clearTimeout(this.#timer)
  }

  #young(): boolean {
    return this.#cached !== null && this.#clock.elapsed() - this.#heldAt <= this.#settings.maxAgeMs
  }

  #schedule(): void {
    if (this.#timer !== null || this.#closed) return
    this.#timer = this.#clock.setTimeout(() => {
      this.#timer = null
      if (this.#clock.elapsed() - this.#usedAt > this.#settings.idleMs) return
      // After a failure the old blockhash is kept until it is too old; the next refresh tries again.
      void this.#ask()
        .catch(() => null)
        .finally(() => this.#schedule())
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
    // A lagging node returns an older blockhash: it is used only if the cached one is itself getting old.
    const behind = this.#cached !== null && answer.slot < this.#cached.slot
    if (behind && askedAt - this.#heldAt < this.#settings.maxAgeMs / 2) return this.#cached!
    this.#cached = answer
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
