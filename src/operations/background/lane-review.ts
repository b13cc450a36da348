// Decides again, when a lane is resumed, which of the transactions that waited in it unsent are sent: an account that
// signs one may have been frozen, or an address that it pays blocked, since it was signed. What may not be sent is
// withheld, as after the late signature of a custodian: it stays signed and waits for Submit.
// Guarantee: a transaction whose send is recorded, or that this process has handed to an endpoint, is never withheld.
import type { Clock } from '../../time/clock.ts'
import type { Pacer } from '../../time/pacer.ts'
import { laneOf, submissionOf } from '../../engine/settlement/submission.ts'
import { payloadOp } from '../../engine/records/payload-row.ts'
import { ofKind, type RecordState } from '../../engine/records/record.ts'
import { BackgroundWork, type Subject, type WorkLog } from '../context/background-work.ts'
import { requireMayAct } from '../context/may-act.ts'
import type { Platform, PlatformCluster } from '../context/platform.ts'
import { runAttempts } from '../transactions/attempt.ts'
import { reasonNotToSend } from '../transactions/signing/send.ts'

type ReviewClock = Pick<Clock, 'now' | 'setTimeout' | 'clearTimeout'>

interface Lane {
  readonly waiting: string[]
  /** Resolves when nothing waits. */
  done: Promise<void>
}

/** Maximum number of transactions of a lane whose data is read from the chain and other owners concurrently. */
const AT_ONCE = 32

export class LaneReview {
  readonly #platform: Platform
  readonly #clock: ReviewClock
  readonly #background: BackgroundWork
  readonly #pacer: Pacer
  readonly #lanes = new Map<string, Lane>()
  #stopped = false

  constructor(platform: Platform, clock: ReviewClock, log: WorkLog) {
    this.#platform = platform
    this.#clock = clock
    this.#background = new BackgroundWork(platform.engine, clock, log)
    this.#pacer = platform.engine.pacer()
  }

  /** Releases or withholds each of the transactions, which the link of the cluster holds, in the order of each lane. */
  begin(cluster: string, transactionIds: readonly string[]): void {
    for (const id of transactionIds) this.#add(cluster, id)
  }

  /** Resolves when no review is under way. */
  async stop(): Promise<void> {
    this.#stopped = true
    this.#background.stop()
    await Promise.all([...this.#lanes.values()].map(({ done }) => done))
  }

  #add(cluster: string, id: string): void {
    const transaction = this.#held(cluster, id)
    if (transaction === null) return
    const { tenant, context } = transaction
    const key = JSON.stringify([cluster, tenant, laneOf(context.fixed)])
    const lane = this.#lanes.get(key)
    if (lane !== undefined) {
      lane.waiting.push(id)
      return
    }
    const begun: Lane = { waiting: [id], done: Promise.resolve() }
    this.#lanes.set(key, begun)
    // Starts in a later turn, so that transactions that are added in this turn are reviewed together.
    begun.done = Promise.resolve().then(() => this.#reviewAll(cluster, key, begun.waiting))
  }

  async #reviewAll(cluster: string, key: string, waiting: string[]): Promise<void> {
    while (waiting.length > 0 && !this.#stopped) {
      if (this.#pacer.isDue) await this.#pacer.rest()
      let before = Promise.resolve()
      for (const id of waiting.splice(0, AT_ONCE)) before = this.#review(cluster, id, before)
      await before
    }
    // Must run in the turn in which the queue is empty: a transaction that is added later would otherwise wait in a
    // lane that has ended.
    this.#lanes.delete(key)
  }

  /** Never rejects. Resolves after `before`, so that the order is kept. */
  async #review(cluster: string, id: string, before: Promise<void>): Promise<void> {
    try {
      await runAttempts(this.#platform, { cluster }, async ({ known }) => {
        // Reads the data for the next decisions while the previous ones are made.
        this.#reasonNotToSend(cluster, id, known)
        await before
        await this.#decide(cluster, id, known)
      })
      this.#background.passed(subjectOf(id))
    } catch (error) {
      this.#background.later(subjectOf(id), error, () => this.#add(cluster, id))
    }
    await before
  }

  async #decide(cluster: string, id: string, known: Known): Promise<void> {
    const transaction = this.#held(cluster, id)
    if (transaction === null || this.#stopped) return
    requireMayAct(this.#platform)
    const reason = this.#reasonNotToSend(cluster, id, known)
    const access = this.#platform.clusters.get(cluster)
    if (reason === null) access?.release(id)
    else if (access !== undefined) await this.#withhold(access, transaction, reason)
  }

  /** null: it is sent, if the link still holds it. */
  #reasonNotToSend(cluster: string, id: string, known: Known): string | null {
    const transaction = this.#held(cluster, id)
    return transaction?.value === 'signed' ? reasonNotToSend(this.#platform, transaction, known) : null
  }

  /** The transaction, while the link holds it and has not handed it to an endpoint; null: nothing is to be decided. */
  #held(cluster: string, id: string): RecordState<'transaction'> | null {
    const state = this.#platform.clusters.get(cluster)?.state(id) ?? null
    if (state === null || !state.held || state.attempts > 0) return null
    const transaction = ofKind(this.#platform.engine.directory.resident(id)?.head, 'transaction')
    return transaction === undefined || transaction.context.cancelAskedAt !== null ? null : transaction
  }

  /** From here on the link only watches it: others may have its signatures, which were shown while it was signed. */
  async #withhold(cluster: PlatformCluster, transaction: RecordState<'transaction'>, detail: string): Promise<void> {
    const { engine } = this.#platform
    const { id, tenant } = transaction
    const entry = engine.directory.resident(id)
    if (entry === undefined) return
    const at = new Date(this.#clock.now()).toISOString()
    await engine.transact((unit) => {
      const payload = engine.payload(transaction)
      unit.send<'transaction'>(entry, { type: 'command.withhold', at, detail })
      unit.also(tenant, payloadOp({ tenant, cluster: cluster.id, id }, { ...payload, held: true, exposed: true }))
      unit.afterCommit(() => {
        cluster.forget(id)
        cluster.watch(submissionOf(engine, transaction, null))
      })
    }).durable
  }
}

type Known = Parameters<typeof reasonNotToSend>[2]

function subjectOf(id: string): Subject {
  return { ids: { transactionId: id }, failure: 'it is not decided whether a transaction of a resumed lane is sent' }
}
