// Attempts the occurrences that are due, earliest first, with a maximum in total and for each tenant; tenants with due
// occurrences take turns. All durable state is in the records, so a restart continues from them.
import type { Clock } from '../../time/clock.ts'
import { carriedItemsKey } from '../../engine/index/index-keys.ts'
import type { Entry } from '../../engine/records/entry.ts'
import { hasEnded, ofKind, type RecordState } from '../../engine/records/record.ts'
import { TenantTurns } from '../../submission/tenant-turns.ts'
import { BackgroundWork, type WorkLog } from '../context/background-work.ts'
import type { Platform } from '../context/platform.ts'
import { problemOfEnded } from '../transactions/ended.ts'
import { DueIndex } from '../context/due-index.ts'
import { recordOccurrence } from './record-occurrence.ts'
import { sendToSchedule } from './record.ts'

const RETRY_MS = 1_000
const MAX_AT_ONCE = 32
const MAX_OF_TENANT = 8

interface DueSchedule {
  readonly tenant: string
  readonly entry: Entry
}

type ScheduleClock = Pick<Clock, 'now' | 'soon' | 'setTimeout' | 'clearTimeout'> & { isOff?(): boolean }

export class ScheduleDriver {
  readonly #platform: Platform
  readonly #clock: ScheduleClock
  readonly #log: WorkLog
  readonly #background: BackgroundWork
  readonly #index = new DueIndex<Entry>()
  readonly #due = new TenantTurns<DueSchedule>()
  /** Schedules that are queued or being attempted. */
  readonly #busy = new Set<Entry>()
  readonly #attempts = new Set<Promise<void>>()
  /** Number of attempts under way, by tenant. */
  readonly #underWay = new Map<string, number>()
  #stopped = false

  constructor(platform: Platform, clock: ScheduleClock, log: WorkLog) {
    this.#platform = platform
    this.#clock = clock
    this.#log = log
    this.#background = new BackgroundWork(platform.engine, clock, log)
    platform.engine.onCommitted((changes) => {
      for (const { entry, previous, next } of changes) {
        if (next.kind === 'schedule') {
          const before = ofKind(previous, 'schedule')
          if (before?.value !== next.value || before.context.next !== ofKind(next, 'schedule')?.context.next)
            this.#plan(entry)
        } else if (hasEnded(next)) this.#transactionEnded(next)
      }
    })
  }

  /** Continues the schedules and occurrences that were open when the service ended. */
  resume(): void {
    const { directory } = this.#platform.engine
    for (const entry of directory.entries('schedule', 'occurrence')) {
      this.#plan(entry)
      const occurrence = entry.head.value === 'underWay' ? ofKind(entry.head, 'occurrence') : undefined
      const transaction =
        occurrence === undefined
          ? undefined
          : ofKind(directory.resident(occurrence.context.transactionId ?? '')?.committed, 'transaction')
      if (transaction !== undefined && hasEnded(transaction)) this.#transactionEnded(transaction)
    }
  }

  /** Starts the occurrences that are due, unless the clock may be wrong. */
  sweep(): void {
    if (this.#stopped || this.#clock.isOff?.() === true) return
    const now = this.#clock.now()
    for (let entry = this.#index.take(now); entry !== undefined; entry = this.#index.take(now)) {
      if (this.#busy.has(entry)) continue
      this.#busy.add(entry)
      this.#due.enter({ tenant: entry.head.tenant, entry })
    }
    this.#pump()
  }

  /** Resolves when no attempt is under way. */
  async stop(): Promise<void> {
    this.#stopped = true
    this.#background.stop()
    await Promise.all(this.#attempts)
  }

  /** An entry that is busy is planned again when its attempt ends. */
  #plan(entry: Entry): void {
    const schedule = ofKind(entry.head, 'schedule')
    const next = schedule?.context.next ?? null
    if (this.#busy.has(entry)) return
    if (schedule?.value === 'active' && next !== null) this.#index.insert(entry, Date.parse(next.at))
    else this.#index.delete(entry)
  }

  #pump(): void {
    while (!this.#stopped && this.#attempts.size < MAX_AT_ONCE) {
      const next = this.#due.take((tenant) => this.#underWayOf(tenant) < MAX_OF_TENANT)
      if (next === undefined) return
      this.#attempt(next)
    }
  }

  #underWayOf(tenant: string): number {
    return this.#underWay.get(tenant) ?? 0
  }

  #attempt({ tenant, entry }: DueSchedule): void {
    this.#underWay.set(tenant, this.#underWayOf(tenant) + 1)
    const attempt = recordOccurrence(this.#platform, entry)
      .catch((error: unknown) => {
        this.#log.error({ err: error, scheduleId: entry.head.id }, 'an occurrence of a schedule could not be recorded')
        return false
      })
      .then((isDecided) => {
        this.#attempts.delete(attempt)
        this.#busy.delete(entry)
        const remaining = this.#underWayOf(tenant) - 1
        if (remaining === 0) this.#underWay.delete(tenant)
        else this.#underWay.set(tenant, remaining)
        if (isDecided) this.#plan(entry)
        else this.#index.insert(entry, this.#clock.now() + RETRY_MS)
        this.#pump()
      })
    this.#attempts.add(attempt)
  }

  /** Runs in a later turn, so that the other commit listeners are called first. */
  #transactionEnded(transaction: RecordState<'transaction'>): void {
    const isCarried = this.#platform.engine.directory
      .searchOwn(carriedItemsKey(transaction.id))
      .some(({ head }) => head.kind === 'occurrence')
    if (isCarried) this.#clock.soon(() => this.#settleSafely(transaction))
  }

  #settleSafely(transaction: RecordState<'transaction'>): void {
    const failure = 'the end of an occurrence could not be recorded'
    this.#background.run({ ids: { transactionId: transaction.id }, failure }, () => this.#settle(transaction))
  }

  /** Only a final transaction counts, because a fork may still revert one of an earlier commitment. */
  #settle(transaction: RecordState<'transaction'>): void {
    const { engine } = this.#platform
    const { id: transactionId } = transaction
    const entry = engine.directory
      .find(carriedItemsKey(transactionId))
      .find(({ head }) => head.kind === 'occurrence' && head.value === 'underWay')
    const scheduleId = ofKind(entry?.head, 'occurrence')?.context.scheduleId
    const schedule = scheduleId === undefined ? undefined : engine.directory.byId(scheduleId)
    if (this.#stopped || entry === undefined || schedule === undefined) return
    const at = new Date(this.#clock.now()).toISOString()
    const problem = problemOfEnded(transaction)
    const { durable } = engine.transact((unit) => {
      unit.send<'occurrence'>(
        entry,
        problem === null
          ? { type: 'chain.done', transactionId, at }
          : { type: 'chain.failed', transactionId, problem, at },
      )
      sendToSchedule(unit, schedule, problem === null ? { type: 'chain.done' } : { type: 'chain.failed', problem })
    })
    // A failed write has ended the process already.
    durable.catch(() => undefined)
  }
}
