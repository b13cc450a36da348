// Hosts the record actors. Every decided change goes through `transact`: all records of a unit of work change, in
// memory and on disk, or none does. Reads see committed records only. A failed write is fatal (`onFatal`), so memory
// never stays ahead of disk.
import type { Envelope, Store, StoreOp } from '../../snapshots/store.ts'
import type { RowSource } from '../../snapshots/at-hand.ts'
import type { ColdKey } from '../../snapshots/not-at-hand.ts'
import { systemClock } from '../time/clock.ts'
import { Pacer } from '../time/pacer.ts'
import { type Commits, opsOfTenant } from './commits.ts'
import type { EngineOptions } from './engine-options.ts'
import { buildEngineParts, type EngineParts } from './engine-parts.ts'
import type { Journal } from './events/journal.ts'
import { glancesOf } from './eviction/glances.ts'
import type { Directory } from './index/directory.ts'
import { PlainRows } from './index/plain-rows.ts'
import type { DebitWindows } from './limits/debit-windows.ts'
import { enterLoaded, loadRecords } from './load-records.ts'
import type { Movements } from './movements/history.ts'
import { joinMovements } from './movements/merged.ts'
import type { Outbox } from './outbox/outbox.ts'
import type { ReadModel } from './query/read-model.ts'
import type { Change } from './records/change.ts'
import type { TransactionPayload } from './records/codec.ts'
import type { Entry } from './records/entry.ts'
import { isHolding, type RecordState } from './records/record.ts'
import type { Supervisors } from './records/supervisor.ts'
import { OwnedByOtherCell, UnitOfWork, type Place, type RecordHost } from './records/unit-of-work.ts'
import { unitOfMessage } from './settlement/take-message.ts'
import { Waiters } from './waiters.ts'

export class Engine implements RecordHost, RowSource {
  readonly store: Store
  readonly cell: string | undefined
  readonly directory: Directory
  /** Past debits, for debit limits. Follows the heads of records, like `directory`. */
  readonly debits: DebitWindows
  readonly waiters: Waiters
  /** Committed records only; serves bulk queries. */
  readonly readModel: ReadModel
  readonly journal: Journal
  /** Balances as of an instant, and the movements between two. */
  readonly movements: Movements
  /** Outbox and inbox of messages between tenants. */
  readonly outbox: Outbox
  /** Records whose balances are known to be wrong. Reconciliation removes them. */
  readonly outOfBalance = new Set<Entry>()
  readonly #clock: NonNullable<EngineOptions['clock']>
  readonly #parts: EngineParts
  readonly #commits: Commits
  readonly #supervisors: Supervisors
  readonly #tenants: string[] = []
  readonly #owns: (tenant: string) => boolean
  readonly #listeners: ((changes: readonly Change[]) => void)[] = []
  readonly #followers: ((changes: readonly Change[]) => void)[] = []

  private constructor(options: EngineOptions) {
    this.store = options.store
    this.cell = options.cell
    this.#clock = options.clock ?? systemClock
    const { remoteDelivery: elsewhere, onUndelivered = () => undefined } = options
    this.#owns = elsewhere === undefined ? () => true : (tenant) => elsewhere.owns(tenant)
    this.waiters = new Waiters(this.#clock)
    const parts = buildEngineParts(this, this.#clock, options, {
      take: (message) => this.#commits.commit(unitOfMessage(this, message, (error) => onUndelivered(message, error))),
      announce: (changes) => this.#announce(changes),
      onUndelivered,
    })
    this.directory = parts.directory
    this.debits = parts.debits
    this.journal = parts.journal
    this.movements = parts.movements
    this.outbox = parts.outbox
    this.readModel = parts.readModel
    this.#parts = parts
    this.#commits = parts.commits
    this.#supervisors = parts.supervisors
  }

  /** Loads the records of all tenants. The caller must process open transactions before anything is sent or settled. */
  static async open(options: EngineOptions): Promise<Engine> {
    const tenants = await options.store.tenants()
    if (options.remoteDelivery === undefined) await joinMovements(options.store, tenants)
    const engine = new Engine(options)
    const plain = new PlainRows()
    const others: RecordState[] = []
    for (const tenant of tenants) {
      await engine.journal.resume(engine.store, tenant)
      await engine.outbox.resume(tenant)
      for (const state of await loadRecords(engine, tenant, plain)) others.push(state)
      engine.#tenants.push(tenant)
    }
    await engine.pacer().through(engine.directory.fill(plain))
    for (const state of others) enterLoaded(engine, state)
    await engine.#commits.nameRecords(engine.directory.entries())
    engine.movements.log.begin(engine.directory.entries())
    engine.#parts.eviction?.begin()
    return engine
  }

  /** Makes rows available to synchronous reads: see `at-hand.ts`. */
  async fetch(keys: readonly ColdKey[], keptMs?: number): Promise<void> {
    await this.#parts.coldStore.fetch(keys, keptMs)
  }

  elapsed(): number {
    return this.#clock.elapsed()
  }

  /** Fixed part and signed bytes of a transaction: the write in progress if there is one, else the stored row. */
  payload(place: Place): TransactionPayload {
    return this.#commits.payload(place)
  }

  /** The members of committed transactions that lists show, by id. Absent: no record. */
  async glances(ids: readonly string[]): ReturnType<typeof glancesOf> {
    return await glancesOf(ids, this.directory, this.#parts.coldStore)
  }

  /** For long work that must yield the event loop periodically. */
  pacer(): Pacer {
    return new Pacer(this.#clock)
  }

  transactionOfMessage(cluster: string, hash: string): string | undefined {
    return this.store.transactionOfMessage(cluster, hash)
  }

  owns(tenant: string): boolean {
    return this.#owns(tenant)
  }

  /** The tenants whose records were loaded. */
  get tenants(): readonly string[] {
    return this.#tenants
  }

  use(entry: Entry): void {
    this.#supervisors.of(entry.head.tenant).use(entry)
  }

  failed(entry: Entry, error: unknown): void {
    this.#supervisors.of(entry.head.tenant).failed(entry, error)
  }

  /** Marks a record whose balances must be reconciled with the chain. A loan has none, and no account to read. */
  noticed(entry: Entry): void {
    if (isHolding(entry.head)) this.outOfBalance.add(entry)
  }

  moved(entry: Entry, previous: RecordState | undefined, next: RecordState | undefined): void {
    if (entry.place !== 'store') this.directory.moved(entry, previous, next)
    this.debits.moved(previous, next)
    this.movements.log.moved(previous, next)
  }

  /**
   * Runs `work` synchronously and hands all its changes to the store as one batch. If `work` throws or discards its
   * unit, nothing has changed. `durable` resolves when the change is on disk and visible to reads, and its tenant
   * messages have been processed.
   */
  transact<T>(work: (unit: UnitOfWork) => T): { readonly result: T; readonly durable: Promise<void> } {
    const unit = new UnitOfWork(this)
    let result: T
    try {
      result = work(unit)
      // Checked before the rows are handed to the store, because a unit without changed records was not checked yet.
      if (!unit.isDiscarded && unit.writer !== undefined && !this.owns(unit.writer))
        throw new OwnedByOtherCell(unit.writer, unit.writer)
    } catch (error) {
      unit.rollBack()
      throw error
    }
    if (unit.isDiscarded) {
      unit.rollBack()
      return { result, durable: Promise.resolve() }
    }
    return { result, durable: this.#commits.commit(unit) }
  }

  /**
   * Records observations that the chain can repeat (sent, processed): visible to reads at once, written with the
   * record's next commit or by `flush`.
   */
  observe<T>(work: (unit: UnitOfWork) => T): T {
    const unit = new UnitOfWork(this)
    let result: T
    try {
      result = work(unit)
    } catch (error) {
      unit.rollBack()
      throw error
    }
    this.#commits.observed(unit)
    return result
  }

  /** Writes observations that no commit has written yet. */
  async flush(): Promise<void> {
    await this.#commits.flush()
  }

  /** Ends eviction and flushes observations. The store stays open. */
  async stop(): Promise<void> {
    await this.#parts.eviction?.stop()
    await this.flush()
  }

  /** Signs the head of every audit log that has grown. */
  async sealAudit(): Promise<void> {
    const parts = new Map<string, StoreOp[]>()
    this.journal.seal((tenant, op) => opsOfTenant(parts, tenant).push(op))
    if (parts.size > 0) await this.#commits.write(parts)
  }

  /** The listener receives every committed change, in commit order. */
  onCommitted(listener: (changes: readonly Change[]) => void): void {
    this.#listeners.push(listener)
  }

  /** Applies committed rows of a tenant of another cell. Ignores records that decisions of this cell do not need. */
  follow(envelopes: readonly Envelope[]): void {
    const { changes, gone } = this.#parts.followed.take(envelopes)
    for (const state of gone) this.readModel.leave(state)
    this.readModel.take(changes)
    for (const follower of this.#followers) follower(changes)
  }

  /** The listener receives every change of a followed record. */
  onFollowed(listener: (changes: readonly Change[]) => void): void {
    this.#followers.push(listener)
  }

  get awake(): number {
    return this.#supervisors.awake
  }

  /** Number of records that accept no event because their actors threw repeatedly. */
  get quarantined(): number {
    return this.#supervisors.quarantined
  }

  #announce(changes: readonly Change[]): void {
    if (changes.length === 0) return
    this.readModel.take(changes.filter(({ entry }) => entry.place !== 'store'))
    this.#parts.eviction?.take(changes)
    for (const { next } of changes) if (next.kind === 'transaction' || next.kind === 'plan') this.waiters.changed(next)
    for (const listener of this.#listeners) listener(changes)
  }
}
