// Follows every open transaction to its end: queries statuses in batches, earlier after a notification of a landing,
// resends the same bytes while they may land, and attempts the proof of expiry afterwards. Reports all facts of one
// turn together. A transaction ends only with a `finalized` status or a proof.
import type { BlockTimes } from './block-times.ts'
import type { Clock, Timer } from '../time/clock.ts'
import type { WatchSettings } from '../rpc/cluster-settings.ts'
import type { ExpiryVerdict } from '../rpc/expiry/prove.ts'
import { verdictOf } from '../rpc/status-verdict.ts'
import { STATUS_LIMIT, type Commitment, type SignatureStatus, type StatusAnswer } from '../rpc/rpc.ts'
import type { ChainFact } from './submission.ts'
import { planFirstAsks, planNextAsk, planNextProof, proofDue, sendDue, type WatchEntry } from './watch-entry.ts'
import type { LastTurn } from './shared-turns.ts'
import type { WatchList } from './watch-list.ts'

/** A send whose answer is awaited. */
export interface OpenAttempt {
  readonly endpoint: string
  /** It was reported without its answer, because the chain showed the transaction first. */
  isReported: boolean
}

/** The cluster as the watcher uses it. */
export interface WatchSource {
  /** Rejects if there is no usable answer. */
  statuses(signatures: readonly string[], searchHistory: boolean): Promise<StatusAnswer>
  /** Finalized slot and block height, by recent answers; null when there is no usable answer. */
  progress(): Promise<{ readonly slot: number; readonly blockHeight: number } | null>
  /** Newest block height known without a request; null when none is known. */
  knownHeight(): number | null
  /** Never rejects. */
  prove(entry: WatchEntry): Promise<ExpiryVerdict>
  /** Finalized height that must be exceeded before a proof of expiry is tried; null with a durable nonce. */
  proofHeight(entry: WatchEntry): number | null
  send(entry: WatchEntry): void
  /** The latest send of the transaction; undefined: no answer is awaited. */
  attemptOf(transactionId: string): OpenAttempt | undefined
}

/** One status query; `answer` is null when no answer was usable. */
interface Reply {
  readonly entries: readonly WatchEntry[]
  readonly deep: boolean
  readonly answer: StatusAnswer | null
}

/** Signatures queried in one turn: 16 calls of 256. */
const MAX_ASKED = 16 * STATUS_LIMIT
const MAX_PROOFS = 4

export class Watcher {
  readonly #list: WatchList
  readonly #source: WatchSource
  readonly #clock: Clock
  readonly #settings: WatchSettings
  readonly #blockTimes: BlockTimes
  readonly #report: (facts: ChainFact[]) => void
  #finalizedSlot = -1
  #finalizedHeight: number | null = null
  #progressAt = 0
  /** Of all watchers of the cluster in this process. */
  readonly #lastTurn: LastTurn
  #turnAt = -Infinity
  /** The next turn answers a notification. */
  #isHinted = false
  /** Additional time between two turns while status queries fail. */
  #backOffMs = 0
  #timer: Timer | null = null
  #timerAt = Infinity
  #turning: Promise<void> | null = null
  readonly #proofs = new Set<Promise<void>>()
  #closed = false

  constructor(
    list: WatchList,
    source: WatchSource,
    clock: Clock,
    {
      settings,
      blockTimes,
      lastTurn,
      report,
    }: {
      readonly settings: WatchSettings
      readonly blockTimes: BlockTimes
      readonly lastTurn: LastTurn
      readonly report: (facts: ChainFact[]) => void
    },
  ) {
    this.#list = list
    this.#source = source
    this.#clock = clock
    this.#settings = settings
    this.#blockTimes = blockTimes
    this.#lastTurn = lastTurn
    this.#report = report
  }

  /** Schedules a query of the transaction history for now, and a proof if one may be possible. */
  checkNow(entry: WatchEntry): void {
    const nowMs = this.#clock.elapsed()
    this.#list.wake(entry)
    entry.deep = true
    entry.askAt = nowMs
    entry.proveAt = nowMs
    this.#progressAt = nowMs
    this.wake()
  }

  /** Must be called when the transaction may have landed. Its status is queried soon, and then as after a send. */
  hint(entry: WatchEntry): void {
    const { seen } = entry.view
    if (!this.#list.holds(entry) || (seen !== null && seen.commitment !== 'processed')) return
    const nowMs = this.#clock.elapsed()
    planFirstAsks(entry, this.#settings, nowMs)
    entry.askAt = nowMs
    this.#isHinted = true
    this.wake()
  }

  /**
   * Schedules the next turn as soon as the pace (`turnMs`, `hintMs`) allows. Must be called when work became due
   * earlier than planned.
   */
  wake(): void {
    this.wakeAt(this.#clock.elapsed())
  }

  /** Like `wake`, but no sooner than `wantedAt` (`Clock.elapsed`). */
  wakeAt(wantedAt: number): void {
    if (this.#closed || this.#turning !== null || wantedAt === Infinity) return
    const nowMs = this.#clock.elapsed()
    const leastMs = this.#isHinted ? this.#settings.hintMs : this.#settings.turnMs
    const at = Math.max(wantedAt, this.#lastTurn.at + leastMs, this.#turnAt + this.#backOffMs, nowMs)
    if (at >= this.#timerAt) return
    if (this.#timer !== null) this.#clock.clearTimeout(this.#timer)
    this.#timerAt = at
    this.#timer = this.#clock.setTimeout(() => this.#start(), at - nowMs)
  }

  async close(): Promise<void> {
    this.#closed = true
    if (this.#timer !== null) this.#clock.clearTimeout(this.#timer)
    await Promise.all([this.#turning, ...this.#proofs])
  }

  #start(): void {
    this.#timer = null
    this.#timerAt = Infinity
    // Not caught: an error thrown by the listener must end the process, or a fact would count as applied that was not.
    this.#turning = this.#turn().finally(() => {
      this.#turning = null
      if (this.#list.size > 0) this.wakeAt(Math.min(this.#progressAt, this.#list.nextAskAt()))
    })
  }

  async #turn(): Promise<void> {
    const nowMs = this.#clock.elapsed()
    this.#turnAt = nowMs
    this.#lastTurn.at = nowMs
    this.#isHinted = false
    if (this.#list.size === 0) return
    const due = this.#list.due(nowMs, MAX_ASKED)
    const [replies] = await Promise.all([
      Promise.all([
        ...chunks(due.filter((entry) => !entry.deep)).map((entries) => this.#ask(entries, false)),
        ...chunks(due.filter((entry) => entry.deep)).map((entries) => this.#ask(entries, true)),
      ]),
      nowMs >= this.#progressAt ? this.#learnProgress(nowMs) : null,
    ])
    this.#pace(replies)
    const finalSlots = new Set(slotsAt(replies, ['finalized']))
    await this.#blockTimes.learn(slotsAt(replies, ['confirmed', 'finalized']), this.#settings.timeoutMs, finalSlots)
    if (this.#closed) return
    const facts: ChainFact[] = []
    for (const reply of replies) this.#take(reply, facts)
    if (facts.length > 0) this.#report(facts)
    this.#list.wakeFinal(this.#finalizedSlot, this.#clock.elapsed())
    this.#act()
  }

  /** An endpoint that fails, or limits the rate, is queried less often: at the interval `pollMs` in the end. */
  #pace(replies: readonly Reply[]): void {
    if (replies.length === 0) return
    const { turnMs, pollMs } = this.#settings
    const hasFailed = replies.some(({ answer }) => answer === null)
    const half = this.#backOffMs / 2
    this.#backOffMs = hasFailed ? Math.min(Math.max(this.#backOffMs * 2, turnMs), pollMs) : half < 1 ? 0 : half
  }

  async #ask(entries: readonly WatchEntry[], deep: boolean): Promise<Reply> {
    try {
      return {
        entries,
        deep,
        answer: await this.#source.statuses(
          entries.map((entry) => entry.signature!),
          deep,
        ),
      }
    } catch {
      // No answer proves nothing; the signatures are queried again.
      return { entries, deep, answer: null }
    }
  }

  #take({ entries, deep, answer }: Reply, facts: ChainFact[]): void {
    const nowMs = this.#clock.elapsed()
    entries.forEach((entry, index) => {
      if (!this.#list.holds(entry)) return
      if (answer !== null) this.#learn(entry, answer.statuses[index] ?? null, answer.contextSlot, { deep, facts })
      // A time planned during this turn takes precedence.
      if (entry.askAt <= this.#turnAt) planNextAsk(entry, this.#settings, this.#turnAt, nowMs)
    })
  }

  #learn(
    entry: WatchEntry,
    status: SignatureStatus | null,
    contextSlot: number,
    { deep, facts }: { readonly deep: boolean; readonly facts: ChainFact[] },
  ): void {
    const before = entry.view.seen
    const verdict = verdictOf(entry.view, status, { contextSlot, deep, atMs: this.#clock.elapsed() }, this.#settings)
    entry.view = verdict.view
    entry.everSeen ||= status !== null
    // A history query scheduled after this query was sent remains scheduled.
    entry.deep = verdict.deep || (entry.deep && !deep)
    const { transactionId } = entry.submission
    const atMs = this.#clock.now()
    for (const kind of verdict.news) {
      if (kind === 'forgotten') facts.push({ kind, transactionId, atMs, slot: before!.slot })
      else {
        this.#reportAttempt(transactionId, atMs, facts)
        facts.push({ kind, transactionId, atMs, signature: entry.signature!, ...this.#sight(entry) })
      }
    }
    this.#list.settle(entry, verdict.news.includes('forgotten'), this.#finalizedSlot, this.#clock.elapsed())
  }

  /** Reports an attempt before the status that it led to, so that the history lists them in this order. */
  #reportAttempt(transactionId: string, atMs: number, facts: ChainFact[]): void {
    const attempt = this.#source.attemptOf(transactionId)
    if (attempt === undefined || attempt.isReported) return
    attempt.isReported = true
    const detail = 'the chain shows the transaction'
    facts.push({ kind: 'sent', transactionId, atMs, endpoint: attempt.endpoint, outcome: 'unanswered', detail })
  }

  #sight(entry: WatchEntry) {
    const { commitment, slot, error } = entry.view.seen!
    return { commitment, slot, error, blockTime: this.#blockTimes.get(slot) }
  }

  async #learnProgress(nowMs: number): Promise<void> {
    this.#progressAt = nowMs + this.#settings.progressMs
    const progress = await this.#source.progress()
    if (progress === null) return
    this.#finalizedSlot = progress.slot
    this.#finalizedHeight = progress.blockHeight
  }

  /** Starts all due resends and proofs. */
  #act(): void {
    const nowMs = this.#clock.elapsed()
    const finalizedHeight = this.#finalizedHeight
    const known = this.#source.knownHeight()
    const height = finalizedHeight === null ? known : Math.max(finalizedHeight, known ?? 0)
    const provable: WatchEntry[] = []
    for (const entry of this.#list.awake) {
      if (entry.submission.bytes !== null && sendDue(entry, nowMs, height)) {
        entry.sending = true
        this.#source.send(entry)
      }
      if (proofDue(entry, nowMs, finalizedHeight, this.#source.proofHeight(entry))) provable.push(entry)
    }
    if (this.#proofs.size >= MAX_PROOFS) return
    // Longest waiting first: a transaction that cannot be proven yet is due again and again, and must not starve
    // others.
    provable.sort((a, b) => a.proveAt - b.proveAt)
    for (const entry of provable.slice(0, MAX_PROOFS - this.#proofs.size)) this.#prove(entry)
  }

  #prove(entry: WatchEntry): void {
    entry.proving = true
    const proof = this.#source.prove(entry).then((verdict) => {
      this.#proofs.delete(proof)
      entry.proving = false
      // A status that arrived during the proof takes precedence over the proof.
      if (this.#closed || !this.#list.holds(entry) || entry.view.seen !== null) return
      this.#conclude(entry, verdict)
      this.wake()
    })
    this.#proofs.add(proof)
  }

  #conclude(entry: WatchEntry, verdict: ExpiryVerdict): void {
    const { transactionId } = entry.submission
    if (verdict.proven) {
      this.#list.remove(entry)
      this.#report([{ kind: 'expired', transactionId, atMs: this.#clock.now(), proof: verdict.proof }])
      return
    }
    const nowMs = this.#clock.elapsed()
    entry.unproven = verdict.reason
    entry.signature = verdict.landed ?? entry.signature
    entry.deep = true
    entry.askAt = nowMs
    planNextProof(entry, this.#settings, nowMs)
  }
}

/** Slots of the statuses at one of the levels. */
function slotsAt(replies: readonly Reply[], levels: readonly Commitment[]): number[] {
  const statuses = replies.flatMap((reply) => reply.answer?.statuses ?? [])
  return statuses.flatMap((status) => (status !== null && levels.includes(status.commitment) ? [status.slot] : []))
}

function chunks(entries: readonly WatchEntry[]): WatchEntry[][] {
  const result: WatchEntry[][] = []
  for (let start = 0; start < entries.length; start += STATUS_LIMIT)
    result.push(entries.slice(start, start + STATUS_LIMIT))
  return result
}
