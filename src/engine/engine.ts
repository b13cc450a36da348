// Hosts the record actors. Every decided change goes through `transact`: all records of a unit of work change, in
// memory and on disk, or none does. Reads see committed records only. A failed write is fatal (`onFatal`), so memory
// never stays ahead of disk.
import { systemClock, type Clock } from '../time/clock.ts'
import { Pacer } from '../time/pacer.ts'
import type { TransactionPayload } from './records/codec.ts'
import { DebitWindows } from './limits/debit-windows.ts'
import { Directory } from './index/directory.ts'
import { Entry } from './records/entry.ts'
import { FollowedRecords } from './index/followed-records.ts'
import { Listings } from './index/listing.ts'
import { Journal } from './events/journal.ts'
import { joinMovements } from './movements/merged.ts'
import { Movements } from './movements/history.ts'
import { OtherRecords } from './index/other-records.ts'
import { Archive } from './eviction/cold-store.ts'
import { Evictions } from './eviction/evictions.ts'
import type { ColdKey } from '../../snapshots/not-at-hand.ts'
import type { Envelope, Store, StoreOp } from '../../snapshots/store.ts'
import type { RowSource } from '../../snapshots/at-hand.ts'
import type { Kind } from '../../machines/kinds.ts'
import { opsOfTenant } from './records/parts.ts'
import type { NumberedMessage } from './outbox/message.ts'
import { Outbox } from './outbox/outbox.ts'
import { takeMessage } from './settlement/take-message.ts'
import { loadRecords } from './load-records.ts'
import { PlainRows } from './index/plain-rows.ts'
import { ReadModel } from './query/read-model.ts'
import { glanceOf, type TransactionGlance } from './records/glance.ts'
import { ofKind, type RecordState } from './records/record.ts'
import { Supervisors } from './records/supervisor.ts'
import { CommandRejected, OwnedElsewhere, UnitOfWork, type RecordHost, type Rejection } from './records/unit-of-work.ts'
import { Waiters } from './waiters.ts'
import { Commits } from './commits.ts'
import type { EngineOptions } from './engine-options.ts'
import type { Change } from './records/change.ts'
import type { Place } from './records/unit-of-work.ts'

export class Engine implements RecordHost, RowSource {
  readonly store: Store
  readonly cell: string | undefined
  readonly directory: Directory
  /** Facts about accounts that decisions of other tenants may use. */
  readonly listings: Listings
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
  readonly #clock: Pick<Clock, 'elapsed' | 'soon'>
  readonly #commits: Commits
  readonly #archive: Archive
  readonly #eviction: Evictions | undefined
  readonly #supervisors: Supervisors
  readonly #followed: FollowedRecords
  readonly #tenants: string[] = []
  readonly #owns: (tenant: string) => boolean
  readonly #onUndelivered: (message: NumberedMessage, error: unknown) => void
  readonly #listeners: ((changes: readonly Change[]) => void)[] = []
  readonly #followers: ((changes: readonly Change[]) => void)[] = []

  private constructor(options: EngineOptions) {
    this.store = options.store
    this.cell = options.cell
    const clock = options.clock ?? systemClock
    this.#clock = clock
    const { elsewhere } = options
    this.#owns = elsewhere === undefined ? () => true : (tenant) => elsewhere.owns(tenant)
    this.waiters = new Waiters(clock)
    this.journal = new Journal(clock)
    const { eviction } = options
    this.#archive = new Archive(
      this.store,
      { payload: (place) => this.#commits.payload(place), rows: (places) => this.#commits.payloadRows(places) },
      eviction,
    )
    const { names } = this.store
    this.directory = new Directory(this.#archive, names === undefined ? undefined : new OtherRecords(names))
    this.movements = new Movements(this, clock, (id) => this.directory.resident(id))
    this.listings = new Listings(this.directory)
    this.debits = new DebitWindows(
      eviction === undefined ? undefined : (list, fromMs) => this.#archive.listed(list, fromMs),
    )
    this.#followed = new FollowedRecords(this.directory)
    const committed = { entries: (kinds: readonly Kind[]) => this.directory.known(...kinds) }
    this.readModel = new ReadModel(committed, clock, options.tuning, this.#archive)
    const leaving = { letGo: this.#letGo.bind(this) }
    this.#eviction = eviction === undefined ? undefined : new Evictions(this, this.#archive, leaving, eviction)
    this.#supervisors = new Supervisors({
      capacity: options.awakePerTenant,
      clock,
      onActorFailed: options.onActorFailed,
    })
    this.#onUndelivered = options.onUndelivered ?? (() => undefined)
    this.outbox = new Outbox({
      store: this.store,
      take: (message) => this.#take(message),
      rows: this,
      write: (tenant, ops) => this.#commits.write(new Map([[tenant, ops]])),
      elsewhere: options.elsewhere,
      list: (events) => this.listings.take(events),
      failed: this.#onUndelivered,
    })
    this.#commits = new Commits({
      store: this.store,
      journal: this.journal,
      movements: this.movements,
      outbox: this.outbox,
      archive: this.#archive,
      hasNeighbours: options.elsewhere?.listings !== undefined,
      release: (entry) => this.#supervisors.of(entry.head.tenant).release(entry),
      announce: (changes) => this.#announce(changes),
      flushed: (changes) => this.#eviction?.take(changes),
      onFatal: options.onFatal ?? (() => undefined),
    })
  }

  /** Loads the records of all tenants. The caller must process open transactions before anything is sent or settled. */
  static async open(options: EngineOptions): Promise<Engine> {
    const tenants = await options.store.tenants()
    if (options.elsewhere === undefined) await joinMovements(options.store, tenants)
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
    for (const state of others) engine.moved(new Entry(state, state, undefined), undefined, state)
    await engine.#commits.nameRecords(engine.directory.entries())
    for await (const events of options.elsewhere?.listings?.() ?? []) engine.listings.take(events)
    engine.movements.log.begin(engine.directory.entries())
    engine.#eviction?.begin()
    return engine
  }

  /** Makes rows available to synchronous reads: see `at-hand.ts`. */
  async fetch(keys: readonly ColdKey[], keptMs?: number): Promise<void> {
    await this.#archive.fetch(keys, keptMs)
  }

  elapsed(): number {
    return this.#clock.elapsed()
  }

  /** Fixed part and signed bytes of a transaction: the write in progress if there is one, else the stored row. */
  payload(place: Place): TransactionPayload {
    return this.#commits.payload(place)
  }

  /** Glances of committed transactions, by id; cold ones are read together. Absent: there is no such transaction. */
  async glances(ids: readonly string[]): Promise<ReadonlyMap<string, TransactionGlance>> {
    const glances = new Map<string, TransactionGlance>()
    const cold: string[] = []
    for (const id of new Set(ids)) {
      const entry = this.directory.resident(id)
      if (entry === undefined) cold.push(id)
      const state = ofKind(entry?.committed, 'transaction')
      if (state !== undefined) glances.set(id, glanceOf(state))
    }
    for (const glance of await this.#archive.glances(cold)) glances.set(glance.id, glance)
    return glances
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

  /** Marks a record whose balances must be reconciled with the chain. */
  noticed(entry: Entry): void {
    this.outOfBalance.add(entry)
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
        throw new OwnedElsewhere(unit.writer, unit.writer)
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
    await this.#eviction?.stop()
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
    const { changes, gone } = this.#followed.take(envelopes)
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

  /** Applies a message in a unit of work of its recipient, together with the inbox cursor. */
  #take(message: NumberedMessage): Promise<void> {
    const { to, sender, sequence } = message
    let unit = new UnitOfWork(this, to)
    let refused: Rejection | null
    try {
      refused = takeMessage(this, unit, message)
    } catch (error) {
      unit.rollBack()
      throw error
    }
    if (refused !== null) {
      // A record rejects the content. Its state will not change back, so a retry cannot succeed.
      unit.rollBack()
      this.#onUndelivered(message, new CommandRejected(refused.rejection, refused.record))
      unit = new UnitOfWork(this, to)
    }
    unit.also(to, { type: 'inbox', tenant: to, sender, sequence })
    return this.#commits.commit(unit)
  }

  /** Moves records to the cold store. Reads use memory until the write is durable. */
  async #letGo(entries: readonly Entry[], rows: ReadonlyMap<string, readonly StoreOp[]>): Promise<void> {
    for (const entry of entries) {
      entry.place = 'leaving'
    }
    this.#archive.leave(entries)
    await this.#commits.write(rows)
    for (const entry of entries) {
      this.directory.moved(entry, entry.head, undefined)
      this.debits.left(entry.head)
      if (entry.committed !== undefined) this.readModel.leave(entry.committed)
      entry.place = 'store'
      entry.sleep()
      this.#archive.left(entry)
    }
  }

  #announce(changes: readonly Change[]): void {
    if (changes.length === 0) return
    this.readModel.take(changes.filter(({ entry }) => entry.place !== 'store'))
    this.#eviction?.take(changes)
    for (const { next } of changes) if (next.kind === 'transaction' || next.kind === 'plan') this.waiters.changed(next)
    for (const listener of this.#listeners) listener(changes)
  }
}
