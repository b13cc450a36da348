// Hosts the record actors. Every decided change goes through `transact`: all records of a unit of work change, in
// memory and on disk, or none does. Reads see committed records only. A failed write is fatal (`onFatal`), so memory
// never stays ahead of disk.
import { systemClock, type Clock } from '../time/clock.ts'
import { traced } from '../telemetry/traces.ts'
import { fromEnvelope, recordOp, type TransactionPayload } from './records/codec.ts'
import { compacted } from './records/compact.ts'
import { DebitWindows } from './limits/debit-windows.ts'
import { Directory } from './index/directory.ts'
import { Entry } from './records/entry.ts'
import { Listings } from './index/listing.ts'
import { Journal, NO_NOTES, type Written } from './events/journal.ts'
import { Movements } from './movements/history.ts'
import { Archive } from './eviction/cold-store.ts'
import { Retirement, type RetirementOptions } from './eviction/eviction.ts'
import { MissingRow } from '../../snapshots/errors.ts'
import type { Store, StoreOp } from '../../snapshots/store.ts'
import { append, EPOCH, toBatches } from './records/parts.ts'
import { lettersOf, listedTo } from './outbox/messages-of.ts'
import type { Posted } from './outbox/message.ts'
import { Post, type Elsewhere } from './outbox/outbox.ts'
import { takeLetter } from './settlement/take-message.ts'
import { ReadModel } from './query/read-model.ts'
import type { Tuning } from './query/tuning.ts'
import { hasEnded, type RecordState } from './records/record.ts'
import { Supervisors, type ActorFailed } from './records/supervisor.ts'
import { CommandRejected, UnitOfWork, type RecordHost } from './records/unit-of-work.ts'
import { Waiters } from './waiters.ts'

export interface EngineOptions {
  readonly store: Store
  /** For waiting requests, for queries that yield to other work, and for timestamps. Default: the system clock. */
  readonly clock?: Pick<Clock, 'now' | 'setTimeout' | 'clearTimeout' | 'elapsed' | 'soon'>
  /** Evicts ended transactions from memory. Default: all records stay in memory. */
  readonly retirement?: RetirementOptions
  /** Maximum number of active actors per tenant; further ones passivate. */
  readonly awakePerTenant?: number
  /** The actor of a record threw. */
  readonly onActorFailed?: ActorFailed
  /** Settings of bulk queries. */
  readonly tuning?: Tuning
  /** Reaches the tenants that other processes own. Default: this process owns all tenants. */
  readonly elsewhere?: Elsewhere
  /** A tenant message cannot be delivered, or a record of its recipient rejects the content. */
  readonly onUndelivered?: (letter: Posted, error: unknown) => void
  /** A unit of work cannot be written. The process must exit; the next start recovers from disk. */
  readonly onFatal?: (error: unknown) => void
}

/** One committed change of a record. `previous` is undefined for a new record. */
export interface Change {
  readonly entry: Entry
  readonly previous: RecordState | undefined
  readonly next: RecordState
}

export class Engine implements RecordHost {
  readonly store: Store
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
  readonly post: Post
  /** Records whose balances are known to be wrong. Reconciliation removes them. */
  readonly outOfBalance = new Set<Entry>()
  readonly #archive: Archive
  readonly #retirement: Retirement | undefined
  readonly #supervisors: Supervisors
  readonly #onFatal: (error: unknown) => void
  readonly #onUndelivered: (letter: Posted, error: unknown) => void
  /** Other processes own other tenants. */
  readonly #hasNeighbours: boolean
  /** Records with observations that are not on disk yet, each with its state as last written. */
  readonly #dirty = new Map<Entry, RecordState | undefined>()
  /** Payloads handed to the store and not durable yet: later requests about the same transaction read them. */
  readonly #unwritten = new Map<string, TransactionPayload>()
  readonly #listeners: ((changes: readonly Change[]) => void)[] = []

  private constructor(options: EngineOptions) {
    this.store = options.store
    const clock = options.clock ?? systemClock
    this.waiters = new Waiters(clock)
    this.journal = new Journal(clock)
    const { retirement } = options
    this.#archive = new Archive(this.store, (place) => this.payload(place), retirement?.source)
    this.directory = new Directory(this.#archive)
    this.movements = new Movements(this.store, clock, (id) => this.directory.byId(id))
    this.listings = new Listings(this.directory)
    this.debits = new DebitWindows(
      retirement === undefined ? undefined : (list, fromMs) => this.#archive.listed(list, fromMs),
    )
    this.readModel = new ReadModel(this.directory, clock, options.tuning, this.#archive)
    const leaving = { letGo: this.#letGo.bind(this) }
    this.#retirement = retirement === undefined ? undefined : new Retirement(this, this.#archive, leaving, retirement)
    this.#supervisors = new Supervisors({
      capacity: options.awakePerTenant,
      clock,
      onActorFailed: options.onActorFailed,
    })
    this.#onFatal = options.onFatal ?? (() => undefined)
    this.#hasNeighbours = options.elsewhere !== undefined
    this.#onUndelivered = options.onUndelivered ?? (() => undefined)
    this.post = new Post({
      store: this.store,
      take: (letter) => this.#take(letter),
      write: (tenant, ops) => this.#write(new Map([[tenant, ops]])),
      elsewhere: options.elsewhere,
      list: (told) => this.listings.take(told),
      failed: this.#onUndelivered,
    })
  }

  /** Loads the records of all tenants. The caller must process open transactions before anything is sent or settled. */
  static async open(options: EngineOptions): Promise<Engine> {
    const engine = new Engine(options)
    for (const tenant of await options.store.tenants()) await engine.#load(tenant)
    for await (const told of options.elsewhere?.listings?.() ?? []) engine.listings.take(told)
    engine.movements.log.begin(engine.directory.entries())
    engine.#retirement?.begin()
    return engine
  }

  async #load(tenant: string): Promise<void> {
    await this.journal.resume(this.store, tenant)
    await this.post.resume(tenant)
    for await (const page of this.store.load(tenant)) {
      for (const envelope of page) {
        const loaded = fromEnvelope(envelope, () => this.payload(envelope))
        const state = hasEnded(loaded) ? compacted(loaded) : loaded
        this.moved(new Entry(state, state, undefined), undefined, state)
      }
    }
  }

  /** Fixed part and signed bytes of a transaction: the write in progress if there is one, else the stored row. */
  payload(place: { readonly tenant: string; readonly cluster: string; readonly id: string }): TransactionPayload {
    const payload =
      this.#unwritten.get(place.id) ??
      (this.store.payload(place.tenant, place.cluster, place.id) as TransactionPayload | undefined)
    if (payload === undefined) throw new MissingRow(`the payload of transaction ${place.id}`)
    return payload
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
   * Runs `work` synchronously and hands all its changes to the store as one batch. If `work` throws, nothing has
   * changed. `durable` resolves when the change is on disk and visible to reads, and its tenant messages have been
   * taken.
   */
  transact<T>(work: (unit: UnitOfWork) => T): { readonly result: T; readonly durable: Promise<void> } {
    const unit = new UnitOfWork(this)
    let result: T
    try {
      result = work(unit)
    } catch (error) {
      unit.rollBack()
      throw error
    }
    return { result, durable: this.#commit(unit) }
  }

  /**
   * Records observations that the chain can repeat (sent, processed): visible to reads at once, written with the
   * record's next commit or by `flush`.
   */
  observe(work: (unit: UnitOfWork) => void): void {
    const unit = new UnitOfWork(this)
    try {
      work(unit)
    } catch (error) {
      unit.rollBack()
      throw error
    }
    const changes: Change[] = []
    for (const [entry, previous] of unit.touched) {
      if (entry.head === previous) continue
      entry.dirty = true
      if (!this.#dirty.has(entry)) this.#dirty.set(entry, previous)
      if (entry.committed === previous) {
        entry.committed = entry.head
        changes.push({ entry, previous, next: entry.head })
      }
    }
    this.#announce(changes)
  }

  /** Writes observations that no commit has written yet. */
  async flush(): Promise<void> {
    if (this.#dirty.size === 0) return
    const tenants = new Map<string, [Entry, RecordState | undefined][]>()
    for (const each of this.#dirty) {
      const { tenant } = each[0].head
      const known = tenants.get(tenant)
      if (known === undefined) tenants.set(tenant, [each])
      else known.push(each)
    }
    this.#dirty.clear()
    await Promise.all([...tenants].map(([tenant, dirty]) => this.#flush(tenant, dirty)))
  }

  async #flush(tenant: string, dirty: readonly (readonly [Entry, RecordState | undefined])[]): Promise<void> {
    const ops: StoreOp[] = []
    const written: [Entry, RecordState][] = []
    const told: Written[] = []
    for (const [entry, previous] of dirty) {
      entry.dirty = false
      written.push([entry, entry.head])
      told.push({ previous, next: entry.head })
      ops.push(...this.#rowsOf(entry))
    }
    const { reached, elsewhere } = this.journal.write(
      told,
      NO_NOTES,
      (_, op) => ops.push(op),
      (other) => other === tenant,
    )
    const letters = this.post.write(tenant, lettersOf([], elsewhere, []), (op) => ops.push(op))
    const durable = this.store.commit([{ tenant, epoch: EPOCH, ops }])
    const taken = letters.length === 0 ? undefined : this.post.send(letters)
    await durable
    const changes: Change[] = []
    for (const [entry, head] of written) {
      const previous = entry.committed
      // A later observation may be visible already; reads never see an older revision after a newer one.
      if (previous !== undefined && previous.revision >= head.revision) continue
      entry.committed = head
      changes.push({ entry, previous, next: head })
    }
    this.#announce(changes)
    this.journal.durable(reached, NO_NOTES)
    this.#retirement?.take(changes)
    await taken
  }

  /** Ends eviction and flushes observations. The store stays open. */
  async stop(): Promise<void> {
    await this.#retirement?.stop()
    await this.flush()
  }

  /** Signs the head of every audit log that has grown. */
  async sealAudit(): Promise<void> {
    const parts = new Map<string, StoreOp[]>()
    this.journal.seal((tenant, op) => append(parts, tenant, op))
    if (parts.size > 0) await this.#write(parts)
  }

  /** The listener receives every committed change, in commit order. */
  onCommitted(listener: (changes: readonly Change[]) => void): void {
    this.#listeners.push(listener)
  }

  get awake(): number {
    return this.#supervisors.awake
  }

  /** Number of records that accept no event because their actors threw repeatedly. */
  get quarantined(): number {
    return this.#supervisors.quarantined
  }

  async #commit(unit: UnitOfWork): Promise<void> {
    const parts = new Map<string, StoreOp[]>()
    const changes: Change[] = []
    const told: Written[] = []
    for (const [entry, previous] of unit.touched) {
      if (entry.head === previous) continue
      const change = { entry, previous, next: entry.head }
      changes.push(change)
      append(parts, entry.head.tenant, ...this.#rowsOf(entry))
      told.push(entry.dirty ? { previous: this.#dirty.get(entry), next: entry.head } : change)
      if (entry.dirty) {
        entry.dirty = false
        this.#dirty.delete(entry)
      }
    }
    const payloads: [string, TransactionPayload][] = []
    for (const [tenant, rows] of unit.rows) {
      for (const row of rows) {
        append(parts, tenant, row)
        if (row.type === 'payload') payloads.push([row.id, row.payload as TransactionPayload])
      }
    }
    for (const [id, payload] of payloads) this.#unwritten.set(id, payload)
    this.movements.log.write(unit.balances, (tenant, op) => append(parts, tenant, op))
    const home = unit.home ?? unit.told[0]?.tenant ?? unit.deeds[0]?.tenant
    const here = (tenant: string): boolean => tenant === home || unit.isOfBatch(tenant)
    const deeds = unit.deeds.filter(({ tenant }) => here(tenant))
    const { reached, elsewhere } = this.journal.write(
      told,
      { told: unit.told, deeds },
      (tenant, op) => append(parts, tenant, op),
      here,
    )
    const outgoing = lettersOf(
      unit.letters,
      elsewhere,
      unit.deeds.filter(({ tenant }) => !here(tenant)),
    )
    const all = this.#hasNeighbours ? [...outgoing, ...listedTo(changes)] : outgoing
    const letters = home === undefined ? [] : this.post.write(home, all, (op) => append(parts, home, op))
    const written = parts.size > 0 ? this.#write(parts) : undefined
    // In the same turn, behind the sender's batch: who reads the decision also reads its effect on other tenants.
    const taken = letters.length > 0 ? this.post.send(letters) : undefined
    taken?.catch(() => undefined)
    await written
    for (const [id, payload] of payloads) if (this.#unwritten.get(id) === payload) this.#unwritten.delete(id)
    this.#announce(changes.map((change) => this.#committed(change)))
    this.journal.durable(reached, { told: NO_NOTES.told, deeds })
    for (const followUp of unit.followUps) followUp()
    await taken
  }

  /** Makes a change visible to reads. An ended transaction without a newer head is compacted and passivated. */
  #committed(change: Change): Change {
    const { entry, next } = change
    entry.committed = next
    if (!hasEnded(next) || entry.head !== next) return change
    const compact = compacted(next)
    entry.head = compact
    entry.committed = compact
    this.#supervisors.of(next.tenant).release(entry)
    return { ...change, next: compact }
  }

  /** Applies a message in a unit of work of its recipient, with the inbox cursor that marks it as taken. */
  #take(letter: Posted): Promise<void> {
    const { to, sender, sequence } = letter
    let unit = new UnitOfWork(this, to)
    try {
      takeLetter(this, unit, letter)
    } catch (error) {
      unit.rollBack()
      if (!(error instanceof CommandRejected)) throw error
      // A record rejects the content. Its state does not change back, so a retry cannot succeed.
      this.#onUndelivered(letter, error)
      unit = new UnitOfWork(this, to)
    }
    unit.also(to, { type: 'inbox', tenant: to, sender, sequence })
    return this.#commit(unit)
  }

  /** The actors already hold the change: after a failed write, work would continue on a state that was never stored. */
  async #write(parts: ReadonlyMap<string, readonly StoreOp[]>): Promise<void> {
    try {
      const rows = [...parts.values()].reduce((sum, ops) => sum + ops.length, 0)
      await traced('commit', { rows }, () => this.store.commit(toBatches(parts)))
    } catch (error) {
      this.#onFatal(error)
      throw error
    }
  }

  /** Moves records to the cold store. Memory answers for them until the write is durable. */
  async #letGo(entries: readonly Entry[], rows: ReadonlyMap<string, readonly StoreOp[]>): Promise<void> {
    for (const entry of entries) {
      entry.place = 'leaving'
      this.#archive.leaving.add(entry)
    }
    await this.#write(rows)
    for (const entry of entries) {
      this.directory.moved(entry, entry.head, undefined)
      this.debits.left(entry.head)
      if (entry.committed !== undefined) this.readModel.leave(entry.committed)
      entry.place = 'store'
      entry.sleep()
      this.#archive.leaving.delete(entry)
      this.#archive.keep(entry)
    }
  }

  #rowsOf({ place, head }: Entry): readonly StoreOp[] {
    return place === 'memory' ? [recordOp(head)] : this.#archive.rowsOf(head)
  }

  #announce(changes: readonly Change[]): void {
    if (changes.length === 0) return
    this.readModel.take(changes.filter(({ entry }) => entry.place !== 'store'))
    this.#retirement?.take(changes)
    for (const { next } of changes) if (next.kind === 'transaction' || next.kind === 'plan') this.waiters.changed(next)
    for (const listener of this.#listeners) listener(changes)
  }
}
