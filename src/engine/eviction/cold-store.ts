// Reads evicted records from the store: by id, transactions by signature, payment requests by the id of their page.
// Recently used ones are cached, so that all users of a cold record share one entry.
import { fromEnvelope, toEnvelope } from '../records/codec.ts'
import { Entry } from '../records/entry.ts'
import { ColdView, type MemoryRecords, type PayloadOf } from './cold-view.ts'
import { NotAtHand, type ColdKey } from '../../../snapshots/not-at-hand.ts'
import { glanceOfRows, type TransactionGlance } from '../records/glance.ts'
import type { ListedRow, Store, StoreOp } from '../../../snapshots/store.ts'
import { MissingRows, onEach } from '../../../snapshots/at-hand.ts'
import { payIdKey, paymentReferenceKey } from '../index/index-keys.ts'
import { listName, type OldRecords, type OldView } from '../query/listing.ts'
import type { Source } from '../query/read-model.ts'
import { EVERY_CLUSTER, ofKind, type RecordState } from '../records/record.ts'

const MAX_CACHED = 1_000

/** How the cold records of each kind are listed. */
export type Sources = Readonly<Partial<Record<RecordState['kind'], Source>>>

export interface ListedKinds {
  /** Source of transactions. */
  readonly source: Source
  /** Sources of the other kinds that are evicted. Absent: no other kind is. */
  readonly others?: Sources
}

interface Place {
  readonly tenant: string
  readonly cluster: string
  readonly id: string
}

export interface Payloads {
  readonly payload: PayloadOf
  /** Rows of many payloads. */
  rows(places: readonly Place[]): Promise<readonly unknown[]>
}

export class ColdStore implements OldRecords {
  /** Records being evicted: the store may already list them as cold while memory still answers for them. */
  readonly leaving = new Set<Entry>()
  readonly #store: Store
  readonly #payloads: Payloads
  readonly #sources: Sources
  /** Least recently used first. */
  readonly #cached = new Map<string, Entry>()
  /** Results of fetched rows: the id of an alias, or null if no cold record has the id or alias. */
  readonly #fetched = new Map<string, string | null>()
  /** Records in memory, for each view whose snapshot the store may not have taken yet. */
  readonly #opening = new Set<Set<Entry>>()

  /** @param listed how cold records are listed; undefined: this process evicts nothing */
  constructor(store: Store, payloads: Payloads, listed: ListedKinds | undefined) {
    this.#store = store
    this.#payloads = payloads
    this.#sources = listed === undefined ? {} : { ...listed.others, transaction: listed.source }
  }

  byId(id: string): Entry | undefined {
    const cached = this.#cached.get(id)
    if (cached !== undefined) {
      this.keep(cached)
      return cached
    }
    if (this.#fetched.get(id) === null) return undefined
    const envelope = this.#store.old(id)
    if (envelope === undefined) return undefined
    const state = fromEnvelope(envelope, () => this.#payloads.payload(envelope))
    const entry = new Entry(state, state, undefined)
    entry.place = 'store'
    this.keep(entry)
    return entry
  }

  /** Glances of the transactions among these cold records. Does not cache the records. */
  async glances(ids: readonly string[]): Promise<TransactionGlance[]> {
    const records = await this.#store.oldMany(ids)
    const envelopes = records.flatMap((envelope) => (envelope?.kind === 'transaction' ? [envelope] : []))
    const rows = await this.#payloads.rows(envelopes)
    return envelopes.map((envelope, at) => glanceOfRows(envelope, rows[at]))
  }

  bySignature(cluster: string, signature: string): Entry | undefined {
    return this.#byAlias(cluster, signature)
  }

  byPayId(payId: string): Entry | undefined {
    return this.#byAlias(EVERY_CLUSTER, payIdKey(payId))
  }

  byPaymentReference(cluster: string, reference: string): Entry | undefined {
    return this.#byAlias(cluster, paymentReferenceKey(cluster, reference))
  }

  #byAlias(cluster: string, name: string): Entry | undefined {
    const fetched = this.#fetched.get(aliasOf(cluster, name))
    const id = fetched === undefined ? this.#store.alias(cluster, name) : (fetched ?? undefined)
    return id === undefined ? undefined : this.byId(id)
  }

  /** Fetches rows, and caches the results for cold records, because the store keeps rows only until the next commit. */
  async fetch(keys: readonly ColdKey[], keptMs?: number): Promise<void> {
    await this.#store.fetch(keys, keptMs)
    const coldKeys = keys.filter(({ read }) => read === 'old' || read === 'alias')
    if (coldKeys.length === 0) return
    const missing = new MissingRows(this.#store)
    for (;;) {
      try {
        onEach(coldKeys, (key) => this.#cacheResult(key))
        return
      } catch (error) {
        if (!(error instanceof NotAtHand)) throw error
        await missing.fetch(new NotAtHand([...coldKeys, ...error.keys]))
      }
    }
  }

  #cacheResult(key: ColdKey): void {
    if (key.read === 'old') {
      if (this.byId(key.id) === undefined) this.#note(key.id, null)
    } else if (key.read === 'alias') {
      const alias = aliasOf(key.cluster, key.name)
      const id = this.#fetched.get(alias) ?? this.#store.alias(key.cluster, key.name)
      this.#note(alias, id ?? null)
      if (id !== undefined) this.byId(id)
    }
  }

  #note(name: string, id: string | null): void {
    this.#fetched.delete(name)
    this.#fetched.set(name, id)
    if (this.#fetched.size > MAX_CACHED) this.#fetched.delete(this.#fetched.keys().next().value!)
  }

  /** Must be called before the records are written to the cold store. */
  leave(entries: readonly Entry[]): void {
    for (const entry of entries) {
      this.leaving.add(entry)
      for (const inMemory of this.#opening) inMemory.add(entry)
    }
  }

  /** Must be called when the record is in the cold store. */
  left(entry: Entry): void {
    this.leaving.delete(entry)
    this.#fetched.clear()
    this.keep(entry)
  }

  keep(entry: Entry): void {
    this.#cached.delete(entry.head.id)
    this.#cached.set(entry.head.id, entry)
    if (this.#cached.size <= MAX_CACHED) return
    for (const [id, { dirty }] of this.#cached) {
      if (dirty) continue
      this.#cached.delete(id)
      return
    }
  }

  /** Rows of a cold record. They are written again when an event changes the record. */
  rowsOf(state: RecordState): StoreOp[] {
    const { tenant, cluster, id } = state
    const rows: StoreOp[] = [{ type: 'old', envelope: toEnvelope(state) }]
    const signature = ofKind(state, 'transaction')?.context.signature ?? null
    if (signature !== null) rows.push({ type: 'alias', tenant, cluster, name: signature, id })
    const request = ofKind(state, 'paymentRequest')?.context
    if (request !== undefined) {
      rows.push({ type: 'alias', tenant, cluster: EVERY_CLUSTER, name: payIdKey(request.payId), id })
      rows.push({ type: 'alias', tenant, cluster, name: paymentReferenceKey(cluster, request.reference), id })
    }
    const source = this.#sources[state.kind]
    const listing = source?.listing
    if (source === undefined || listing === undefined) return rows
    const atMs = instantIn(state, source, listing.by)
    for (const list of this.listsOf(state))
      rows.push({ type: 'listed', tenant, list, atMs, id, row: listing.pack(state) })
    return rows
  }

  /** The lists that contain the record while it is cold. */
  listsOf(state: RecordState): readonly string[] {
    const source = this.#sources[state.kind]
    const listing = source?.listing
    return source === undefined || listing === undefined
      ? []
      : source.partsOf(state).map((part) => listName(listing, part))
  }

  /** Rows of a list at or after `fromMs`. */
  async *listed(list: string, fromMs: number): AsyncIterable<readonly ListedRow[]> {
    const view = this.#store.view()
    try {
      yield* view.listed(list, fromMs, null)
    } finally {
      await view.close()
    }
  }

  /** The view shows the records as of this call, although it reads the store later. */
  view(): OldView {
    return new ColdView({
      store: this.#store,
      listsOf: (state) => this.listsOf(state),
      payloadOf: (place) => this.#payloads.payload(place),
      inMemory: this.#inMemory(),
    })
  }

  /** The records that are being evicted now, and those whose eviction begins before `close`. */
  #inMemory(): MemoryRecords {
    const entries = new Set(this.leaving)
    this.#opening.add(entries)
    return { entries, close: () => this.#opening.delete(entries) }
  }
}

const aliasOf = (cluster: string, name: string): string => [cluster, name].join('\u0000')

function instantIn(state: RecordState, { resource }: Source, field: string): number {
  const value = resource.fields.find(({ name }) => name === field)!.read(state)
  return Date.parse(String(value))
}
