// Follows every open transaction to its end: asks for statuses in batches, has the same bytes sent again while they may land,
// and tries the proof of expiry when they may not. Reports facts, all of one turn together. Ends a transaction only on the chain's
// word at `finalized` or on a proof.
import type { Admission } from './admission.ts'
import type { BlockTimes } from './block-times.ts'
import type { Clock, Timer } from './clock.ts'
import type { WatchSettings } from './cluster-settings.ts'
import type { ExpiryVerdict } from './expiry.ts'
import { judge } from './judge.ts'
import { STATUS_LIMIT, type StatusAnswer } from './rpc.ts'
import { SlotShelf } from './slot-shelf.ts'
import type { ChainFact, Submission } from './submission.ts'
import { parcelOf, planNextAsk, planNextProof, proofDue, sendDue, type Watched } from './watch-entry.ts'

/** What the watcher asks of the cluster. */
export interface WatchSource {
  /** Rejects when there is no usable answer. */
  statuses(signatures: readonly string[], searchHistory: boolean): Promise<StatusAnswer>
  /** Finalized slot and block height; null when there is no usable answer. */
  progress(): Promise<{ readonly slot: number; readonly blockHeight: number } | null>
  /** Newest block height known without asking; null when none is. */
  knownHeight(): number | null
  prove(submission: Submission): Promise<ExpiryVerdict>
  send(entry: Watched): void
}

/** Questions of one turn: 16 calls of 256 signatures. */
const MAX_ASKED = 16 * STATUS_LIMIT
const MAX_PROOFS = 4

export class Watcher {
  readonly #source: WatchSource
  readonly #clock: Clock
  readonly #settings: WatchSettings
  readonly #admission: Admission
  readonly #blockTimes: BlockTimes
  readonly #report: (facts: ChainFact[]) => void
  readonly #entries = new Map<string, Watched>()
  /** Those with something planned. */
  readonly #awake = new Set<Watched>()
  /** Those confirmed: not asked for again before their slot is final. */
  readonly #shelf = new SlotShelf<Watched>()
  #finalized: { slot: number; blockHeight: number } | null = null
  #progressAt = 0
  #turnAt = -Infinity
  #timer: Timer | null = null
  #timerAt = Infinity
  #turning: Promise<void> | null = null
  #proofs = new Set<Promise<void>>()
  #closed = false

  constructor(
    source: WatchSource,
    clock: Clock,
    settings: WatchSettings,
    admission: Admission,
    blockTimes: BlockTimes,
    report: (facts: ChainFact[]) => void,
  ) {
    this.#source = source
    this.#clock = clock
    this.#settings = settings
    this.#admission = admission
    this.#blockTimes = blockTimes
    this.#report = report
  }

  get open(): number {
    return this.#entries.size
  }

  get(transactionId: string): Watched | undefined {
    return this.#entries.get(transactionId)
  }

  add(entry: Watched): void {
    const { transactionId, tenant, lane } = entry.submission
    this.#entries.set(transactionId, entry)
    this.#awake.add(entry)
    if (entry.counted) this.#admission.enter(tenant, lane)
    this.wake()
  }

  remove(entry: Watched): void {
    this.#entries.delete(entry.submission.transactionId)
    if (!this.#awake.delete(entry)) this.#shelf.drop(entry)
    this.#count(entry, false)
  }

  /** Plans a question to the history for now, and a proof if one may be possible. */
  hurry(entry: Watched): void {
    const nowMs = this.#clock.elapsed()
    this.#shelf.drop(entry)
    this.#awake.add(entry)
    entry.deep = true
    entry.askAt = nowMs
    entry.proveAt = nowMs
    this.#progressAt = nowMs
    this.wake()
  }

  /** The next turn comes as soon as the pace allows. To be called when something was planned earlier than it was before. */
  wake(): void {
    this.wakeAt(this.#clock.elapsed())
  }

  /** As `wake`, no sooner than this instant of `Clock.elapsed`. */
  wakeAt(wantedAt: number): void {
    if (this.#closed || this.#turning !== null || wantedAt === Infinity) return
    const nowMs = this.#clock.elapsed()
    const at = Math.max(wantedAt, this.#turnAt + this.#settings.pollMs, nowMs)
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
    // Not caught: what the listener throws must end the process, not pass for a fact that was taken.
    this.#turning = this.#turn().finally(() => {
      this.#turning = null
      this.wakeAt(this.#nextAt())
    })
  }

  async #turn(): Promise<void> {
    const nowMs = this.#clock.elapsed()
    this.#turnAt = nowMs
    if (this.#entries.size === 0) return
    const due = this.#dueForAsking(nowMs)
    const facts: ChainFact[] = []
    await Promise.all([
      ...chunks(due.filter((entry) => !entry.deep)).map((entries) => this.#ask(entries, false, facts)),
      ...chunks(due.filter((entry) => entry.deep)).map((entries) => this.#ask(entries, true, facts)),
      nowMs >= this.#progressAt ? this.#learnProgress(nowMs) : null,
    ])
    await this.#emit(facts)
    if (this.#closed) return
    const nowFinal = this.#shelf.take(this.#finalized?.slot ?? -1)
    for (const entry of nowFinal) {
      entry.askAt = this.#clock.elapsed()
      this.#awake.add(entry)
    }
    this.#act()
  }

  #dueForAsking(nowMs: number): Watched[] {
    const due: Watched[] = []
    for (const entry of this.#awake) {
      if (entry.askAt > nowMs || entry.signature === null) continue
      due.push(entry)
      if (due.length === MAX_ASKED) break
    }
    return due
  }

  async #ask(entries: readonly Watched[], deep: boolean, facts: ChainFact[]): Promise<void> {
    let answer: StatusAnswer | null = null
    try {
      answer = await this.#source.statuses(entries.map((entry) => entry.signature!), deep)
    } catch {
      // No answer says nothing; they are asked for again.
    }
    const nowMs = this.#clock.elapsed()
    entries.forEach((entry, index) => {
      if (this.#entries.get(entry.submission.transactionId) !== entry) return
      if (answer !== null) this.#take(entry, answer, index, deep, facts)
      planNextAsk(entry, this.#settings, nowMs)
    })
  }

  #take(entry: Watched, answer: StatusAnswer, index: number, deep: boolean, facts: ChainFact[]): void {
    const before = entry.view.seen
    const judgement = judge(entry.view, answer.statuses[index]!, answer.contextSlot, deep, this.#settings.forgetAfter)
    entry.view = judgement.view
    entry.deep = judgement.deep
    const { transactionId } = entry.submission
    const atMs = this.#clock.now()
    for (const kind of judgement.news) {
      if (kind === 'forgotten') facts.push({ kind, transactionId, atMs, slot: before!.slot })
      else facts.push({ kind, transactionId, atMs, signature: entry.signature!, blockTime: null, ...sightOf(entry) })
    }
    this.#settle(entry, judgement.news.includes('forgotten'))
  }

  /** Moves an entry to where its newest sight belongs. */
  #settle(entry: Watched, forgotten: boolean): void {
    const { seen } = entry.view
    if (seen?.commitment === 'finalized') {
      this.remove(entry)
      return
    }
    if (forgotten) {
      entry.sendAt = this.#clock.elapsed()
      entry.sendDelayMs = this.#settings.resendMs
      entry.askDelayMs = this.#settings.pollMs
    }
    const confirmed = seen?.commitment === 'confirmed'
    this.#count(entry, !confirmed)
    if (!confirmed || entry.deep || seen.slot <= (this.#finalized?.slot ?? -1)) return
    this.#shelf.put(entry, seen.slot)
    this.#awake.delete(entry)
  }

  #count(entry: Watched, counted: boolean): void {
    if (entry.counted === counted) return
    entry.counted = counted
    const { tenant, lane } = entry.submission
    if (counted) this.#admission.enter(tenant, lane)
    else this.#admission.leave(tenant, lane)
  }

  async #learnProgress(nowMs: number): Promise<void> {
    this.#progressAt = nowMs + this.#settings.progressMs
    const progress = await this.#source.progress()
    if (progress === null) return
    const before = this.#finalized
    this.#finalized = {
      slot: Math.max(progress.slot, before?.slot ?? 0),
      blockHeight: Math.max(progress.blockHeight, before?.blockHeight ?? 0),
    }
  }

  /** Sends again and proves, where that is due. */
  #act(): void {
    const nowMs = this.#clock.elapsed()
    const finalizedHeight = this.#finalized?.blockHeight ?? null
    const height = finalizedHeight === null ? null : Math.max(finalizedHeight, this.#source.knownHeight() ?? 0)
    for (const entry of this.#awake) {
      if (sendDue(entry, nowMs, height) && parcelOf(entry) !== null) {
        entry.sending = true
        this.#source.send(entry)
      }
      if (this.#proofs.size < MAX_PROOFS && proofDue(entry, nowMs, finalizedHeight)) this.#prove(entry)
    }
  }

  #prove(entry: Watched): void {
    entry.proving = true
    const proof = this.#source.prove(entry.submission).then((verdict) => {
      this.#proofs.delete(proof)
      entry.proving = false
      const { transactionId } = entry.submission
      if (this.#closed || this.#entries.get(transactionId) !== entry || entry.view.seen !== null) return
      const nowMs = this.#clock.elapsed()
      if (verdict.proven) {
        this.remove(entry)
        this.#report([{ kind: 'expired', transactionId, atMs: this.#clock.now(), proof: verdict.proof }])
      } else {
        entry.unproven = verdict.reason
        entry.signature = verdict.landed ?? entry.signature
        entry.deep = true
        entry.askAt = nowMs
        planNextProof(entry, this.#settings, nowMs)
      }
      this.wake()
    })
    this.#proofs.add(proof)
  }

  async #emit(facts: ChainFact[]): Promise<void> {
    const slots = facts.flatMap((fact) => (fact.kind === 'seen' && fact.commitment !== 'processed' ? [fact.slot] : []))
    await this.#blockTimes.learn(slots, this.#settings.timeoutMs)
    if (this.#closed || facts.length === 0) return
    this.#report(facts.map((fact) => (fact.kind === 'seen' ? { ...fact, blockTime: this.#blockTimes.get(fact.slot) } : fact)))
  }

  /** When the next turn has something to do. */
  #nextAt(): number {
    if (this.#entries.size === 0) return Infinity
    let at = this.#progressAt
    for (const entry of this.#awake) if (entry.askAt < at && entry.signature !== null) at = entry.askAt
    return at
  }
}

function sightOf(entry: Watched) {
  const { commitment, slot, error } = entry.view.seen!
  return { commitment, slot, error }
}

function chunks(entries: readonly Watched[]): Watched[][] {
  const result: Watched[][] = []
  for (let start = 0; start < entries.length; start += STATUS_LIMIT) result.push(entries.slice(start, start + STATUS_LIMIT))
  return result
}
