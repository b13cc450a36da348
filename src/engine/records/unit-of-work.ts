// A change of several records, decided synchronously: either every actor changes or none does. A unit of work belongs
// to one tenant and sends no event to another tenant's records; other tenants are informed by tenant messages.
import type { EventOf, InputOf, Kind } from '../../../machines/kinds.ts'
import type { EventAnswer, RejectedEvent } from '../../../machines/protocol.ts'
import { noteChanges, ONBOARDED, type BalanceChange, type Cause } from './balance-change.ts'
import { Entry } from './entry.ts'
import type { AuditEntry } from '../audit/audit-row.ts'
import type { DomainEvent } from '../events/domain-events.ts'
import { LiveActor } from './live-actor.ts'
import { MessageTaken } from '../../../snapshots/errors.ts'
import type { StoreOp } from '../../../snapshots/store.ts'
import type { TenantMessage, MessageItem } from '../outbox/message.ts'
import type { RecordState } from './record.ts'

/** The rejection of an event by a machine, and the unchanged record. */
export interface Rejection {
  readonly rejection: RejectedEvent
  readonly record: RecordState
}

/**
 * A machine rejected an event. The whole unit of work is rolled back; operations turn the rejection into the response.
 */
export class CommandRejected extends Error implements Rejection {
  override readonly name = 'CommandRejected'
  readonly rejection: RejectedEvent
  readonly record: RecordState

  constructor(rejection: RejectedEvent, record: RecordState) {
    super(`${rejection.code}: ${rejection.detail} (${rejection.event} to ${record.kind} ${record.id})`)
    this.rejection = rejection
    this.record = record
  }
}

/**
 * The actor of a record threw, now or repeatedly before (`quarantined`). A defect of this record's state or of its
 * machine; the unit of work is rolled back, other records are not affected.
 */
export class RecordFailed extends Error {
  override readonly name = 'RecordFailed'
  readonly record: RecordState
  readonly quarantined: boolean

  constructor({ head, quarantined }: Entry, cause: unknown) {
    super(
      `${head.kind} ${head.id} ${quarantined ? 'is quarantined: its actor threw repeatedly' : 'could not process an event'}`,
      { cause },
    )
    this.record = head
    this.quarantined = quarantined
  }
}

/** A defect: work for one tenant tried to change a record of another. Nothing is changed. */
export class ForeignTenant extends Error {
  override readonly name = 'ForeignTenant'

  constructor(tenant: string, home: string) {
    super(`a unit of work of ${home} cannot change anything of ${tenant}`)
  }
}

/** The work for `home` would write rows of a tenant that another cell owns. Nothing is changed. */
export class OwnedByOtherCell extends Error {
  override readonly name = 'OwnedByOtherCell'

  constructor(tenant: string, home: string) {
    super(tenant === home ? `another cell owns ${tenant}` : `${tenant} and ${home} are in different cells`)
  }
}

/** The registry of records, as a unit of work uses it. */
export interface RecordHost {
  /** False: another cell writes the rows of the tenant. */
  owns(tenant: string): boolean
  use(entry: Entry): void
  /** Called when the actor of the record threw. */
  failed(entry: Entry, error: unknown): void
  /** Called when a fact makes a balance negative: the record lacks a movement that happened on the chain. */
  noticed(entry: Entry): void
  /** Id of the transaction that claimed this message; undefined: none. */
  transactionOfMessage(cluster: string, hash: string): string | undefined
  /** Records of this cell that are not evicted. */
  readonly directory: { resident(id: string): { readonly head: RecordState } | undefined }
  /**
   * Called with each new head, so that indexes follow. `previous` is undefined for a new record, `next` for one that is
   * rolled back.
   */
  moved(entry: Entry, previous: RecordState | undefined, next: RecordState | undefined): void
}

export interface Place {
  readonly tenant: string
  readonly cluster: string
  readonly id: string
}

const NO_MESSAGES: readonly TenantMessage[] = []

export class UnitOfWork {
  readonly #host: RecordHost
  /** Heads before this unit; undefined for records the unit created. */
  readonly #before = new Map<Entry, RecordState | undefined>()
  readonly #rows = new Map<string, StoreOp[]>()
  readonly #balances: BalanceChange[] = []
  readonly #events: DomainEvent[] = []
  readonly #auditEntries: AuditEntry[] = []
  readonly #afterCommit: (() => void)[] = []
  readonly #onRollBack: (() => void)[] = []
  /** undefined: none. Most units send no message, and belong to one tenant. */
  #messages: Map<string, MessageItem[]> | undefined
  #otherTenants: Set<string> | undefined
  #home: string | null
  #isDiscarded = false

  /** @param home tenant of the unit; null: the tenant of the first record or row it touches */
  constructor(host: RecordHost, home: string | null = null) {
    this.#host = host
    this.#home = home
  }

  get home(): string | null {
    return this.#home
  }

  /** The tenant whose rows the commit writes. If no record changes, that of the first event or audit entry. */
  get writer(): string | undefined {
    return this.#home ?? this.#events[0]?.tenant ?? this.#auditEntries[0]?.tenant
  }

  /** Fixes the tenant of the unit before any event is sent. Throws `ForeignTenant` if the unit belongs to another. */
  openFor(tenant: string): void {
    this.#own(tenant)
  }

  /**
   * Lets another tenant's own commit be written in the same batch: the work for a signature by its keys (exactly-once,
   * "Countersigning"), or audit entries of an operator's command. Use it for these cases only; all other changes of
   * another tenant are tenant messages.
   */
  alongside(tenant: string): void {
    if (!this.#host.owns(tenant)) throw new OwnedByOtherCell(tenant, this.#home ?? tenant)
    this.#otherTenants ??= new Set()
    this.#otherTenants.add(tenant)
  }

  /** Queues a notice for another tenant. All notices to one tenant go out as one message. */
  sendMessage(to: string, item: MessageItem): void {
    this.#messages ??= new Map<string, MessageItem[]>()
    const items = this.#messages.get(to)
    if (items === undefined) this.#messages.set(to, [item])
    else items.push(item)
  }

  /**
   * Sends an event to a record of any tenant; to a record of another tenant as a message. Throws `CommandRejected` if
   * the record's machine rejects the event in its current state; the state of records of other cells is unknown. If the
   * state has changed when the message is processed, the recipient decides.
   */
  order<K extends Kind>(entry: Entry, event: EventOf<K>): void {
    const rejected = this.tryOrder(entry, event)
    if (rejected !== null) throw new CommandRejected(rejected.rejection, rejected.record)
  }

  /** As `order`, but returns a rejection; null: the event was accepted, or is sent. */
  tryOrder<K extends Kind>(entry: Entry, event: EventOf<K>): Rejection | null {
    const { tenant, kind, id, value, context } = entry.head
    if (this.#isOwn(tenant)) return this.trySend(entry, event)
    // The known state of a record of another cell may be outdated, so only its owner can reject the event.
    if (entry.place !== 'followed') {
      const likeness = LiveActor.restore(kind, value, context)
      const answer = likeness.send(event)
      if (answer.type === 'rejected') return { rejection: answer, record: entry.head }
    }
    this.sendMessage(tenant, { kind: 'order', record: id, of: kind, event })
    return null
  }

  /** Creates a record of any tenant; a record of another tenant through a message. */
  orderNew<K extends Kind>(kind: K, place: Place, input: InputOf<K>): RecordState<K> {
    if (this.#isOwn(place.tenant)) return this.create(kind, place, input).head as RecordState<K>
    const likeness = LiveActor.create(kind, input)
    const state = firstHead(kind, place, likeness) as RecordState<K>
    this.sendMessage(place.tenant, { kind: 'new', of: kind, cluster: place.cluster, id: place.id, input })
    return state
  }

  create<K extends Kind>(kind: K, place: Place, input: InputOf<K>): Entry {
    this.#own(place.tenant)
    const actor = LiveActor.create(kind, input)
    const head = firstHead(kind, place, actor)
    const entry = new Entry(head, undefined, actor)
    this.#before.set(entry, undefined)
    noteChanges(this.#balances, entry, undefined, ONBOARDED)
    this.#host.moved(entry, undefined, head)
    this.#host.use(entry)
    return entry
  }

  /**
   * Sends an event to a record of this tenant. Throws `CommandRejected` if its machine rejects the event. `cause`: why
   * the record's balances change; absent: a read of the chain.
   */
  send<K extends Kind>(entry: Entry, event: EventOf<K>, cause?: Cause): RecordState<K> {
    const refused = this.trySend(entry, event, cause)
    if (refused !== null) throw new CommandRejected(refused.rejection, refused.record)
    return entry.head as RecordState<K>
  }

  /**
   * As `send`, but returns a rejection; null: the event was accepted. A rejected event has changed nothing, and the
   * unit continues: a caller that stops at the rejection must discard the unit.
   */
  trySend<K extends Kind>(entry: Entry, event: EventOf<K>, cause?: Cause): Rejection | null {
    this.#own(entry.head.tenant)
    if (entry.quarantined) throw new RecordFailed(entry, undefined)
    this.#host.use(entry)
    const answer = this.#answer(entry, event)
    if (answer.type === 'rejected') return { rejection: answer, record: entry.head }
    if (answer.notice !== undefined) this.#host.noticed(entry)
    const previous = entry.head
    if (!this.#before.has(entry)) this.#before.set(entry, previous)
    const { value, context } = entry.awake().snapshot()
    if (context !== previous.context || value !== previous.value) {
      const { kind, tenant, cluster, id, revision } = previous
      entry.head = { kind, tenant, cluster, id, revision: revision + 1, value, context } as RecordState
      noteChanges(this.#balances, entry, previous, cause)
      this.#host.moved(entry, previous, entry.head)
    }
    return null
  }

  #answer(entry: Entry, event: { readonly type: string }): EventAnswer {
    try {
      return entry.awake().send(event)
    } catch (error) {
      this.#host.failed(entry, error)
      throw new RecordFailed(entry, error)
    }
  }

  /**
   * Adds a row to the batch of this unit. Throws `MessageTaken` for the message of another transaction, because the
   * store would refuse the commit later, when the unit can no longer be rolled back.
   */
  also(tenant: string, row: StoreOp): void {
    this.#own(tenant)
    const rows = this.#rows.get(tenant)
    if (row.type === 'message') {
      const { cluster, hash, transactionId } = row
      const own = rows?.find((each) => each.type === 'message' && each.cluster === cluster && each.hash === hash)
      const holder = own?.type === 'message' ? own.transactionId : this.#host.transactionOfMessage(cluster, hash)
      if (holder !== undefined && holder !== transactionId) throw new MessageTaken(hash, holder)
    }
    if (rows === undefined) this.#rows.set(tenant, [row])
    else rows.push(row)
  }

  /** True if this unit creates the record `id`. */
  creates(id: string): boolean {
    for (const [{ head }, previous] of this.#before) if (previous === undefined && head.id === id) return true
    return false
  }

  /** Kind of the record `id`; null: neither this unit changes or creates it, directly or by message, nor is it here. */
  kindOf(id: string): Kind | null {
    for (const { head } of this.#before.keys()) if (head.id === id) return head.kind
    for (const items of this.#messages?.values() ?? []) {
      for (const item of items) {
        if (item.kind === 'order' && item.record === id) return item.of
        if (item.kind === 'new' && item.id === id) return item.of
      }
    }
    // A record that only changes once the transaction of this unit has landed.
    return this.#host.directory.resident(id)?.head.kind ?? null
  }

  /** Adds an event in addition to those derived from the changes. */
  event(events: DomainEvent): void {
    this.#events.push(events)
  }

  /** Adds an audit entry, written with the changes. */
  audit(auditEntry: AuditEntry): void {
    this.#auditEntries.push(auditEntry)
  }

  /** Runs `action` once the unit is durable. */
  afterCommit(action: () => void): void {
    this.#afterCommit.push(action)
  }

  /** Runs `action` if the unit is rolled back. */
  onRollBack(action: () => void): void {
    this.#onRollBack.push(action)
  }

  get touched(): ReadonlyMap<Entry, RecordState | undefined> {
    return this.#before
  }

  /** Changes of balances, in order. */
  get balances(): readonly BalanceChange[] {
    return this.#balances
  }

  get rows(): ReadonlyMap<string, readonly StoreOp[]> {
    return this.#rows
  }

  /** True for tenants whose rows are written in this unit's batch. */
  isOfBatch(tenant: string): boolean {
    return this.#isOwn(tenant) || this.#otherTenants?.has(tenant) === true
  }

  get messages(): readonly TenantMessage[] {
    return this.#messages === undefined
      ? NO_MESSAGES
      : [...this.#messages].map(([to, items]) => ({ to, notices: items }))
  }

  get events(): readonly DomainEvent[] {
    return this.#events
  }

  get auditEntries(): readonly AuditEntry[] {
    return this.#auditEntries
  }

  get followUps(): readonly (() => void)[] {
    return this.#afterCommit
  }

  /** True if the unit belongs to the tenant. The tenant of the first call becomes that of the unit. */
  #isOwn(tenant: string): boolean {
    this.#home ??= tenant
    return tenant === this.#home
  }

  #own(tenant: string): void {
    if (!this.#isOwn(tenant) && this.#otherTenants?.has(tenant) !== true)
      throw new ForeignTenant(tenant, this.#home ?? tenant)
    if (!this.#host.owns(tenant)) throw new OwnedByOtherCell(tenant, this.#home ?? tenant)
  }

  /** Marks the unit to be rolled back, without an error, when its work ends. */
  discard(): void {
    this.#isDiscarded = true
  }

  get isDiscarded(): boolean {
    return this.#isDiscarded
  }

  /** Undoes all changes, newest first: actors are restored from their previous heads. */
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

function firstHead(kind: Kind, { tenant, cluster, id }: Place, actor: LiveActor): RecordState {
  const { value, context } = actor.snapshot()
  return { kind, tenant, cluster, id, revision: 1, value, context } as RecordState
}
