// Reads evicted records from the store: by id, transactions by signature, payment requests by the id of their page.
// Recently used ones are cached, so that all users of a cold record share one entry.
import { fromEnvelope, toEnvelope, type TransactionPayload } from '../records/codec.ts'
import { Entry } from '../records/entry.ts'
import type { Listed, Store, StoreOp } from '../../../snapshots/store.ts'
import { payIdKey } from '../index/payment-keys.ts'
import { listName, type OldRecords, type OldView } from '../query/listing.ts'
import type { Source } from '../query/read-model.ts'
import { EVERY_CLUSTER, ofKind, type RecordState } from '../records/record.ts'

const MOST_KEPT = 1_000

/** Store name of the number of records in a list. */
export const countName = (list: string): string => `old:${list}`

/** How the cold records of each kind are listed. */
export type Sources = Readonly<Partial<Record<RecordState['kind'], Source>>>

export interface ListedKinds {
  /** Of transactions. */
  readonly source: Source
  /** Of the other kinds that are evicted; absent: none is. */
  readonly others?: Sources
}

export type PayloadOf = (place: {
  readonly tenant: string
  readonly cluster: string
  readonly id: string
}) => TransactionPayload

export class Archive implements OldRecords {
  /** Records being evicted: the store may already list them as cold while memory still answers for them. */
  readonly leaving = new Set<Entry>()
  readonly #store: Store
  readonly #payloadOf: PayloadOf
  readonly #sources: Sources
  /** Least recently used first. */
  readonly #kept = new Map<string, Entry>()

  /** @param listed how cold records are listed; undefined: this process evicts nothing */
  constructor(store: Store, payloadOf: PayloadOf, listed: ListedKinds | undefined) {
    this.#store = store
    this.#payloadOf = payloadOf
    this.#sources = listed === undefined ? {} : { ...listed.others, transaction: listed.source }
  }

  byId(id: string): Entry | undefined {
    const kept = this.#kept.get(id)
    if (kept !== undefined) {
      this.keep(kept)
      return kept
    }
    const envelope = this.#store.old(id)
    if (envelope === undefined) return undefined
    const state = fromEnvelope(envelope, () => this.#payloadOf(envelope))
    const entry = new Entry(state, state, undefined)
    entry.place = 'store'
    this.keep(entry)
    return entry
  }

  bySignature(cluster: string, signature: string): Entry | undefined {
    const id = this.#store.alias(cluster, signature)
    return id === undefined ? undefined : this.byId(id)
  }

  byPayId(payId: string): Entry | undefined {
    const id = this.#store.alias(EVERY_CLUSTER, payIdKey(payId))
    return id === undefined ? undefined : this.byId(id)
  }

  keep(entry: Entry): void {
    this.#kept.delete(entry.head.id)
    this.#kept.set(entry.head.id, entry)
    if (this.#kept.size <= MOST_KEPT) return
    for (const [id, { dirty }] of this.#kept) {
      if (dirty) continue
      this.#kept.delete(id)
      return
    }
  }

  /** Rows of a cold record; written again with its new state when the record receives an event. */
  rowsOf(state: RecordState): StoreOp[] {
    const { tenant, cluster, id } = state
    const rows: StoreOp[] = [{ type: 'old', envelope: toEnvelope(state) }]
    const signature = ofKind(state, 'transaction')?.context.signature ?? null
    if (signature !== null) rows.push({ type: 'alias', tenant, cluster, name: signature, id })
    const payId = ofKind(state, 'paymentRequest')?.context.payId
    if (payId !== undefined) rows.push({ type: 'alias', tenant, cluster: EVERY_CLUSTER, name: payIdKey(payId), id })
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
  async *listed(list: string, fromMs: number): AsyncIterable<readonly Listed[]> {
    const view = this.#store.view()
    try {
      yield* view.listed(list, fromMs, null)
    } finally {
      await view.close()
    }
  }

  view(): OldView {
    const view = this.#store.view()
    const inMemory = new Map<string, readonly string[]>()
    for (const { head } of this.leaving) {
      if (view.old(head.id) !== undefined) inMemory.set(head.id, this.listsOf(head))
    }
    return {
      count(list) {
        const listed = (view.meta(countName(list)) as number | undefined) ?? 0
        return listed - [...inMemory.values()].filter((lists) => lists.includes(list)).length
      },
      isInMemory: (id) => inMemory.has(id),
      listed: (list, fromMs, toMs) => view.listed(list, fromMs, toMs),
      state: (id) => {
        const envelope = view.old(id)
        if (envelope === undefined) throw new Error(`old record ${id} is listed and not there`)
        return fromEnvelope(envelope, () => this.#payloadOf(envelope))
      },
      close: () => view.close(),
    }
  }
}

function instantIn(state: RecordState, { resource }: Source, field: string): number {
  const value = resource.fields.find(({ name }) => name === field)!.read(state)
  return Date.parse(String(value))
}
