// Receives notifications about changes of accounts in use and of accounts with `subscribeToNetworkEvents`, and
// reconciles their records, so that a deposit is recorded before a request spends it. A notification is only a hint:
// the records follow what a read shows, by the rule of `src/rpc/inclusion.ts`. A lost notification costs time
// (records are also reconciled periodically, and before a payment is refused); a late, repeated, forged or orphaned
// one costs a read.
// Guarantee: no read is made for each transaction. Notifications that our own transactions explain cause none
// (`reconcile/explained.ts`).
import type { Clock, Timer } from '../../time/clock.ts'
import type { Change } from '../../engine/records/change.ts'
import type { Entry } from '../../engine/records/entry.ts'
import { isHolding, type HoldingState, type RecordState } from '../../engine/records/record.ts'
import type { Platform } from '../context/platform.ts'
import { MAX_STATUSES, reconcile } from '../reconcile/reconcile.ts'
import { AccountsInUse } from './accounts-in-use.ts'
import { explain, RecentBalances, type Explanation } from '../reconcile/explained.ts'
import { Hints, type Hint } from '../reconcile/hints.ts'

export interface AccountFeed {
  /** Subscribes to the changes of an account; idempotent. */
  watch(address: string): void
  forget(address: string): void
  close(): void
  /** Number of active subscriptions. */
  readonly standing: number
}

/**
 * Opens a feed that calls back with the changed account, the slot of the change (0: unknown), and the account as the
 * endpoint reports it.
 */
export type OpenFeed = (hear: (address: string, slot: number, value?: unknown) => void) => AccountFeed

export interface ListenerLog {
  warn(fields: object, message: string): void
}

/** May change while the service runs. */
export interface ListenerPace {
  readonly questionsPerSecond: number
  readonly subscribedAccounts: number
}

const MAX_READS = 80
const PASSED_AT_ONCE = 10_000
const AGAIN_MS = 1_000
/** Subscriptions that start in one turn: with one message each way, 40 a second on a remote cluster. */
const MAX_STARTS = 20
/** Bound in ms of the time between a notification and the corresponding commit. */
const LATE_MS = 1_000

export class NetworkListener {
  readonly #platform: Platform
  readonly #cluster: string
  readonly #pace: ListenerPace
  readonly #clock: Clock
  readonly #log: ListenerLog
  readonly #feed: AccountFeed
  readonly #inUse: AccountsInUse
  readonly #recent = new RecentBalances()
  readonly #hints = new Hints()
  #timer: Timer | null = null
  #turn: Promise<void> | null = null
  #turnedAt = -Infinity
  #recentSince = 0
  #stopped = false

  constructor(
    platform: Platform,
    cluster: string,
    open: OpenFeed,
    { pace, clock, log }: { readonly pace: ListenerPace; readonly clock: Clock; readonly log: ListenerLog },
  ) {
    this.#platform = platform
    this.#cluster = cluster
    this.#pace = pace
    this.#clock = clock
    this.#log = log
    this.#inUse = new AccountsInUse(() => pace.subscribedAccounts)
    this.#feed = open((address, slot, value) => {
      this.#hints.add(address, { slot, value }, clock.elapsed())
      this.#wake()
    })
    platform.engine.onCommitted((changes) => this.#follow(changes))
  }

  get standing(): number {
    return this.#feed.standing
  }

  /** Subscribes for the existing records, a portion per turn of the event loop. */
  start(): void {
    const records = this.#platform.engine.directory.holdings()
    const turn = (): void => {
      for (let passed = 0; passed < PASSED_AT_ONCE && !this.#stopped; passed += 1) {
        const next = records.next()
        if (next.done === true) return
        // Plain records have no subscription, so they need not be parsed.
        if (next.value.isStored) continue
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
    await this.#turn
  }

  #isLive(head: RecordState): head is HoldingState {
    return isHolding(head) && head.cluster === this.#cluster && head.value !== 'closed'
  }

  #isSubscribed(head: RecordState): boolean {
    return this.#isLive(head) && head.context.subscribeToNetworkEvents
  }

  /** Called for every commit; therefore subscriptions start and end later, in turns. */
  #follow(changes: readonly Change[]): void {
    if (this.#stopped) return
    for (const { previous, next } of changes) {
      if (!isHolding(next) || next.cluster !== this.#cluster) continue
      if (next.value !== 'closed') {
        this.#inUse.use(next.context.address)
        if (this.#inUse.isSubscribed(next.context.address)) this.#recent.note(next)
      }
      const [was, is] = [previous !== undefined && this.#isSubscribed(previous), this.#isSubscribed(next)]
      if (is && !was) this.#feed.watch(addressOf(next))
      else if (was && !is) this.#forget(addressOf(next))
    }
    if (this.#inUse.isTurnDue) this.#wake()
  }

  #forget(address: string): void {
    if (this.#inUse.isSubscribed(address) || this.#records(address).some(({ head }) => this.#isSubscribed(head))) return
    this.#feed.forget(address)
  }

  #records(address: string): readonly Entry[] {
    return this.#platform.engine.directory.ownAtAddress(this.#cluster, address)
  }

  /** Keeps a minimum interval between turns, so that many notifications share a turn. */
  #wake(): void {
    if (this.#stopped || this.#turn !== null || this.#timer !== null) return
    const dueMs = Math.max(0, this.#turnedAt + 1_000 / this.#pace.questionsPerSecond - this.#clock.elapsed())
    this.#timer = this.#clock.setTimeout(() => {
      this.#timer = null
      const turn = this.#takeTurn().catch((error: unknown) => {
        this.#log.warn({ err: error, cluster: this.#cluster }, 'changed accounts could not be compared')
        return AGAIN_MS
      })
      this.#turn = turn.then((pauseMs) => {
        this.#turn = null
        this.#turnedAt = this.#clock.elapsed() + pauseMs
        if (this.#hints.size > 0 || this.#inUse.isTurnDue) this.#wake()
      })
    }, dueMs)
  }

  /** Returns the additional pause before the next turn, in ms. */
  async #takeTurn(): Promise<number> {
    const now = this.#clock.elapsed()
    if (now - this.#recentSince >= LATE_MS) {
      this.#recent.turn()
      this.#recentSince = now
    }
    const { start, end } = this.#inUse.turn(MAX_STARTS)
    for (const address of start) this.#feed.watch(address)
    for (const address of end) this.#forget(address)
    const due = this.#hints.take(MAX_READS, now, (address, hint) => this.#explain(address, hint))
    return due.size === 0 ? 0 : await this.#read(due)
  }

  /** The least certain explanation among the records of the address. */
  #explain(address: string, { value }: Hint): Explanation {
    let explanation: Explanation = 'settled'
    for (const { head } of this.#records(address)) {
      if (!this.#isLive(head) || head.value === 'pending') continue
      const next = head.context.subscribeToNetworkEvents
        ? 'unexplained'
        : explain(this.#platform, this.#recent, head, value)
      if (next === 'unexplained') return next
      if (next === 'possible') explanation = next
    }
    return explanation
  }

  async #read(due: ReadonlyMap<string, Hint>): Promise<number> {
    const heads = [...due.keys()].flatMap((address) => this.#records(address).map(({ head }) => head)).filter(isHolding)
    const maxStatuses = [...due.values()].some(({ isUnexplained }) => isUnexplained)
      ? MAX_STATUSES.waiting
      : MAX_STATUSES.patient
    try {
      // The slot of the hint is not used as a minimum for the read: a forged slot would block the reads of all hints.
      const { undecided, slot } = await reconcile(this.#platform, this.#cluster, heads, { patient: true, maxStatuses })
      const open = new Set(undecided.map(({ head }) => addressOf(head)))
      const repeated = this.#hints.repeat(due, (address, hint) => open.has(address) || slot < hint.slot)
      for (const entry of undecided) if (!repeated.has(addressOf(entry.head))) this.#platform.engine.noticed(entry)
      return 0
    } catch (error) {
      this.#log.warn({ err: error, cluster: this.#cluster }, 'changed accounts could not be read')
      this.#hints.putBack(due)
      return AGAIN_MS
    }
  }
}

function addressOf(head: RecordState): string {
  return isHolding(head) ? head.context.address : ''
}
