// Builds the `ClusterLink` of one cluster from admission, lanes, suspensions, the watcher and the proof of expiry.
import { Admission } from './admission.ts'
import { BlockTimes } from './block-times.ts'
import type { Clock } from '../time/clock.ts'
import type { Cluster } from '../rpc/cluster.ts'
import { Dispatch } from './dispatch.ts'
import type { ExpiryVerdict } from '../rpc/expiry/prove.ts'
import { Lanes, type Parcel } from './lanes.ts'
import type { ChainAlarm, ChainFact, ClusterLink, Submission } from './submission.ts'
import { carriedOver, parcelOf, planNextSend, recovered, submitted, type Watched } from './watch-entry.ts'
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

export function openLink(cluster: Cluster, clock: Clock, listener: LinkListener): ClusterLink {
  const { pool, blockhash } = cluster
  const settings = cluster.settings.watch
  const admission = new Admission(cluster.settings.admission)
  const list = new WatchList(admission, settings)
  let closed = false

  const lanes = new Lanes(pool, clock, cluster.settings.lanes, {
    sending(parcels) {
      const askAt = clock.elapsed() + settings.unansweredMs
      for (const { transactionId } of parcels) {
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
      for (const { transactionId } of attempts) {
        const entry = list.get(transactionId)
        if (entry === undefined) continue
        entry.sending = false
        planNextSend(entry, settings, clock)
        if (entry.view.seen !== null) continue
        entry.askAt = nowMs
        entry.askDelayMs = settings.pollMs
      }
      watcher.wake()
      listener.onFacts(attempts.map((attempt) => ({ kind: 'sent', ...attempt })))
    },
    alarm: (alarm) => listener.onAlarm(alarm),
  })

  const source = {
    statuses: (signatures: readonly string[], searchHistory: boolean) =>
      cluster.statuses(signatures, searchHistory, settings.timeoutMs),
    async progress() {
      try {
        return await cluster.progress(settings.timeoutMs)
      } catch {
        return null
      }
    },
    knownHeight: () => blockhash.lastKnown()?.blockHeight ?? null,
    prove: (submission: Submission, disputed: boolean): Promise<ExpiryVerdict> => {
      const { signature, otherSignatures = [] } = submission
      const signatures = signature === null ? otherSignatures : [signature, ...otherSignatures]
      return cluster.prove({ ...submission, signatures, disputed })
    },
    send: (entry: Watched) => dispatch.send(entry),
  }
  const dispatch = new Dispatch(list, lanes, clock)
  const blockTimes = new BlockTimes(pool, clock, settings.progressMs)
  const watcher = new Watcher(list, source, clock, settings, blockTimes, (facts) => listener.onFacts(facts))

  /**
   * What to send: null if there is nothing to send, undefined if the submission is ignored because the transaction is
   * already being sent or the link is closed.
   */
  function accepted(submission: Submission): Parcel | null | undefined {
    const before = list.get(submission.transactionId)
    if (closed || (before !== undefined && before.submission.bytes !== null)) return undefined
    return parcelOf(submission)
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
      const parcel = accepted(submission)
      if (parcel === undefined) return
      if (parcel === null) {
        this.watch(submission)
        return
      }
      const entry = enter(submitted(submission, settings, clock.elapsed()))
      if (entry.view.seen === null) dispatch.send(entry)
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
    hurry(transactionId) {
      const entry = list.get(transactionId)
      if (entry !== undefined) watcher.hurry(entry)
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
