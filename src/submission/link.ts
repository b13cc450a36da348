// Builds the `ClusterLink` of one cluster from admission, lanes, suspensions, the watcher and the proof of expiry.
import { Admission } from './admission.ts'
import { BlockTimes } from './block-times.ts'
import type { Clock } from '../time/clock.ts'
import type { Cluster } from '../rpc/cluster.ts'
import { Dispatch } from './dispatch.ts'
import type { ExpiryVerdict } from '../rpc/expiry/prove.ts'
import { LandingHints, type SignatureFeed } from './landing-hints.ts'
import { Lanes, type PendingSend } from './lanes.ts'
import type { ChainAlarm, ChainFact, ClusterLink, Submission } from './submission.ts'
import { RecentPeak } from '../rpc/recent-peak.ts'
import {
  carriedOver,
  pendingSendOf,
  planAsk,
  planFirstAsks,
  planNextSend,
  recovered,
  submitted,
  type Watched,
} from './watch-entry.ts'
import { WatchList } from './watch-list.ts'
import { Watcher } from './watcher.ts'

export interface LinkListener {
  /**
   * Receives all facts of one turn, to be applied in one synchronous unit of work. An error thrown here ends the
   * process.
   */
  onFacts(facts: readonly ChainFact[]): void
  onAlarm(alarm: ChainAlarm): void
}

/** @param feed Notifies landings; absent: statuses are only polled. */
export function openLink(cluster: Cluster, clock: Clock, listener: LinkListener, feed?: SignatureFeed): ClusterLink {
  const { pool, blockhash } = cluster
  const settings = cluster.settings.watch
  const admission = new Admission(cluster.settings.admission)
  const list: WatchList = new WatchList(admission, settings, (transactionId) => hints.end(transactionId))
  const hints: LandingHints = new LandingHints(feed, settings.subscribedSignatures, (transactionId) => {
    const entry = list.get(transactionId)
    if (entry !== undefined && !closed) watcher.hint(entry)
  })
  // What was said to be final and is not said again for a while was not.
  const finalizedSlots = new RecentPeak(pool.pace.patienceMs)
  const finalizedHeights = new RecentPeak(pool.pace.patienceMs)
  let closed = false

  const lanes = new Lanes(pool, clock, cluster.settings.lanes, {
    sending(pendingSends) {
      const askAt = clock.elapsed() + settings.unansweredMs
      for (const { transactionId } of pendingSends) {
        const entry = list.get(transactionId)
        if (entry === undefined) continue
        entry.sending = true
        entry.attempts += 1
        entry.askAt = Math.min(entry.askAt, askAt)
      }
      watcher.wakeAt(askAt)
    },
    sent(attempts) {
      if (closed) return
      const nowMs = clock.elapsed()
      let askAt = Infinity
      for (const { transactionId } of attempts) {
        const entry = list.get(transactionId)
        if (entry === undefined) continue
        entry.sending = false
        planNextSend(entry, settings, clock)
        if (entry.view.seen !== null) continue
        if (entry.attempts > 1) planAsk(entry, settings, nowMs)
        else planFirstAsks(entry, settings, nowMs)
        askAt = Math.min(askAt, entry.askAt)
      }
      watcher.wakeAt(askAt)
      listener.onFacts(attempts.map((attempt) => ({ kind: 'sent', ...attempt })))
    },
    alarm: (alarm) => listener.onAlarm(alarm),
  })

  const source = {
    statuses: (signatures: readonly string[], searchHistory: boolean) =>
      cluster.statuses(signatures, searchHistory, settings.timeoutMs),
    async progress() {
      try {
        const { slot, blockHeight } = await cluster.progress(settings.timeoutMs)
        const nowMs = clock.elapsed()
        finalizedSlots.observe(slot, nowMs, nowMs)
        finalizedHeights.observe(blockHeight, nowMs, nowMs)
        return { slot: finalizedSlots.mark!.value, blockHeight: finalizedHeights.mark!.value }
      } catch {
        return null
      }
    },
    knownHeight: () => blockhash.lastKnown()?.blockHeight ?? null,
    prove: ({ submission, everSeen, watchedSince }: Watched): Promise<ExpiryVerdict> => {
      const { signature, otherSignatures = [] } = submission
      const signatures = signature === null ? otherSignatures : [signature, ...otherSignatures]
      return cluster.prove({ ...submission, signatures, disputed: everSeen, watchedSince })
    },
    proofHeight(entry: Watched) {
      const { lastValidBlockHeight } = entry.submission
      if (lastValidBlockHeight === null) return null
      // What was taken up from the records may be proven by the blocks at once; where that fails, blocks are counted
      // from then on.
      if (entry.watchedSince === null && entry.unproven === null) return lastValidBlockHeight
      if (entry.watchedSince === null || !pool.pace.isUsable(entry.watchedSince)) entry.watchedSince = pool.pace.mark
      return entry.watchedSince === null
        ? lastValidBlockHeight
        : pool.pace.proofHeight(entry.watchedSince, lastValidBlockHeight)
    },
    send: (entry: Watched) => dispatch.send(entry),
  }
  const dispatch = new Dispatch(list, lanes, clock)
  const blockTimes = new BlockTimes(pool, clock, settings.progressMs)
  const watcher = new Watcher(list, source, clock, { settings, blockTimes, report: (facts) => listener.onFacts(facts) })

  /**
   * What to send: null if there is nothing to send, undefined if the submission is ignored because the transaction is
   * already being sent or the link is closed.
   */
  function accepted(submission: Submission): PendingSend | null | undefined {
    const before = list.get(submission.transactionId)
    if (closed || (before !== undefined && before.submission.bytes !== null)) return undefined
    return pendingSendOf(submission)
  }

  /** Adds the entry. It replaces an entry of the same transaction that was only watched. */
  function enter(fresh: Watched): Watched {
    const before = list.get(fresh.submission.transactionId)
    const entry = before === undefined ? fresh : carriedOver(fresh, before, clock.elapsed())
    if (before !== undefined) list.remove(before)
    list.add(entry)
    return entry
  }

  return {
    admit(tenant, lane, transactionId) {
      const claimed = admission.claim(transactionId, { tenant, lane })
      return () => {
        if (claimed) admission.leave(transactionId)
      }
    },
    submit(submission) {
      const pendingSend = accepted(submission)
      if (pendingSend === undefined) return
      if (pendingSend === null) {
        this.watch(submission)
        return
      }
      const entry = enter(submitted(submission, settings, clock.elapsed(), pool.pace.mark))
      if (entry.view.seen === null) {
        hints.watch(entry)
        dispatch.send(entry)
      }
      watcher.wakeAt(Math.min(entry.askAt, clock.elapsed() + settings.unansweredMs))
    },
    watch(submission, known) {
      if (accepted(submission) === undefined) return
      enter(recovered(submission, known, settings, clock.elapsed()))
      watcher.wake()
    },
    forget(transactionId) {
      const entry = list.get(transactionId)
      if (entry === undefined) return
      dispatch.drop(entry)
      list.remove(entry)
    },
    recall(transactionId) {
      const entry = list.get(transactionId)
      if (entry !== undefined) dispatch.recall(entry)
    },
    suspend: (scope) => dispatch.suspend(scope),
    resume(scope) {
      dispatch.resume(scope)
      watcher.wake()
    },
    checkNow(transactionId) {
      const entry = list.get(transactionId)
      if (entry !== undefined) watcher.checkNow(entry)
    },
    state(transactionId) {
      const entry = list.get(transactionId)
      if (entry === undefined) return null
      const { seen } = entry.view
      const { attempts, unproven, held } = entry
      return { attempts, commitment: seen?.commitment ?? null, slot: seen?.slot ?? null, unproven, held }
    },
    get open() {
      return list.size
    },
    get totals() {
      return { underWay: list.size, ...lanes.totals, held: dispatch.held, suspensions: dispatch.suspensions }
    },
    async close() {
      closed = true
      await Promise.all([lanes.close(), watcher.close()])
    },
  }
}
