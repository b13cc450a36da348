// Drives every batch to its end: makes the waiting items, a few transactions ahead of the chain (one after the other if
// the batch stops on a failure), and records how each transaction ended. Its only durable state is the records: after a
// start it continues from them.
import type { ItemProblem } from '../../../machines/batch-item.ts'
import type { Clock, Timer } from '../../time/clock.ts'
import type { Entry } from '../../engine/records/entry.ts'
import type { UnitOfWork } from '../../engine/records/unit-of-work.ts'
import { carriedItemsKey } from '../../engine/index/index-keys.ts'
import { hasEnded, ofKind, type RecordState } from '../../engine/records/record.ts'
import { BackgroundWork, type Subject, type WorkLog } from '../context/background-work.ts'
import type { Platform } from '../context/platform.ts'
import { problemOfEnded } from '../transactions/ended.ts'
import { isSendingSuspended } from '../views/read-models/switches.ts'
import { MAX_PACKED } from './check.ts'
import { makeItems } from './make-items.ts'
import { itemsOf, sendToBatch, sendToItem, runWithoutBroken, type ItemEntry } from './record.ts'
import { abandonBatch, carryOutSweep } from './sweep.ts'

const RETRY_MS = 1_000
/** The wall clock may jump, so the deadline of an approval is checked again at this interval. */
const DEADLINE_CHECK_MS = 1_000
/**
 * Maximum number of transactions of one batch that have neither been confirmed nor ended. A batch that stops on a
 * failure has one: its next items are made when the one before is confirmed without an error.
 */
const MAX_UNDER_WAY = 32

type BatchClock = Pick<Clock, 'now' | 'soon' | 'setTimeout' | 'clearTimeout'>

/** State of a batch in progress. */
interface Run {
  /**
   * Waiting items in order. Those whose making must be retried come last, or keep their places if the batch stops on a
   * failure. null: they must be looked up again.
   */
  queue: ItemEntry[] | null
  /** Items offered to the next transaction. */
  size: number
  readonly underWay: Set<string>
  working: Promise<void> | null
  /** The batch changed during `working`, so it is processed once more. */
  again: boolean
  retry: Timer | null
  /** The next check of the deadline for approval. */
  lapse: Timer | null
}

/** How a transaction of items ended; `problem` null: without an error. */
interface Ended {
  readonly id: string
  readonly at: string
  readonly problem: ItemProblem | null
}

export class BatchDriver {
  readonly #platform: Platform
  readonly #clock: BatchClock
  readonly #log: WorkLog
  readonly #background: BackgroundWork
  readonly #runs = new Map<Entry, Run>()
  #stopped = false

  constructor(platform: Platform, clock: BatchClock, log: WorkLog) {
    this.#platform = platform
    this.#clock = clock
    this.#log = log
    this.#background = new BackgroundWork(platform.engine, clock, log)
    platform.engine.onCommitted((changes) => {
      for (const { entry, next } of changes) {
        if (next.kind === 'batch' && next.value !== 'preparing') this.#continueSoon(entry)
        else if (next.kind === 'transaction') this.#transactionChanged(next as RecordState<'transaction'>)
      }
    })
  }

  /** Continues the batches that were open when the service ended. */
  resume(): void {
    for (const entry of this.#platform.engine.directory.entries('batch')) {
      const batch = ofKind(entry.head, 'batch')
      if (batch === undefined) continue
      // The batch was not acknowledged, so no caller has its id.
      if (batch.value === 'preparing') this.#watched(entry, abandonBatch(this.#platform, entry))
      else if (!isOver(batch)) this.#resumeOne(entry)
    }
  }

  /** Resolves when no batch is being processed. */
  async stop(): Promise<void> {
    this.#stopped = true
    this.#background.stop()
    for (const timer of [...this.#runs.values()].flatMap(({ retry, lapse }) => [retry ?? [], lapse ?? []].flat()))
      this.#clock.clearTimeout(timer)
    await Promise.all([...this.#runs.values()].flatMap(({ working }) => working ?? []))
  }

  #resumeOne(entry: Entry): void {
    const run = this.#run(entry)
    for (const { item } of itemsOf(this.#platform, entry.head.id)) {
      const transaction = item.value === 'underWay' ? this.#transaction(item.context.transactionId) : undefined
      if (transaction === undefined) continue
      if (this.#isUnderWay(transaction, entry)) run.underWay.add(transaction.id)
      if (hasEnded(transaction)) this.#settleSafely(transaction)
    }
    this.#continueSoon(entry)
  }

  #transaction(id: string | null): RecordState<'transaction'> | undefined {
    return id === null ? undefined : ofKind(this.#platform.engine.directory.resident(id)?.committed, 'transaction')
  }

  /** Continues in a later turn, so that the other commit listeners are called first. */
  #continueSoon(entry: Entry): void {
    this.#clock.soon(() => this.#continueSafely(entry))
  }

  #continueSafely(entry: Entry): void {
    this.#background.run(subjectOf(entry), () => this.#continue(entry))
  }

  #run(entry: Entry): Run {
    const known = this.#runs.get(entry)
    if (known !== undefined) return known
    const run: Run = {
      queue: null,
      size: MAX_PACKED,
      underWay: new Set(),
      working: null,
      again: false,
      retry: null,
      lapse: null,
    }
    this.#runs.set(entry, run)
    return run
  }

  #continue(entry: Entry): void {
    const batch = ofKind(entry.head, 'batch')
    if (this.#stopped || batch === undefined) return
    if (isOver(batch)) {
      const run = this.#runs.get(entry)
      if (run?.lapse != null) this.#clock.clearTimeout(run.lapse)
      if (run?.working == null) this.#runs.delete(entry)
      return
    }
    this.#watchApproval(entry)
    const run = this.#run(entry)
    if (run.working !== null) {
      run.again = true
      return
    }
    if (run.retry !== null) return
    run.again = false
    run.working = this.#work(entry, run)
      .catch((error: unknown) => this.#failed(entry, run, error))
      .finally(() => {
        run.working = null
        if (run.again) this.#continueSoon(entry)
      })
  }

  async #work(entry: Entry, run: Run): Promise<void> {
    for (;;) {
      const batch = ofKind(entry.head, 'batch')
      if (this.#stopped || batch === undefined || (batch.value === 'prepared' && batch.context.sweep === null)) return
      if (batch.context.sweep !== null) {
        await carryOutSweep(this.#platform, entry)
        run.queue = null
        continue
      }
      const { counts, stopOnFailure } = batch.context
      const most = stopOnFailure ? 1 : MAX_UNDER_WAY
      if (batch.value !== 'underWay' || counts.waiting === 0 || run.underWay.size >= most) return
      // Transactions made now would expire unsent, and their items would fail.
      if (isSendingSuspended(this.#platform, batch, batch.context.organization)) {
        this.#retryLater(entry, run)
        return
      }
      const mayBeMade = stopOnFailure ? isWaiting : isSoundAndWaiting
      run.queue ??= itemsOf(this.#platform, batch.id).filter(mayBeMade)
      if (run.queue.length === 0) {
        run.queue = null
        return
      }
      const next = run.queue.splice(0, run.size).filter(mayBeMade)
      if (next.length === 0) continue
      if (!(await this.#make(entry, run, batch, next))) return
    }
  }

  /** Resolves to false if the making of some items must be retried, which is then scheduled. */
  async #make(entry: Entry, run: Run, batch: RecordState<'batch'>, next: readonly ItemEntry[]): Promise<boolean> {
    const { transactions, fit, left, later } = await makeItems(this.#platform, entry, batch, next)
    if (fit !== null) run.size = fit
    for (const id of transactions) {
      const transaction = this.#transaction(id)
      if (transaction !== undefined && this.#isUnderWay(transaction, entry)) run.underWay.add(id)
    }
    if (batch.context.stopOnFailure) run.queue?.unshift(...left, ...later)
    // Appends them, so that no other item waits for one that cannot be made yet.
    else run.queue?.push(...left)
    if (left.length === 0) return true
    this.#retryLater(entry, run)
    return false
  }

  #retryLater(entry: Entry, run: Run): void {
    if (this.#stopped) return
    run.retry ??= this.#clock.setTimeout(() => {
      run.retry = null
      this.#continueSafely(entry)
    }, RETRY_MS)
  }

  #failed(entry: Entry, run: Run, error: unknown): void {
    if (this.#stopped) return
    this.#log.error({ err: error, batchId: entry.head.id }, 'processing of a batch failed and will be retried')
    run.queue = null
    this.#retryLater(entry, run)
  }

  #transactionChanged(transaction: RecordState<'transaction'>): void {
    if (!isConfirmedOrEnded(transaction)) return
    const carried = this.#platform.engine.directory.searchOwn(carriedItemsKey(transaction.id))
    const batchId = carried.length === 0 ? undefined : ofKind(carried[0]?.head, 'batchItem')?.context.batchId
    const entry = batchId === undefined ? undefined : this.#platform.engine.directory.resident(batchId)
    if (entry === undefined) return
    if (!this.#isUnderWay(transaction, entry)) this.#runs.get(entry)?.underWay.delete(transaction.id)
    if (hasEnded(transaction)) this.#clock.soon(() => this.#settleSafely(transaction))
    this.#continueSoon(entry)
  }

  /** True if the transaction counts against the maximum. */
  #isUnderWay(transaction: RecordState<'transaction'>, { head }: Entry): boolean {
    if (!isConfirmedOrEnded(transaction)) return true
    if (ofKind(head, 'batch')?.context.stopOnFailure !== true) return false
    // Until its items have failed or wait again, an item after them must not be made.
    const { value, context } = transaction
    const isFailing = value === 'confirmed' ? context.error !== null : problemOfEnded(transaction) !== null
    return isFailing && this.#itemsUnderWay(transaction).length > 0
  }

  #itemsUnderWay({ id }: RecordState<'transaction'>): Entry[] {
    return this.#platform.engine.directory
      .searchOwn(carriedItemsKey(id))
      .filter(({ head }) => head.value === 'underWay' && ofKind(head, 'batchItem')?.context.transactionId === id)
  }

  #settleSafely(transaction: RecordState<'transaction'>): void {
    const failure = 'the items of a transaction could not be ended'
    this.#background.run({ ids: { transactionId: transaction.id }, failure }, () => this.#settle(transaction))
  }

  /** Ends the items of a final transaction. Before finality a fork may still revert the transaction. */
  #settle(transaction: RecordState<'transaction'>): void {
    if (this.#stopped) return
    const items = this.#itemsUnderWay(transaction)
    const batchId = ofKind(items[0]?.head, 'batchItem')?.context.batchId
    const batch = batchId === undefined ? undefined : this.#platform.engine.directory.resident(batchId)
    if (batch === undefined) return
    const at = new Date(this.#clock.now()).toISOString()
    const { id } = transaction
    const problem = problemOfEnded(transaction)
    if (problem !== null && items.length > 1 && isSplit(transaction, batch)) this.#split(batch, items, id, at)
    else this.#end(batch, items, { id, at, problem })
    this.#runs.get(batch)?.underWay.delete(id)
  }

  #end(batch: Entry, items: readonly Entry[], { id, at, problem }: Ended): void {
    this.#sendToSound(items, (unit, sound) => {
      for (const item of sound)
        sendToItem(
          unit,
          item,
          problem === null
            ? { type: 'chain.done', transactionId: id, at }
            : { type: 'chain.failed', transactionId: id, problem, at },
        )
      sendToBatch(unit, batch, { type: problem === null ? 'chain.done' : 'chain.failed', items: sound.length, at })
    })
  }

  /**
   * Sends an event to each item. Throws `RecordFailed` if the actor of an item throws, after the other items have
   * received theirs.
   */
  #sendToSound(items: readonly Entry[], send: (unit: UnitOfWork, sound: readonly Entry[]) => void): void {
    const { result, failure } = runWithoutBroken(
      items,
      ({ head }) => head.id,
      (sound) => (sound.length === 0 ? null : this.#platform.engine.transact((unit) => send(unit, sound))),
    )
    // A failed write has ended the process already.
    result?.durable.catch(() => undefined)
    if (failure !== null) throw failure
  }

  /** One failing item fails the transaction that it shares, so each item then gets a transaction of its own. */
  #split(batch: Entry, items: readonly Entry[], transactionId: string, at: string): void {
    this.#run(batch).queue = null
    this.#sendToSound(items, (unit, sound) => {
      for (const item of sound) sendToItem(unit, item, { type: 'chain.split', transactionId, at })
      sendToBatch(unit, batch, { type: 'chain.split', items: sound.length, at })
    })
  }

  /** Cancels a batch whose approval has lapsed; before that, schedules the next check. */
  #watchApproval(entry: Entry): void {
    const batch = ofKind(entry.head, 'batch')
    if (this.#stopped || batch?.value !== 'prepared' || batch.context.approval === null || batch.context.sweep !== null)
      return
    const run = this.#run(entry)
    const remainingMs = Date.parse(batch.context.approval.expiresAt) - this.#clock.now()
    if (remainingMs > 0) {
      run.lapse ??= this.#clock.setTimeout(
        () => {
          run.lapse = null
          this.#continueSafely(entry)
        },
        Math.min(remainingMs, DEADLINE_CHECK_MS),
      )
      return
    }
    const at = new Date(this.#clock.now()).toISOString()
    const { durable } = this.#platform.engine.transact((unit) =>
      sendToBatch(unit, entry, { type: 'command.cancel', because: 'LAPSED', at }),
    )
    durable.catch(() => undefined)
  }

  #watched(entry: Entry, work: Promise<void>): void {
    const run = this.#run(entry)
    run.working = work
      .catch((error: unknown) =>
        this.#log.error({ err: error, batchId: entry.head.id }, 'a batch could not be abandoned'),
      )
      .finally(() => {
        run.working = null
      })
  }
}

function subjectOf({ head }: Entry): Subject {
  return { ids: { batchId: head.id }, failure: 'a batch cannot continue' }
}

const isWaiting = ({ entry }: ItemEntry): boolean => entry.head.value === 'waiting'

/** The actor of a quarantined item rejects all events until the next start. */
const isSoundAndWaiting = (item: ItemEntry): boolean => isWaiting(item) && !item.entry.quarantined

function isOver({ value, context }: RecordState<'batch'>): boolean {
  return (value === 'done' || value === 'failed' || value === 'cancelled') && context.sweep === null
}

/**
 * True if the chain executed the transaction and reverted it. Items of a batch that is being stopped are not made
 * again.
 */
function isSplit({ value }: RecordState<'transaction'>, { head }: Entry): boolean {
  const batch = ofKind(head, 'batch')
  return value === 'blockchainError' && batch?.context.sweep === null && batch.context.cancelAsked !== true
}

function isConfirmedOrEnded(transaction: RecordState<'transaction'>): boolean {
  return transaction.value === 'confirmed' || hasEnded(transaction)
}
