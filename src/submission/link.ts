// Builds the `ClusterLink` of one cluster from admission, lanes, suspensions, the watcher and the proof of expiry.
import { Admission } from './admission.ts'
import { BlockTimes } from './block-times.ts'
import type { Clock } from '../time/clock.ts'
import type { Cluster } from '../rpc/cluster.ts'
import type { WatchSettings } from '../rpc/cluster-settings.ts'
import { Dispatch } from './dispatch.ts'
import type { ExpiryVerdict } from '../rpc/expiry/prove.ts'
import { LandingHints, type SignatureFeed } from './landing-hints.ts'
import { Lanes, type SendAttempt, type PendingSend } from './lanes.ts'
import type { ChainAlarm, ChainFact, ClusterLink, LinkTotals, Submission, WatchState } from './submission.ts'
import type { SendScope } from './suspensions.ts'
import { RecentPeak } from '../rpc/recent-peak.ts'
import {
  carriedOver,
  pendingSendOf,
  planAsk,
  planFirstAsks,
  planNextSend,
  recoveredEntry,
  submittedEntry,
  type WatchEntry,
} from './watch-entry.ts'
import { noTurnYet, type LastTurn } from './shared-turns.ts'
import { WatchList } from './watch-list.ts'
import { Watcher, type OpenAttempt, type WatchSource } from './watcher.ts'

export interface LinkListener {
  /**
   * Receives all facts of one turn, to be applied in one synchronous unit of work. An error thrown here ends the
   * process.
   */
  onFacts(facts: readonly ChainFact[]): void
  onAlarm(alarm: ChainAlarm): void
}

/** Parts of the process that a link uses. */
export interface LinkSurroundings {
  /** Notifies landings. Absent: statuses are only polled. */
  readonly feed?: SignatureFeed | undefined
  /** Of all links to the cluster. Absent: this is the only one. */
  readonly lastTurn?: LastTurn | undefined
}

export function openLink(
  cluster: Cluster,
  clock: Clock,
  listener: LinkListener,
  surroundings: LinkSurroundings = {},
): ClusterLink {
  return new Link(cluster, clock, listener, surroundings)
}

class Link implements ClusterLink {
  readonly #cluster: Cluster
  readonly #clock: Clock
  readonly #listener: LinkListener
  readonly #settings: WatchSettings
  readonly #admission: Admission
  readonly #list: WatchList
  readonly #hints: LandingHints
  readonly #lanes: Lanes
  readonly #dispatch: Dispatch
  readonly #watcher: Watcher
  /** By transaction: the attempts whose answers are awaited, also of transactions that have ended meanwhile. */
  readonly #attempts = new Map<string, OpenAttempt>()
  #closed = false

  constructor(cluster: Cluster, clock: Clock, listener: LinkListener, { feed, lastTurn }: LinkSurroundings) {
    const { pool, settings } = cluster
    this.#cluster = cluster
    this.#clock = clock
    this.#listener = listener
    this.#settings = settings.watch
    this.#admission = new Admission(settings.admission)
    this.#list = new WatchList(this.#admission, settings.watch, (transactionId) => this.#hints.end(transactionId))
    this.#hints = new LandingHints(
      feed,
      () => settings.watch.subscribedSignatures,
      (transactionId) => {
        const entry = this.#list.get(transactionId)
        if (entry !== undefined && !this.#closed) this.#watcher.hint(entry)
      },
    )
    this.#lanes = new Lanes(pool, clock, settings.lanes, {
      sending: (pendingSends, endpoint) => this.#sending(pendingSends, endpoint),
      sent: (attempts) => this.#sent(attempts),
      alarm: (alarm) => listener.onAlarm(alarm),
    })
    this.#dispatch = new Dispatch(this.#list, this.#lanes, clock)
    this.#watcher = new Watcher(
      this.#list,
      watchSource(cluster, clock, {
        send: (entry) => this.#dispatch.send(entry),
        attemptOf: (transactionId) => this.#attempts.get(transactionId),
      }),
      clock,
      {
        settings: settings.watch,
        blockTimes: new BlockTimes(pool, clock, settings.watch.progressMs),
        lastTurn: lastTurn ?? noTurnYet(),
        report: (facts) => listener.onFacts(facts),
      },
    )
  }

  get open(): number {
    return this.#list.size
  }

  get totals(): LinkTotals {
    const { held, suspensions } = this.#dispatch
    return { underWay: this.#list.size, ...this.#lanes.totals, held, suspensions }
  }

  admit(tenant: string, lane: string, transactionId: string): () => void {
    const claimed = this.#admission.claim(transactionId, { tenant, lane })
    return () => {
      if (claimed) this.#admission.leave(transactionId)
    }
  }

  submit(submission: Submission): void {
    const pendingSend = this.#accepted(submission)
    if (pendingSend === undefined) return
    if (pendingSend === null) {
      this.watch(submission)
      return
    }
    const nowMs = this.#clock.elapsed()
    const entry = this.#enter(submittedEntry(submission, this.#settings, nowMs, this.#cluster.pool.pace.mark))
    if (entry.view.seen === null) {
      this.#hints.watch(entry)
      this.#dispatch.send(entry)
    }
    this.#watcher.wakeAt(Math.min(entry.askAt, this.#clock.elapsed() + this.#settings.unansweredMs))
  }

  watch(submission: Submission, known?: Parameters<ClusterLink['watch']>[1]): void {
    if (this.#accepted(submission) === undefined) return
    this.#dispatch.enter(this.#enter(recoveredEntry(submission, known, this.#settings, this.#clock.elapsed())))
    this.#watcher.wake()
  }

  forget(transactionId: string): void {
    const entry = this.#list.get(transactionId)
    if (entry === undefined) return
    this.#dispatch.drop(entry)
    this.#list.remove(entry)
  }

  recall(transactionId: string): void {
    const entry = this.#list.get(transactionId)
    if (entry !== undefined) this.#dispatch.recall(entry)
  }

  suspend(scope: SendScope): void {
    this.#dispatch.suspend(scope)
  }

  resume(scope: SendScope, review?: (transactionIds: readonly string[]) => void): void {
    this.#dispatch.resume(scope, review)
    this.#watcher.wake()
  }

  hold(transactionId: string): void {
    const entry = this.#list.get(transactionId)
    if (entry !== undefined) this.#dispatch.holdBack(entry)
  }

  release(transactionId: string): void {
    const entry = this.#list.get(transactionId)
    if (entry === undefined || this.#closed) return
    this.#dispatch.release(entry)
    this.#watcher.wake()
  }

  checkNow(transactionId: string): void {
    const entry = this.#list.get(transactionId)
    if (entry !== undefined) this.#watcher.checkNow(entry)
  }

  state(transactionId: string): WatchState | null {
    const entry = this.#list.get(transactionId)
    if (entry === undefined) return null
    const { seen } = entry.view
    const { attempts, unproven, held } = entry
    return { attempts, commitment: seen?.commitment ?? null, slot: seen?.slot ?? null, unproven, held }
  }

  async close(): Promise<void> {
    this.#closed = true
    await Promise.all([this.#lanes.close(), this.#watcher.close()])
  }

  #sending(pendingSends: readonly PendingSend[], endpoint: string): void {
    const askAt = this.#clock.elapsed() + this.#settings.unansweredMs
    for (const { transactionId } of pendingSends) {
      const entry = this.#list.get(transactionId)
      if (entry === undefined) continue
      entry.sending = true
      this.#attempts.set(transactionId, { endpoint, isReported: false })
      entry.attempts += 1
      entry.askAt = Math.min(entry.askAt, askAt)
    }
    this.#watcher.wakeAt(askAt)
  }

  #sent(attempts: readonly SendAttempt[]): void {
    if (this.#closed) return
    const nowMs = this.#clock.elapsed()
    let askAt = Infinity
    const unreported: SendAttempt[] = []
    for (const attempt of attempts) {
      const { transactionId } = attempt
      if (this.#attempts.get(transactionId)?.isReported !== true) unreported.push(attempt)
      this.#attempts.delete(transactionId)
      const entry = this.#list.get(transactionId)
      if (entry === undefined) continue
      entry.sending = false
      planNextSend(entry, this.#settings, this.#clock)
      if (entry.view.seen !== null) continue
      if (entry.attempts > 1) planAsk(entry, this.#settings, nowMs)
      else planFirstAsks(entry, this.#settings, nowMs)
      askAt = Math.min(askAt, entry.askAt)
    }
    this.#watcher.wakeAt(askAt)
    if (unreported.length > 0) this.#listener.onFacts(unreported.map((attempt) => ({ kind: 'sent', ...attempt })))
  }

  /**
   * The bytes to send; null: there is nothing to send; undefined if the submission is ignored because the transaction
   * is already being sent or the link is closed.
   */
  #accepted(submission: Submission): PendingSend | null | undefined {
    const before = this.#list.get(submission.transactionId)
    if (this.#closed || (before !== undefined && before.submission.bytes !== null)) return undefined
    return pendingSendOf(submission)
  }

  /** Adds the entry. It replaces an entry of the same transaction that was only watched. */
  #enter(fresh: WatchEntry): WatchEntry {
    const before = this.#list.get(fresh.submission.transactionId)
    const entry = before === undefined ? fresh : carriedOver(fresh, before, this.#clock.elapsed())
    if (before !== undefined) this.#list.remove(before)
    this.#list.add(entry)
    return entry
  }
}

/** The cluster as the watcher uses it. */
function watchSource(cluster: Cluster, clock: Clock, link: Pick<WatchSource, 'send' | 'attemptOf'>): WatchSource {
  const { pool, blockhash } = cluster
  const { timeoutMs } = cluster.settings.watch
  // A transaction reported as final and then missing for a while was not final.
  const finalizedSlots = new RecentPeak(pool.pace.patienceMs)
  const finalizedHeights = new RecentPeak(pool.pace.patienceMs)
  return {
    statuses: (signatures, searchHistory) => cluster.statuses(signatures, searchHistory, timeoutMs),
    async progress() {
      try {
        const { slot, blockHeight } = await cluster.progress(timeoutMs)
        const nowMs = clock.elapsed()
        finalizedSlots.observe(slot, nowMs, nowMs)
        finalizedHeights.observe(blockHeight, nowMs, nowMs)
        return { slot: finalizedSlots.mark!.value, blockHeight: finalizedHeights.mark!.value }
      } catch {
        return null
      }
    },
    knownHeight: () => blockhash.lastKnown()?.blockHeight ?? null,
    async prove({ submission, signature: followed, everSeen, watchedSince }): Promise<ExpiryVerdict> {
      const { signature, otherSignatures = [], message } = submission
      const signatures = [...new Set([signature, ...otherSignatures, followed])].filter((each) => each !== null)
      // Without an answer, nobody knows who else may have signed.
      const isUnknown = await message?.mayHaveUnknownSignature().catch(() => true)
      const unknownSignature = isUnknown === true ? { unknownSignature: message! } : {}
      return await cluster.prove({ ...submission, signatures, disputed: everSeen, watchedSince, ...unknownSignature })
    },
    proofHeight(entry) {
      const { lastValidBlockHeight } = entry.submission
      if (lastValidBlockHeight === null) return null
      // A transaction resumed from the records may be proven expired by reading blocks at once. If that fails, blocks
      // are counted from then on.
      if (entry.watchedSince === null && entry.unproven === null) return lastValidBlockHeight
      if (entry.watchedSince === null || !pool.pace.isUsable(entry.watchedSince)) entry.watchedSince = pool.pace.mark
      return entry.watchedSince === null
        ? lastValidBlockHeight
        : pool.pace.proofHeight(entry.watchedSince, lastValidBlockHeight)
    },
    ...link,
  }
}
