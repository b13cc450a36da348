// Drives every distribution to its end: computes its parts when nothing before the record instant can change any more,
// starts the batches that pay them, and records how they ended. Its only durable state is the records. Tenants with due
// distributions take turns: the distributions of one tenant, however many, do not delay those of another.
import { MAX_BATCH_ITEMS } from '../../../machines/batch.ts'
import type { DistributionEvent, DistributionProblem } from '../../../machines/distribution.ts'
import type { Clock, Timer } from '../../time/clock.ts'
import { atHand } from '../../../snapshots/at-hand.ts'
import type { Entry } from '../../engine/records/entry.ts'
import { ofKind, type RecordState } from '../../engine/records/record.ts'
import { TenantTurns } from '../../submission/tenant-turns.ts'
import type { UnitOfWork } from '../../engine/records/unit-of-work.ts'
import type { NewBatchInput } from '../../contract/schemas/batch.ts'
import type { ChainTransactionConfig } from '../../contract/values/chain-config.ts'
import type { NewDistributionInput } from '../../contract/schemas/distribution.ts'
import type { Call } from '../../contract/call.ts'
import { createBatch } from '../batches/create-batch.ts'
import { BackgroundWork, type Subject, type WorkLog } from '../context/background-work.ts'
import type { Platform } from '../context/platform.ts'
import { checkCreator } from '../lookup/subjects.ts'
import { DueIndex } from '../context/due-index.ts'
import { runAttempts } from '../transactions/attempt.ts'
import { isRetryable, operationResult, type OperationFailure } from '../context/as-refusal.ts'
import { isSendingSuspended } from '../views/read-models/switches.ts'
import { acceptedCall } from '../transactions/plans/requester.ts'
import type { SharedCall } from '../transactions/shared-call.ts'
import { storedParts, storeParts } from './record.ts'
import { computeParts, itemOf, operationOf, termsOf, type Terms } from './terms.ts'

const INTERVAL_MS = 500
/** Maximum number of distributions continued at the same time, each of a different tenant. */
const MAX_AT_ONCE = 4
const NOTHING: DistributionProblem = {
  code: 'NOTHING_TO_PAY',
  message: 'no holder has a part of at least one unit, or of the minimum',
}

type Distribution = RecordState<'distribution'>

interface DueDistribution {
  readonly tenant: string
  readonly entry: Entry
}

export class DistributionDriver {
  readonly #platform: Platform
  readonly #clock: Pick<Clock, 'now' | 'setTimeout' | 'clearTimeout'>
  readonly #batchItems: number
  readonly #background: BackgroundWork
  /** Distributions that may be continued now. */
  readonly #open = new Set<Entry>()
  /** Distributions whose record instant is in the future. */
  readonly #future = new DueIndex<Entry>()
  readonly #due = new TenantTurns<DueDistribution>()
  /** Distributions that wait for their turn or are being continued. */
  readonly #busy = new Set<Entry>()
  /** Distributions being continued, by tenant. */
  readonly #running = new Map<string, Promise<void>>()
  #timer: Timer | null = null
  #stopped = false

  /** @param batchItems maximum number of items of one batch */
  constructor(
    platform: Platform,
    clock: Pick<Clock, 'now' | 'setTimeout' | 'clearTimeout'>,
    log: WorkLog,
    batchItems = MAX_BATCH_ITEMS,
  ) {
    this.#platform = platform
    this.#clock = clock
    this.#batchItems = batchItems
    this.#background = new BackgroundWork(platform.engine, clock, log)
    platform.engine.onCommitted((changes) => {
      for (const { entry, next } of changes) if (next.kind === 'distribution') this.#watch(entry)
    })
  }

  /** Continues what was open when the service ended. */
  resume(): void {
    for (const entry of this.#platform.engine.directory.entries('distribution')) this.#watch(entry)
  }

  /** Resolves when nothing is being computed or paid. */
  async stop(): Promise<void> {
    this.#stopped = true
    this.#background.stop()
    if (this.#timer !== null) this.#clock.clearTimeout(this.#timer)
    await Promise.all(this.#running.values())
  }

  #watch(entry: Entry): void {
    this.#open.delete(entry)
    this.#future.delete(entry)
    if (!isOver(entry)) {
      if (this.#isDue(entry)) {
        this.#open.add(entry)
        this.#enter(entry)
      } else this.#future.insert(entry, recordMsOf(entry) + 1)
    }
    this.#plan()
  }

  #plan(): void {
    if (this.#stopped || this.#timer !== null || this.#open.size + this.#future.size === 0) return
    this.#timer = this.#clock.setTimeout(() => {
      this.#timer = null
      const now = this.#clock.now()
      for (let entry = this.#future.take(now); entry !== undefined; entry = this.#future.take(now))
        this.#open.add(entry)
      for (const entry of this.#open) this.#enter(entry)
      this.#startDue()
      this.#plan()
    }, INTERVAL_MS)
  }

  #enter(entry: Entry): void {
    if (this.#busy.has(entry) || !this.#isDue(entry)) return
    this.#busy.add(entry)
    this.#due.enter({ tenant: entry.head.tenant, entry })
  }

  #isDue(entry: Entry): boolean {
    return entry.head.value !== 'waiting' || this.#clock.now() > recordMsOf(entry)
  }

  #startDue(): void {
    while (!this.#stopped && this.#running.size < MAX_AT_ONCE) {
      const next = this.#due.take((tenant) => !this.#running.has(tenant))
      if (next === undefined) return
      this.#start(next)
    }
  }

  #start({ tenant, entry }: DueDistribution): void {
    const run = this.#continueSafely(entry).then(() => {
      this.#busy.delete(entry)
      this.#running.delete(tenant)
      this.#startDue()
    })
    this.#running.set(tenant, run)
  }

  /** Never rejects. */
  async #continueSafely(entry: Entry): Promise<void> {
    const state = ofKind(entry.head, 'distribution')
    if (state === undefined || isOver(entry)) return
    try {
      await this.#continue(entry, state)
      this.#background.passed(subjectOf(entry))
    } catch (error) {
      this.#open.delete(entry)
      this.#background.later(subjectOf(entry), error, () => this.#watch(entry))
    }
  }

  /** Rejects if the distribution can neither be continued nor be ended. */
  async #continue(entry: Entry, state: Distribution): Promise<void> {
    const continued = await operationResult(
      state.value === 'waiting' ? this.#compute(entry, state) : this.#pay(entry, state),
    )
    if (!continued.ok) await this.#failed(entry, continued)
  }

  async #compute(entry: Entry, state: Distribution): Promise<void> {
    const recordMs = Date.parse(state.context.recordAt)
    if (this.#clock.now() <= recordMs || !(await this.#isFinal(state, recordMs))) return
    const call = this.#call(state)
    const terms = await this.#terms(state)
    const computed = await computeParts({ platform: this.#platform, call }, terms, recordMs)
    const { holders, parts, total, remainder } = computed
    const at = this.#now()
    const summary = { holders, paid: parts.length, total: `${total}`, remainder: `${remainder}`, computedAt: at }
    await this.#send(entry, { type: 'command.compute', parts: summary }, (unit) => {
      if (parts.length > 0) storeParts(unit, state, parts)
      // In the same unit of work: the record shows what was computed, and was never being paid.
      else sendOrDiscard(unit, entry, { type: 'command.fail', problem: NOTHING, at })
    })
  }

  /** Movements at the record instant count, so the state must be final up to the next millisecond. */
  async #isFinal({ cluster, context }: Distribution, recordMs: number): Promise<boolean> {
    const { movements } = this.#platform.engine
    if (movements.finalUntilMs(cluster) > recordMs) return true
    const finalized = await this.#platform.clusters.get(cluster)?.finalizedAccounts([context.instrument.address])
    if (finalized !== undefined) movements.learnFinal(cluster, finalized.slot)
    return movements.finalUntilMs(cluster) > recordMs
  }

  async #pay(entry: Entry, state: Distribution): Promise<void> {
    const { context } = state
    const place = context.batches.length
    // Reads the stored parts only when a batch must be made.
    if (place * this.#batchItems < (context.parts?.paid ?? 0)) {
      // As the batch would: nothing is promised while an operator may find that it was paid already.
      if (isSendingSuspended(this.#platform, state, context.organization)) return
      if (!this.#accepts(entry, { type: 'command.pay', batchId: '', place })) return
      const parts = await atHand(this.#platform.engine, () => storedParts(this.#platform, state))
      const next = parts.slice(place * this.#batchItems, (place + 1) * this.#batchItems)
      const terms = await this.#terms(state)
      const call: SharedCall = {
        ...this.#call(state),
        // The same unit of work starts the batch and records it in the distribution.
        within: (unit, { members }) => {
          const { offchainId } = members['newBatch'] as { readonly offchainId: string }
          sendOrDiscard(unit, entry, { type: 'command.pay', batchId: offchainId, place })
        },
      }
      // The operation and its items are of the same kind of payout.
      const itemData = {
        operation: operationOf(terms),
        items: next.map((part) => itemOf(terms, part)),
      } as unknown as NewBatchInput
      const config = (context.config ?? undefined) as ChainTransactionConfig | undefined
      await createBatch(
        { platform: this.#platform, call },
        {
          itemData,
          ...(config === undefined ? {} : { chainTransactionConfig: config }),
        },
      )
      return
    }
    const outcome = await atHand(this.#platform.engine, () => this.#outcomeOf(context.batches))
    if (outcome !== null) await this.#send(entry, { type: 'command.finish', outcome, at: this.#now() })
  }

  /**
   * True if the distribution accepts the event, which is rolled back: only the last of the units of work that write a
   * batch sends it. Throws `RecordFailed`.
   */
  #accepts(entry: Entry, event: DistributionEvent): boolean {
    const { result } = this.#platform.engine.transact((unit) => {
      const rejection = unit.trySend<'distribution'>(entry, event)
      unit.discard()
      return rejection
    })
    return result === null
  }

  /** null: a batch has not ended. */
  #outcomeOf(batches: readonly string[]): 'done' | 'failed' | 'cancelled' | null {
    const ended = batches.map((id) => ofKind(this.#platform.engine.directory.byId(id)?.committed, 'batch'))
    if (ended.some((batch) => batch === undefined || batch.context.endedAt === null || batch.context.sweep !== null))
      return null
    const values = ended.map((batch) => batch!.value)
    return values.includes('failed') ? 'failed' : values.includes('cancelled') ? 'cancelled' : 'done'
  }

  /** The request as it was accepted. Throws 403 `CREATOR_DISABLED`, `CREATOR_EXPIRED`. */
  #call(state: Distribution): Call {
    checkCreator(this.#platform, state.context.requester, 'distribution')
    return acceptedCall(state)
  }

  async #terms(state: Distribution): Promise<Terms> {
    const call = this.#call(state)
    return await runAttempts(this.#platform, call, () =>
      Promise.resolve(termsOf({ platform: this.#platform, call }, inputOf(state))),
    )
  }

  async #failed(entry: Entry, failure: OperationFailure): Promise<void> {
    const { refusal, error } = failure
    if (this.#stopped || isRetryable(failure)) return
    if (refusal === null) throw error
    const [first] = refusal.problems
    const message = refusal.problems
      .slice(0, 10)
      .map((each) => each.message)
      .join('; ')
    await this.#send(entry, {
      type: 'command.fail',
      problem: { code: first?.code ?? 'REFUSED', message },
      at: this.#now(),
    })
  }

  async #send(
    entry: Entry,
    event: DistributionEvent,
    besides: (unit: UnitOfWork) => void = () => undefined,
  ): Promise<void> {
    const { durable } = this.#platform.engine.transact((unit) => {
      if (sendOrDiscard(unit, entry, event)) besides(unit)
    })
    await durable
  }

  #now(): string {
    return new Date(this.#clock.now()).toISOString()
  }
}

/**
 * Returns false if the distribution has changed meanwhile: the unit of work is discarded, and the distribution is
 * continued again.
 */
function sendOrDiscard(unit: UnitOfWork, entry: Entry, event: DistributionEvent): boolean {
  const isAccepted = unit.trySend<'distribution'>(entry, event) === null
  if (!isAccepted) unit.discard()
  return isAccepted
}

function subjectOf({ head }: Entry): Subject {
  return { ids: { distributionId: head.id }, failure: 'a distribution cannot continue' }
}

function recordMsOf({ head }: Entry): number {
  return Date.parse(ofKind(head, 'distribution')?.context.recordAt ?? '')
}

function isOver({ head }: Entry): boolean {
  return head.value !== 'waiting' && head.value !== 'paying'
}

function inputOf({
  context: { instrument, recordAt, source, payout, excluded, minimum },
}: Distribution): NewDistributionInput {
  return {
    financialInstrument: { onchainId: instrument.address },
    recordAt,
    source: source as NewDistributionInput['source'],
    payout: {
      ...(payout.instrument === null ? {} : { financialInstrument: { onchainId: payout.instrument.address } }),
      ...(payout.total === null ? {} : { total: payout.total }),
      ...(payout.perUnit === null ? {} : { perUnit: payout.perUnit }),
    },
    excluded: excluded.map((onchainId) => ({ onchainId, offPlatform: true })),
    ...(minimum === null ? {} : { minimum }),
  }
}
