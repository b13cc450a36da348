// One change of several records, decided in one synchronous stretch: either every actor takes its part or none does.
// A unit of work is of one tenant: it tells no record of another. What another tenant has to know goes out with it as a letter.
import type { EventOf, InputOf, Kind } from '../../../machines/kinds.ts'
import type { Answer, Rejected } from '../../../machines/protocol.ts'
import { Entry } from './entry.ts'
import type { Deed } from '../audit/audit-row.ts'
import type { Told } from '../events/domain-events.ts'
import { LiveActor } from './live-actor.ts'
import type { StoreOp } from '../../../snapshots/store.ts'
import type { Letter, Notice } from '../outbox/message.ts'
import type { RecordState } from './record.ts'

/** A machine said no. The whole unit of work is undone; operations turn it into the answer for the caller. */
export class CommandRejected extends Error {
  override readonly name = 'CommandRejected'
  readonly rejection: Rejected
  readonly record: RecordState

  constructor(rejection: Rejected, record: RecordState) {
    super(`${rejection.code}: ${rejection.detail} (${rejection.event} to ${record.kind} ${record.id})`)
    this.rejection = rejection
    this.record = record
  }
}

/** A defect: work of one tenant would have changed a record of another in its place. Nothing is changed. */
export class ForeignTenant extends Error {
  override readonly name = 'ForeignTenant'

  constructor(tenant: string, home: string) {
    super(`a unit of work of ${home} cannot change anything of ${tenant}`)
  }
}

/** What a unit of work needs of the registry of records. */
export interface RecordHost {
  use(entry: Entry): void
  /** A fact left a balance below zero: the books miss something that the chain knows. */
  noticed(entry: Entry): void
  /** A new head: indexes follow. `previous` is undefined for a new record, `next` for one that is taken back. */
  moved(entry: Entry, previous: RecordState | undefined, next: RecordState | undefined): void
}

export interface Place {
  readonly tenant: string
  readonly cluster: string
  readonly id: string
}

export class UnitOfWork {
  readonly #host: RecordHost
  /** Heads as they were before this unit, undefined for records it created. */
  readonly #before = new Map<Entry, RecordState | undefined>()
  readonly #rows = new Map<string, StoreOp[]>()
  readonly #told: Told[] = []
  readonly #deeds: Deed[] = []
  readonly #afterCommit: (() => void)[] = []
  readonly #onRollBack: (() => void)[] = []
  readonly #letters = new Map<string, Notice[]>()
  readonly #beside = new Set<string>()
  #home: string | null

  /** @param home the tenant it is of; absent: that of the first record or row */
  constructor(host: RecordHost, home: string | null = null) {
    this.#host = host
    this.#home = home
  }

  get home(): string | null {
    return this.#home
  }

  /** Says whose it is before anything is told. */
  openFor(tenant: string): void {
    this.#own(tenant)
  }

  /**
   * Another tenant's own commit rides in the same batch: what it does for a signature of its keys (exactly-once, "Countersigning"), or notes
   * of an operator's word. For these alone; all else goes by letter.
   */
  alongside(tenant: string): void {
    this.#beside.add(tenant)
  }

  /** What another tenant has to know. It gets all that a unit sends it as one letter. */
  send(to: string, notice: Notice): void {
    const notices = this.#letters.get(to)
    if (notices === undefined) this.#letters.set(to, [notice])
    else notices.push(notice)
  }

  /**
   * Tells a record of whichever tenant: another's by letter. Throws `CommandRejected` for what its machine says to it as it stands; what
   * has become of it when the letter is taken is its tenant's affair.
   */
  order<K extends Kind>(entry: Entry, event: EventOf<K>): void {
    const { tenant, kind, id, value, context } = entry.head
    if (this.#isOwn(tenant)) {
      this.tell(entry, event)
      return
    }
    const likeness = LiveActor.restore(kind, value, context)
    const answer = likeness.tell(event)
    likeness.stop()
    if (answer.type === 'rejected') throw new CommandRejected(answer, entry.head)
    this.send(tenant, { kind: 'order', record: id, of: kind, event })
  }

  /** A new record of whichever tenant: another's by letter. */
  orderNew<K extends Kind>(kind: K, place: Place, input: InputOf<K>): RecordState<K> {
    if (this.#isOwn(place.tenant)) return this.create(kind, place, input).head as RecordState<K>
    const likeness = LiveActor.create(kind, input)
    const state = { kind, ...place, revision: 1, ...likeness.snapshot() } as unknown as RecordState<K>
    likeness.stop()
    this.send(place.tenant, { kind: 'new', of: kind, cluster: place.cluster, id: place.id, input })
    return state
  }

  create<K extends Kind>(kind: K, place: Place, input: InputOf<K>): Entry {
    this.#own(place.tenant)
    const actor = LiveActor.create(kind, input)
    const head = { kind, ...place, revision: 1, ...actor.snapshot() } as unknown as RecordState
    const entry = new Entry(head, undefined, actor)
    this.#before.set(entry, undefined)
    this.#host.moved(entry, undefined, head)
    this.#host.use(entry)
    return entry
  }

  /** Tells a record something; throws `CommandRejected` when its machine says no. */
  tell<K extends Kind>(entry: Entry, event: EventOf<K>): RecordState<K> {
    this.#own(entry.head.tenant)
    this.#host.use(entry)
    const actor = entry.awake()
    const answer = told(entry, actor, event)
    if (answer.type === 'rejected') throw new CommandRejected(answer, entry.head)
    if (answer.notice !== undefined) this.#host.noticed(entry)
    const previous = entry.head
    if (!this.#before.has(entry)) this.#before.set(entry, previous)
    const { value, context } = actor.snapshot()
    if (context !== previous.context || value !== previous.value) {
      entry.head = { ...previous, revision: previous.revision + 1, value, context } as RecordState
      this.#host.moved(entry, previous, entry.head)
    }
    return entry.head as RecordState<K>
  }

  /** A row that rides in the same batch. */
  also(tenant: string, row: StoreOp): void {
    this.#own(tenant)
    const rows = this.#rows.get(tenant)
    if (rows === undefined) this.#rows.set(tenant, [row])
    else rows.push(row)
  }

  /** Kind of a record that it changes, here or by letter. */
  kindOf(id: string): Kind | null {
    for (const { head } of this.#before.keys()) if (head.id === id) return head.kind
    for (const notices of this.#letters.values()) {
      for (const notice of notices) {
        if (notice.kind === 'order' && notice.record === id) return notice.of
        if (notice.kind === 'new' && notice.id === id) return notice.of
      }
    }
    return null
  }

  /** An event beside those of the changes themselves; it is written with them, or alone. */
  event(told: Told): void {
    this.#told.push(told)
  }

  /** A row of the audit log, written with the changes. */
  audit(deed: Deed): void {
    this.#deeds.push(deed)
  }

  /** Runs once the unit is durable. */
  afterCommit(action: () => void): void {
    this.#afterCommit.push(action)
  }

  /** Runs if the unit is undone. */
  onRollBack(action: () => void): void {
    this.#onRollBack.push(action)
  }

  get touched(): ReadonlyMap<Entry, RecordState | undefined> {
    return this.#before
  }

  get rows(): ReadonlyMap<string, readonly StoreOp[]> {
    return this.#rows
  }

  /** True of tenants whose rows ride in its batch. */
  isOfBatch(tenant: string): boolean {
    return this.#isOwn(tenant) || this.#beside.has(tenant)
  }

  get letters(): readonly Letter[] {
    return [...this.#letters].map(([to, notices]) => ({ to, notices }))
  }

  get told(): readonly Told[] {
    return this.#told
  }

  get deeds(): readonly Deed[] {
    return this.#deeds
  }

  get followUps(): readonly (() => void)[] {
    return this.#afterCommit
  }

  /** The first tenant named is the one it is of. */
  #isOwn(tenant: string): boolean {
    this.#home ??= tenant
    return tenant === this.#home
  }

  #own(tenant: string): void {
    if (!this.#isOwn(tenant) && !this.#beside.has(tenant)) throw new ForeignTenant(tenant, this.#home ?? tenant)
  }

  /** Takes everything back, newest first: actors wake again from the heads they had. */
  rollBack(): void {
    for (const [entry, previous] of [...this.#before].reverse()) {
      const abandoned = entry.head
      entry.sleep()
      if (previous !== undefined) entry.head = previous
      this.#host.moved(entry, abandoned, previous)
    }
    for (const action of this.#onRollBack) action()
  }
}

/** An actor whose action threw is broken for good: the record wakes from its head again. */
function told(entry: Entry, actor: LiveActor, event: { readonly type: string }): Answer {
  try {
    return actor.tell(event)
  } catch (error) {
    entry.sleep()
    throw error
  }
}
