// Accounts with `subscribeToNetworkEvents`: the cluster tells when one changes, and its record is compared with the chain at once. What is
// told counts for nothing by itself: it is read, from a node that is at least as far.
import type { Clock, Timer } from '../../chain/clock.ts'
import type { Change } from '../../engine/engine.ts'
import { addressKey } from '../../engine/index-keys.ts'
import { isHolding, type RecordState } from '../../engine/record.ts'
import type { Platform } from '../platform.ts'
import { reconcile } from '../reconcile.ts'

export interface Feed {
  /** Asks for what happens to an account; twice is once. */
  watch(address: string): void
  forget(address: string): void
  close(): void
  /** Subscriptions that stand. */
  readonly standing: number
}

/** Opens a feed that calls back with accounts to look at, and the slot they changed at (0: not told). */
export type OpenFeed = (hear: (address: string, slot: number) => void) => Feed

export interface ListenerLog {
  warn(fields: object, message: string): void
}

const LOOKED_AT_ONCE = 100
const PASSED_AT_ONCE = 10_000
const AGAIN_MS = 1_000

export class NetworkListener {
  readonly #platform: Platform
  readonly #cluster: string
  readonly #betweenMs: number
  readonly #clock: Clock
  readonly #log: ListenerLog
  readonly #feed: Feed
  /** Addresses to look at, with the latest slot told. */
  readonly #due = new Map<string, number>()
  #timer: Timer | null = null
  #looking: Promise<void> | null = null
  #stopped = false

  /** @param betweenMs least time between two looks, each at 100 accounts at most */
  constructor(platform: Platform, cluster: string, open: OpenFeed, betweenMs: number, clock: Clock, log: ListenerLog) {
    this.#platform = platform
    this.#cluster = cluster
    this.#betweenMs = betweenMs
    this.#clock = clock
    this.#log = log
    this.#feed = open((address, slot) => this.#hear(address, slot))
    platform.engine.onCommitted((changes) => this.#follow(changes))
  }

  get standing(): number {
    return this.#feed.standing
  }

  /** Subscribes for what is on record, a portion at a time. */
  start(): void {
    const records = this.#platform.engine.directory.holdings()
    const turn = (): void => {
      for (let passed = 0; passed < PASSED_AT_ONCE && !this.#stopped; passed += 1) {
        const next = records.next()
        if (next.done === true) return
        const { head } = next.value
        if (this.#isSubscribed(head)) this.#feed.watch(addressOf(head))
      }
      if (!this.#stopped) this.#clock.soon(turn)
    }
    turn()
  }

  async stop(): Promise<void> {
    this.#stopped = true
    if (this.#timer !== null) this.#clock.clearTimeout(this.#timer)
    this.#feed.close()
    await this.#looking
  }

  #isSubscribed(head: RecordState): boolean {
    return isHolding(head) && head.cluster === this.#cluster && head.value !== 'closed' && head.context.subscribeToNetworkEvents
  }

  #follow(changes: readonly Change[]): void {
    if (this.#stopped) return
    for (const { previous, next } of changes) {
      const [was, is] = [previous !== undefined && this.#isSubscribed(previous), this.#isSubscribed(next)]
      if (is && !was) this.#feed.watch(addressOf(next))
      else if (was && !is && this.#records(addressOf(next)).every((head) => !this.#isSubscribed(head))) this.#feed.forget(addressOf(next))
    }
  }

  #records(address: string): RecordState[] {
    return this.#platform.engine.directory.find(addressKey(this.#cluster, address)).map(({ head }) => head)
  }

  #hear(address: string, slot: number): void {
    this.#due.set(address, Math.max(slot, this.#due.get(address) ?? 0))
    this.#wakeIn(0)
  }

  #wakeIn(delayMs: number): void {
    if (this.#stopped || this.#looking !== null || this.#timer !== null) return
    this.#timer = this.#clock.setTimeout(() => {
      this.#timer = null
      this.#looking = this.#look().then((pauseMs) => {
        this.#looking = null
        if (this.#due.size > 0) this.#wakeIn(pauseMs)
      })
    }, delayMs)
  }

  /** The pause until the next look. */
  async #look(): Promise<number> {
    const asked = [...this.#due].slice(0, LOOKED_AT_ONCE)
    for (const [address] of asked) this.#due.delete(address)
    const { engine } = this.#platform
    const heads: RecordState[] = []
    for (const [address] of asked) {
      for (const entry of engine.directory.find(addressKey(this.#cluster, address))) {
        if (isHolding(entry.head)) heads.push(entry.head)
      }
    }
    const leastSlot = Math.max(0, ...asked.map(([, slot]) => slot))
    try {
      const { undecided } = await reconcile(this.#platform, this.#cluster, heads, { leastSlot, patient: true })
      for (const entry of undecided) engine.noticed(entry)
      return this.#betweenMs
    } catch (error) {
      this.#log.warn({ err: error, cluster: this.#cluster }, 'accounts that are said to have changed could not be looked at')
      for (const [address, slot] of asked) this.#due.set(address, Math.max(slot, this.#due.get(address) ?? 0))
      return AGAIN_MS
    }
  }
}

function addressOf(head: RecordState): string {
  return isHolding(head) ? head.context.address : ''
}
