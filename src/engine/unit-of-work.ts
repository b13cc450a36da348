// One change of several records, decided in one synchronous stretch: either every actor takes its part or none does.
import type { EventOf, InputOf, Kind } from '../../machines/kinds.ts'
import type { Answer, Rejected } from '../../machines/protocol.ts'
import { Entry } from './entry.ts'
import type { Deed } from './journal/audit-row.ts'
import type { Told } from './journal/told.ts'
import { LiveActor } from './live-actor.ts'
import type { StoreOp } from './ports.ts'
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

  constructor(host: RecordHost) {
    this.#host = host
  }

  create<K extends Kind>(kind: K, place: Place, input: InputOf<K>): Entry {
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
    const rows = this.#rows.get(tenant)
    if (rows === undefined) this.#rows.set(tenant, [row])
    else rows.push(row)
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

  get told(): readonly Told[] {
    return this.#told
  }

  get deeds(): readonly Deed[] {
    return this.#deeds
  }

  get followUps(): readonly (() => void)[] {
    return this.#afterCommit
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
