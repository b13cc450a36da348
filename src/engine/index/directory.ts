// Finds records by id, address, references and ownership. The directory indexes the heads of records, so that two
// requests in one tick cannot both take a name; readers check `committed` themselves. It spans tenants on purpose:
// whether an address is onboarded does not depend on the caller. The operations decide what a caller may see.
import type { Kind } from '../../../machines/kinds.ts'
import { Entry } from '../records/entry.ts'
import { onEach } from '../../../snapshots/at-hand.ts'
import { addressKey, idKey, paymentReferenceKey, payIdKey, signatureKey } from './index-keys.ts'
import { isName } from './names.ts'
import type { OtherRecords } from './other-records.ts'
import type { PlainRows } from './plain-rows.ts'
import { keysOf, sameKeys } from './record-keys.ts'
import { KeyIndex } from './key-index.ts'
import { isHolding, isHoldingKind, type RecordState } from '../records/record.ts'
import type { StoredRecord } from '../records/stored-record.ts'
import { TextIndex } from './text-index.ts'

/** Finds records that are not in memory. */
export interface OldEntries {
  byId(id: string): Entry | undefined
  bySignature(cluster: string, signature: string): Entry | undefined
  byPayId(payId: string): Entry | undefined
  byPaymentReference(cluster: string, reference: string): Entry | undefined
}

/**
 * Maximum number of cached answers of each kind. The steps of a request look up the same few records repeatedly. The
 * limit matters for reads of many records.
 */
const REMEMBERED = 4_096
/** Maximum length of a cached answer, to limit memory. */
const MAX_REMEMBERED = 32

/** Cached answers for one key. */
interface Answers {
  /** undefined: not looked up yet, or too long. */
  all: readonly Entry[] | undefined
  /** undefined: not looked up yet; null: there is none. */
  first: Entry | null | undefined
}

export class Directory {
  /** Entries by number. Numbers of removed records are reused. */
  readonly #entries: (Entry | undefined)[] = []
  readonly #free: number[] = []
  /** Holdings in the order in which they were added. Only a rolled-back creation removes one. */
  readonly #holdings: Entry[] = []
  /** All records except holdings, which are most records. */
  readonly #nonHoldings = new Set<Entry>()
  readonly #byId = new TextIndex((number, id) => this.#at(number).outline.id === id)
  readonly #byKey = new KeyIndex({
    entryAt: (number) => this.#at(number),
    keysAt: (number) => keysOf(this.#at(number).glimpse()),
  })
  readonly #old: OldEntries | undefined
  readonly #others: OtherRecords | undefined
  /** Cached answers of `find` and `first`. An answer is dropped when a record is added to or removed from its key. */
  readonly #answers = new Map<string, Answers>()
  /** Cached answers by cluster and address. They are looked up most often, and this avoids building a key each time. */
  readonly #atAddress = new Map<string, Map<string, readonly Entry[]>>()

  #changes = 0
  #removals = 0

  /** @param others records of other cells; absent: there can be no other cells */
  constructor(old?: OldEntries, others?: OtherRecords) {
    this.#old = old
    this.#others = others
  }

  /** Changes when a record is added to a key or removed from one. While it is unchanged, all answers are the same. */
  get changes(): number {
    return this.#changes
  }

  /** Changes when a record is removed from an id or a key. */
  get removals(): number {
    return this.#removals
  }

  /** True: there are no other cells at this moment, so all records are own ones. */
  get isAlone(): boolean {
    return existing(this.#others) === undefined
  }

  byId(id: string): Entry | undefined {
    const number = this.#byId.find(id)
    return number === undefined ? this.#old?.byId(id) : this.#at(number)
  }

  /**
   * As `byId`, without the cold store: for kinds of records that are never evicted, and for callers that read cold
   * records themselves.
   */
  resident(id: string): Entry | undefined {
    const number = this.#byId.find(id)
    return number === undefined ? undefined : this.#at(number)
  }

  /** As `resident`, but also finds records of other cells. Throws `NotAtHand`. */
  anywhere(id: string): Entry | undefined {
    return this.resident(id) ?? this.#others?.find(idKey(id))[0]
  }

  /**
   * Records with a key of `index-keys.ts`, in no guaranteed order; those of other cells come last, in a recently
   * committed state. Throws `NotAtHand` if those must be fetched first.
   */
  find(key: string): readonly Entry[] {
    return this.#withOthers(this.findOwn(key), key)
  }

  /** As `find`, without caching the answer: for keys that are looked up once. */
  search(key: string): readonly Entry[] {
    return this.#withOthers(this.#byKey.get(key), key)
  }

  /** As `find`, without records of other cells: for decisions of this cell alone, and for work that cannot wait. */
  findOwn(key: string): readonly Entry[] {
    const cached = this.#answers.get(key)
    if (cached?.all !== undefined) return cached.all
    const all = this.#byKey.get(key)
    if (all.length > MAX_REMEMBERED) return all
    if (cached === undefined) remember(this.#answers, key, { all, first: undefined })
    else cached.all = all
    return all
  }

  /** As `search`, without records of other cells. */
  searchOwn(key: string): readonly Entry[] {
    return this.#byKey.get(key)
  }

  /** Live records at an address, in no guaranteed order; those of other cells last, as in `find`. */
  atAddress(cluster: string, address: string): readonly Entry[] {
    const own = this.ownAtAddress(cluster, address)
    const others = existing(this.#others)
    return others === undefined ? own : joined(own, this.#elsewhere(others, addressKey(cluster, address)))
  }

  /** As `atAddress`, without records of other cells. */
  ownAtAddress(cluster: string, address: string): readonly Entry[] {
    const ofCluster = this.#atAddress.get(cluster) ?? new Map<string, readonly Entry[]>()
    if (ofCluster.size === 0) this.#atAddress.set(cluster, ofCluster)
    const known = ofCluster.get(address)
    if (known !== undefined) return known
    const entries = this.#byKey.get(addressKey(cluster, address))
    if (entries.length <= MAX_REMEMBERED) remember(ofCluster, address, entries)
    return entries
  }

  /**
   * Throws `NotAtHand` for all records of other cells that must be fetched first, so that one fetch gets all of them.
   * @param keys returns the keys that will be looked up; called only if there are other cells
   */
  need(keys: () => readonly string[]): void {
    const others = existing(this.#others)
    if (others !== undefined) onEach(keys(), (key) => others.find(key))
  }

  /** The committed records of other cells with a name that begins with this text, except followed records. */
  async elsewhereUnder(beginning: string): Promise<readonly RecordState[]> {
    const records = (await existing(this.#others)?.under(beginning)) ?? []
    return records.filter(({ id }) => this.#byId.find(id) === undefined)
  }

  /** The first names of other cells that begin with this text, and their number; includes followed records. */
  async namesElsewhere(beginning: string, limit: number): ReturnType<OtherRecords['listed']> {
    return (await existing(this.#others)?.listed(beginning, limit)) ?? { names: [], count: 0 }
  }

  /** As `find`, lazily, for keys of many records. The index must not change during the iteration. */
  each(key: string): Iterable<Entry> {
    return existing(this.#others) === undefined || !isName(key) ? this.#byKey.each(key) : this.find(key)
  }

  first(key: string): Entry | undefined {
    const own = this.firstOwn(key)
    if (own !== undefined) return own
    const others = existing(this.#others)
    return others === undefined || !isName(key) ? undefined : this.#elsewhere(others, key)[0]
  }

  /** As `first`, without records of other cells. */
  firstOwn(key: string): Entry | undefined {
    const known = this.#answers.get(key)
    if (known?.first !== undefined) return known.first ?? undefined
    const first = this.#byKey.first(key) ?? null
    if (known === undefined) remember(this.#answers, key, { all: undefined, first })
    else known.first = first
    return first ?? undefined
  }

  /** Finds a transaction, in memory or in the cold store. */
  bySignature(cluster: string, signature: string): Entry | undefined {
    // Not cached: a signature is looked up once, usually before a record has it.
    return this.#byKey.first(signatureKey(cluster, signature)) ?? this.#old?.bySignature(cluster, signature)
  }

  /** Finds a payment request by the id of its payer's page, in memory or in the cold store. */
  byPayId(payId: string): Entry | undefined {
    return this.first(payIdKey(payId)) ?? this.#old?.byPayId(payId)
  }

  /** Finds a payment request by its reference key, in memory or in the cold store. */
  byPaymentReference(cluster: string, reference: string): Entry | undefined {
    return this.first(paymentReferenceKey(cluster, reference)) ?? this.#old?.byPaymentReference(cluster, reference)
  }

  /** Records in memory, without followed ones; of these kinds, or of all. */
  *entries(...kinds: readonly Kind[]): Generator<Entry, undefined, undefined> {
    for (const entry of this.known(...kinds)) if (entry.place !== 'followed') yield entry
    return undefined
  }

  /** Records in memory, including followed ones; of these kinds, or of all. */
  *known(...kinds: readonly Kind[]): Generator<Entry, undefined, undefined> {
    const kindSet = kinds.length === 0 ? undefined : new Set(kinds)
    // To find a few records of other kinds, a million holdings need not be iterated.
    const among = kinds.length === 0 || kinds.some(isHoldingKind) ? this.#entries : this.#nonHoldings
    for (const entry of among)
      if (entry !== undefined && (kindSet === undefined || kindSet.has(entry.outline.kind))) yield entry
    return undefined
  }

  /** Records with an address, without followed ones. Records added during the iteration come last. */
  *holdings(): Generator<Entry, undefined, undefined> {
    for (let at = 0; at < this.#holdings.length; at += 1) yield this.#holdings[at]!
    return undefined
  }

  /** Adds the plain records of a start, before all others. Yields periodically. */
  *fill(plain: PlainRows): Generator<undefined, undefined> {
    const { records, ids, keys, types } = plain
    if (this.#entries.length > 0) throw new Error('plain records must be the first of a directory')
    this.#addStored(records)
    for (const { number } of yield* this.#byId.fill(ids)) this.#byId.add(records[number]!.id, number)
    yield* this.#byKey.fill(keys, (number, hash) => plain.keyOf(number, hash))
    for (const { key, numbers } of types) {
      this.#byKey.addMany(key, numbers)
      yield
    }
    return undefined
  }

  /** A separate method, because V8 does not optimize loops of generators. */
  #addStored(records: readonly StoredRecord[]): void {
    for (const stored of records) {
      const entry = new Entry(stored, undefined, undefined)
      this.#entries.push(entry)
      this.#holdings.push(entry)
    }
  }

  moved(entry: Entry, previous: RecordState | undefined, next: RecordState | undefined): void {
    if (previous !== undefined && next !== undefined && sameKeys(previous, next)) return
    this.#changes += 1
    const number = previous === undefined ? this.#take(entry, next!) : this.#byId.find(previous.id)
    if (number === undefined) return
    const before = previous === undefined ? NONE : keysOf(previous)
    const after = next === undefined ? NONE : keysOf(next)
    // Unchanged keys are not touched, so that the records of a key keep their order.
    for (const key of before) {
      if (after.includes(key)) continue
      this.#byKey.delete(key, number)
      this.#answers.delete(key)
    }
    this.#byKey.forget(number)
    for (const key of after) {
      if (before.includes(key)) continue
      this.#byKey.add(key, number)
      this.#answers.delete(key)
    }
    this.#forgetAddress(previous)
    this.#forgetAddress(next)
    if (next === undefined) this.#release(number, entry, previous!)
  }

  #forgetAddress(state: RecordState | undefined): void {
    if (state !== undefined && isHolding(state)) this.#atAddress.get(state.cluster)?.delete(state.context.address)
  }

  #withOthers(own: readonly Entry[], key: string): readonly Entry[] {
    const others = existing(this.#others)
    return others === undefined || !isName(key) ? own : joined(own, this.#elsewhere(others, key))
  }

  /** Excludes followed records, because this directory indexes them. */
  #elsewhere(others: OtherRecords, key: string): readonly Entry[] {
    const found = others.find(key)
    if (found.length === 0) return found
    return found.filter(({ outline }) => this.#byId.find(outline.id) === undefined)
  }

  #take(entry: Entry, state: RecordState): number {
    const number = this.#free.pop() ?? this.#entries.length
    this.#entries[number] = entry
    this.#byId.add(state.id, number)
    if (!isHolding(state)) this.#nonHoldings.add(entry)
    else if (entry.place !== 'followed') this.#holdings.push(entry)
    return number
  }

  #release(number: number, entry: Entry, state: RecordState): void {
    this.#removals += 1
    this.#byId.delete(state.id, number)
    this.#entries[number] = undefined
    this.#free.push(number)
    if (!isHolding(state)) this.#nonHoldings.delete(entry)
    else if (entry.place !== 'followed') this.#holdings.splice(this.#holdings.lastIndexOf(entry), 1)
  }

  #at(number: number): Entry {
    return this.#entries[number]!
  }
}

const NONE: readonly string[] = []

function joined(own: readonly Entry[], others: readonly Entry[]): readonly Entry[] {
  return others.length === 0 ? own : [...own, ...others]
}

/** undefined: there are no other cells at this moment. */
function existing(others: OtherRecords | undefined): OtherRecords | undefined {
  return others?.exist === true ? others : undefined
}

function remember<Answer>(cache: Map<string, Answer>, name: string, answer: Answer): void {
  if (cache.size >= REMEMBERED) cache.clear()
  cache.set(name, answer)
}
