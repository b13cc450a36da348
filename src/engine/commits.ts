// The only path of changes to disk: the rows of a unit of work, or of observations, are one batch. Reads see a change
// when its batch is durable.
import { withSpan } from '../telemetry/traces.ts'
import { MissingRow } from '../../snapshots/errors.ts'
import { payloadKey } from '../../snapshots/keys.ts'
import { interpretRow } from '../../snapshots/rows.ts'
import type { Store, StoreOp, TenantBatch } from '../../snapshots/store.ts'
import type { AuditEntry } from './audit/audit-row.ts'
import { NO_NOTES, type Journal, type WrittenChange } from './events/journal.ts'
import type { ColdStore } from './eviction/cold-store.ts'
import type { Movements } from './movements/history.ts'
import { nameOps } from './index/names.ts'
import { messagesOf, type Outbox } from './outbox/outbox.ts'
import type { NumberedMessage } from './outbox/message.ts'
import type { Change } from './records/change.ts'
import { recordOp, type TransactionPayload } from './records/codec.ts'
import { payloadOfRow } from './records/payload-row.ts'
import { compactTransaction } from './records/compact.ts'
import type { Entry } from './records/entry.ts'
import { hasEnded, type RecordState } from './records/record.ts'
import type { Place, UnitOfWork } from './records/unit-of-work.ts'
import { WrittenRows } from './records/written-rows.ts'

const NO_OPS: readonly StoreOp[] = []
const NAMES_AT_ONCE = 5_000

type PayloadOp = Extract<StoreOp, { readonly type: 'payload' }>

/** The rows of a unit of work, and the work to do when they are durable. */
interface Batch {
  readonly parts: ReadonlyMap<string, StoreOp[]>
  readonly changes: readonly Change[]
  readonly payloads: readonly PayloadOp[]
  readonly messages: readonly NumberedMessage[]
  readonly reached: ReadonlyMap<string, number>
  readonly auditEntries: readonly AuditEntry[]
}

export interface CommitDependencies {
  readonly store: Store
  readonly journal: Journal
  readonly movements: Movements
  readonly outbox: Outbox
  readonly coldStore: ColdStore
  /** Passivates the record of a transaction that ended. */
  release(entry: Entry): void
  /** Receives changes in commit order, once reads see them. */
  announce(changes: readonly Change[]): void
  /** Receives the changes of a flush after `announce`. */
  flushed(changes: readonly Change[]): void
  onFatal(error: unknown): void
}

export class Commits {
  readonly #dependencies: CommitDependencies
  /** Epoch of the claim under which the records were loaded. A later claim belongs to another engine. */
  readonly #epoch: number
  /** Records with observations that are not on disk yet, each with its state as last written. */
  readonly #dirty = new Map<Entry, RecordState | undefined>()
  /** undefined: records are written whole. */
  readonly #rows: WrittenRows | undefined
  /** Payloads handed to the store and not durable yet: later requests about the same transaction read them. */
  readonly #unwritten = new Map<string, unknown>()

  constructor(dependencies: CommitDependencies) {
    this.#dependencies = dependencies
    this.#epoch = dependencies.store.epoch
    this.#rows = dependencies.store.keepsChanges ? new WrittenRows() : undefined
  }

  /** Fixed part and signed bytes of a transaction: the write in progress if there is one, else the stored row. */
  payload(place: Place): TransactionPayload {
    const row = this.#unwritten.get(place.id) ?? this.#dependencies.store.payload(place.tenant, place.cluster, place.id)
    if (row === undefined) throw new MissingRow(`the payload of transaction ${place.id}`)
    return interpretRow(payloadKey(place.tenant, place.cluster, place.id), () => payloadOfRow(row))
  }

  /** Payload rows of many transactions, as in `payload`, without blocking the event loop. */
  async payloadRows(places: readonly Place[]): Promise<readonly unknown[]> {
    const unwritten = places.map(({ id }) => this.#unwritten.get(id))
    const rows = await this.#dependencies.store.payloadMany(places)
    return places.map(({ id }, at) => {
      const row = unwritten[at] ?? rows[at]
      if (row === undefined) throw new MissingRow(`the payload of transaction ${id}`)
      return row
    })
  }

  /** Makes the observations of a unit of work visible to reads. `flush` or the next commit of a record writes them. */
  observed(unit: UnitOfWork): void {
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
    this.#dependencies.announce(changes)
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
    const events: WrittenChange[] = []
    for (const [entry, previous] of dirty) {
      entry.dirty = false
      written.push([entry, entry.head])
      events.push({ previous, next: entry.head })
      this.#addRows(ops, entry, { previous, next: entry.head })
    }
    const { reached, elsewhere } = this.#dependencies.journal.write(
      events,
      NO_NOTES,
      (_, op) => ops.push(op),
      (other) => other === tenant,
    )
    const messages = this.#dependencies.outbox.write(tenant, messagesOf([], elsewhere, []), (op) => ops.push(op))
    const durable = this.write(new Map([[tenant, ops]]))
    const processing = messages.length === 0 ? undefined : this.#dependencies.outbox.send(messages)
    await durable
    const changes: Change[] = []
    for (const [entry, head] of written) {
      const previous = entry.committed
      // A later observation may already be visible; reads must never return an older revision after a newer one.
      if (previous !== undefined && previous.revision >= head.revision) continue
      entry.committed = head
      changes.push({ entry, previous, next: head })
    }
    this.#dependencies.announce(changes)
    this.#dependencies.journal.durable(reached, NO_NOTES)
    this.#dependencies.flushed(changes)
    await processing
  }

  /** Resolves when the change is durable, visible to reads, and its tenant messages have been processed. */
  async commit(unit: UnitOfWork): Promise<void> {
    const { parts, changes, payloads, messages, reached, auditEntries } = this.#batchOf(unit)
    const written = parts.size > 0 ? this.write(parts) : undefined
    // Sent in the same turn, after the sender's batch, so that readers of the change also see its effects on other
    // tenants.
    const processing = messages.length > 0 ? this.#dependencies.outbox.send(messages) : undefined
    processing?.catch(() => undefined)
    await written
    for (const { id, payload } of payloads) if (this.#unwritten.get(id) === payload) this.#unwritten.delete(id)
    this.#dependencies.announce(changes.map((change) => this.#committed(change)))
    this.#dependencies.journal.durable(reached, { events: NO_NOTES.events, auditEntries })
    for (const followUp of unit.followUps) followUp()
    await processing
  }

  /** All rows of a unit of work. Not part of `commit`, whose variables stay alive until the rows are written. */
  #batchOf(unit: UnitOfWork): Batch {
    const parts = new Map<string, StoreOp[]>()
    const add = (tenant: string, op: StoreOp): void => void opsOfTenant(parts, tenant).push(op)
    const changes: Change[] = []
    const events: WrittenChange[] = []
    for (const [entry, previous] of unit.touched) {
      const next = entry.head
      if (next === previous) continue
      const change = { entry, previous, next }
      const written = entry.dirty ? { previous: this.#dirty.get(entry), next } : change
      changes.push(change)
      events.push(written)
      this.#addRows(opsOfTenant(parts, next.tenant), entry, written)
      if (entry.dirty) {
        entry.dirty = false
        this.#dirty.delete(entry)
      }
    }
    const payloads: PayloadOp[] = []
    for (const [tenant, rows] of unit.rows) {
      const part = opsOfTenant(parts, tenant)
      for (const row of rows) {
        part.push(row)
        if (row.type === 'payload') payloads.push(row)
      }
    }
    for (const { id, payload } of payloads) this.#unwritten.set(id, payload)
    this.#dependencies.movements.log.write(unit.balances, add)
    const home = unit.writer
    const here = (tenant: string): boolean => tenant === home || unit.isOfBatch(tenant)
    const isHere = unit.auditEntries.every(({ tenant }) => here(tenant))
    const auditEntries = isHere ? unit.auditEntries : unit.auditEntries.filter(({ tenant }) => here(tenant))
    const { reached, elsewhere } = this.#dependencies.journal.write(
      events,
      { events: unit.events, auditEntries },
      add,
      here,
    )
    const outgoing = messagesOf(
      unit.messages,
      elsewhere,
      isHere ? [] : unit.auditEntries.filter(({ tenant }) => !here(tenant)),
    )
    const messages = home === undefined ? [] : this.#dependencies.outbox.write(home, outgoing, (op) => add(home, op))
    return { parts, changes, payloads, messages, reached, auditEntries }
  }

  /**
   * Makes a change visible to reads. An ended transaction without a newer head is compacted and passivated; a new
   * account, most of which are not used soon, is passivated.
   */
  #committed(change: Change): Change {
    const { entry, previous, next } = change
    entry.committed = next
    if (entry.head !== next) return change
    if (previous === undefined && next.kind === 'account' && next.value === 'active') this.#dependencies.release(entry)
    if (!hasEnded(next)) return change
    const compact = compactTransaction(next)
    entry.head = compact
    entry.committed = compact
    this.#dependencies.release(entry)
    return { ...change, next: compact }
  }

  /** A failed write is fatal: the actors already have the change, and work would continue on a state never stored. */
  async write(parts: ReadonlyMap<string, readonly StoreOp[]>): Promise<void> {
    try {
      const rows = [...parts.values()].reduce((sum, ops) => sum + ops.length, 0)
      await withSpan('commit', { rows }, () => this.#dependencies.store.commit(toBatches(parts, this.#epoch)))
    } catch (error) {
      this.#dependencies.onFatal(error)
      throw error
    }
  }

  /** Writes the names of records that earlier releases wrote without names. */
  async nameRecords(entries: Iterable<Entry>): Promise<void> {
    const { names } = this.#dependencies.store
    const tenants = new Set(await names?.missing())
    if (names === undefined || tenants.size === 0) return
    let parts = new Map<string, StoreOp[]>()
    let count = 0
    for (const { head } of entries) {
      const ops = tenants.has(head.tenant) ? nameOps(undefined, head) : NO_OPS
      if (ops.length === 0) continue
      opsOfTenant(parts, head.tenant).push(...ops)
      count += ops.length
      if (count < NAMES_AT_ONCE) continue
      await this.write(parts)
      parts = new Map()
      count = 0
    }
    await this.write(parts)
    await names.complete([...tenants])
  }

  #addRows(ops: StoreOp[], entry: Entry, { previous, next }: WrittenChange): void {
    const { place, head } = entry
    if (place !== 'memory') ops.push(...this.#dependencies.coldStore.rowsOf(head))
    else ops.push(this.#rows?.opOf(entry, previous) ?? recordOp(head))
    if (this.#dependencies.store.names !== undefined) ops.push(...nameOps(previous, next))
  }
}

/** The list of rows of a tenant, created on first use. */
export function opsOfTenant(parts: Map<string, StoreOp[]>, tenant: string): StoreOp[] {
  let part = parts.get(tenant)
  if (part === undefined) {
    part = []
    parts.set(tenant, part)
  }
  return part
}

export function toBatches(parts: ReadonlyMap<string, readonly StoreOp[]>, epoch: number): TenantBatch[] {
  return [...parts].map(([tenant, ops]) => ({ tenant, epoch, ops }))
}
