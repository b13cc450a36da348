// Executes every running plan: when the transaction of a step is confirmed, the next one is made, or sent if it
// exists already (once the previous one is final); if one ends without effect, the plan fails. The driver keeps no
// durable state: after a restart it continues from the records.
import type { Clock, Timer } from '../../time/clock.ts'
import { atHand } from '../../../snapshots/at-hand.ts'
import type { Entry } from '../../engine/records/entry.ts'
import { planKey } from '../../engine/index/index-keys.ts'
import { isHolding, ofKind, type RecordState } from '../../engine/records/record.ts'
import { nextStep, type PlanStep } from '../../../machines/transactions/plan.ts'
import { BackgroundWork, type Subject, type WorkLog } from '../context/background-work.ts'
import type { Platform } from '../context/platform.ts'
import { isRetryable, operationResult, type OperationFailure } from '../context/as-refusal.ts'
import { makeStep } from '../transactions/plans/make-step.ts'
import { isSendingSuspended } from '../views/read-models/switches.ts'
import { mustBeFinal, sendStep, waitsForEarlierSteps, withholdStep } from '../transactions/plans/send-step.ts'

const RETRY_MS = 1_000

type PlanClock = Pick<Clock, 'now' | 'soon' | 'setTimeout' | 'clearTimeout'>

export class PlanDriver {
  readonly #platform: Platform
  readonly #clock: PlanClock
  readonly #log: WorkLog
  readonly #background: BackgroundWork
  readonly #making = new Map<Entry, Promise<void>>()
  readonly #retries = new Map<Entry, Timer>()
  #stopped = false

  constructor(platform: Platform, clock: PlanClock, log: WorkLog) {
    this.#platform = platform
    this.#clock = clock
    this.#log = log
    const { engine } = platform
    this.#background = new BackgroundWork(engine, clock, log)
    engine.onCommitted((changes) => {
      for (const { entry, next } of changes) {
        if (next.kind === 'plan') this.#continueSoon(entry)
        else if (next.kind === 'transaction')
          for (const plan of engine.directory.searchOwn(planKey(entry.head.id))) this.#continueSoon(plan)
      }
    })
  }

  /** Continues the plans that were running when the service stopped. */
  resume(): void {
    for (const entry of this.#platform.engine.directory.entries('plan')) this.#continueSoon(entry)
  }

  /** Resolves when no step is being made. */
  async stop(): Promise<void> {
    this.#stopped = true
    this.#background.stop()
    for (const timer of this.#retries.values()) this.#clock.clearTimeout(timer)
    this.#retries.clear()
    await Promise.all(this.#making.values())
  }

  /** Runs in a later turn, so that the other commit listeners are called first. */
  #continueSoon(entry: Entry): void {
    if (entry.head.value !== 'failed') this.#clock.soon(() => this.#continueSafely(entry))
  }

  #continueSafely(entry: Entry): void {
    this.#background.run(subjectOf(entry), () => this.#continue(entry))
  }

  #continue(entry: Entry): void {
    const plan = ofKind(entry.head, 'plan')
    if (this.#stopped || plan === undefined || plan.value === 'failed' || this.#making.has(entry)) return
    const { steps } = plan.context
    const lost = steps.find(({ transactionId, done }) => done && this.#fateOf(transactionId) === 'lost')
    if (lost !== undefined) {
      // Its fork was dropped, and the transaction provably did not land on the surviving one.
      this.#end(entry, `transaction ${lost.transactionId ?? ''} ended without effect after all`)
      return
    }
    const under = steps.find(({ transactionId, done }) => transactionId !== null && !done)
    if (under !== undefined) this.#evaluate(entry, plan, under)
    else if (nextStep(plan.context) < steps.length) {
      // A transaction made now would expire unsent, and the plan would fail.
      if (isSendingSuspended(this.#platform, plan, plan.context.organization)) this.#retryLater(entry)
      else this.#make(entry, plan)
    }
  }

  #evaluate(entry: Entry, plan: RecordState<'plan'>, { transactionId }: PlanStep): void {
    const fate = this.#fateOf(transactionId)
    if (transactionId === null) return
    if (fate === 'open') {
      if (waitsForEarlierSteps(this.#platform, plan, transactionId))
        this.#work(entry, sendStep(this.#platform, plan, transactionId))
    } else if (fate === 'lost') this.#end(entry, `transaction ${transactionId} ended without effect`)
    else if (!mustBeFinal(plan, transactionId) || this.#isFinal(transactionId))
      this.#send(entry, { type: 'chain.done', transactionId, at: this.#now() })
  }

  #isFinal(transactionId: string): boolean {
    return this.#platform.engine.directory.byId(transactionId)?.committed?.value === 'finalized'
  }

  #fateOf(transactionId: string | null): 'open' | 'landed' | 'lost' {
    const transaction = ofKind(this.#platform.engine.directory.byId(transactionId ?? '')?.committed, 'transaction')
    return transaction === undefined ? 'open' : fateOf(transaction)
  }

  #make(entry: Entry, plan: RecordState<'plan'>): void {
    this.#work(
      entry,
      atHand(this.#platform.engine, () => makeStep(this.#platform, entry, plan)),
    )
  }

  #work(entry: Entry, work: Promise<void>): void {
    this.#retries.delete(entry)
    const making = operationResult(work)
      .then((made) => {
        if (!made.ok) this.#retryOrFail(entry, made)
      })
      .finally(() => this.#making.delete(entry))
    this.#making.set(entry, making)
  }

  #retryOrFail(entry: Entry, failure: OperationFailure): void {
    if (this.#stopped) return
    // Nothing was signed, so the same step is retried.
    if (isRetryable(failure)) {
      this.#retryLater(entry)
      return
    }
    const { refusal, error } = failure
    if (refusal !== null) {
      this.#endSafely(entry, refusal.message)
      return
    }
    this.#log.error({ err: error, planId: entry.head.id }, 'a step of a plan could not be built')
    this.#endSafely(entry, 'INTERNAL_ERROR: the next transaction could not be built')
  }

  #retryLater(entry: Entry): void {
    const pending = this.#retries.get(entry)
    if (pending !== undefined) this.#clock.clearTimeout(pending)
    const retry = this.#clock.setTimeout(() => this.#continueSafely(entry), RETRY_MS)
    this.#retries.set(entry, retry)
  }

  #endSafely(entry: Entry, reason: string): void {
    this.#background.run(subjectOf(entry), () => this.#end(entry, reason))
  }

  /**
   * Ends the plan: the remaining steps are not made, unsent transactions are withheld, and pending records are
   * abandoned.
   */
  #end(entry: Entry, reason: string): void {
    const plan = ofKind(entry.head, 'plan')
    if (plan === undefined || plan.value === 'failed') return
    const { steps } = plan.context
    const waiting = steps.flatMap(({ records }) => records)
    const unsent = steps.flatMap(({ transactionId, done }) => (transactionId === null || done ? [] : [transactionId]))
    const { engine } = this.#platform
    const { durable } = engine.transact((unit) => {
      unit.send<'plan'>(entry, { type: 'command.fail', reason, at: this.#now() })
      for (const id of waiting) {
        const record = engine.directory.resident(id)
        if (record !== undefined && isHolding(record.head) && record.head.value === 'pending') {
          unit.send(record, { type: 'chain.abandoned' } as never)
        }
      }
      for (const id of unsent)
        if (waitsForEarlierSteps(this.#platform, plan, id)) withholdStep(this.#platform, unit, id, this.#now())
    })
    // A failed write has ended the process already.
    durable.catch(() => undefined)
  }

  #send(
    entry: Entry,
    event: { readonly type: 'chain.done'; readonly transactionId: string; readonly at: string },
  ): void {
    const { durable } = this.#platform.engine.transact((unit) => unit.send<'plan'>(entry, event))
    durable.catch(() => undefined)
  }

  #now(): string {
    return new Date(this.#clock.now()).toISOString()
  }
}

function subjectOf({ head }: Entry): Subject {
  return { ids: { planId: head.id }, failure: 'a plan cannot continue' }
}

function fateOf({ value, context }: RecordState<'transaction'>): 'open' | 'landed' | 'lost' {
  if (value === 'confirmed' || value === 'finalized') return context.error === null ? 'landed' : 'open'
  return ['blockchainError', 'nonBlockchainError', 'cancelled', 'expired'].includes(value) ? 'lost' : 'open'
}
