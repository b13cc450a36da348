// Serves bulk queries from tables of committed records, one per part that a caller may see as a whole, and from lists
// of cold records in the store. Tables are built on the first query of a resource and dropped when unused.
import type { Kind } from '../../../machines/kinds.ts'
import type { Change } from '../records/change.ts'
import type { RecordState } from '../records/record.ts'
import { answerOver, type QueryAnswer } from './answer.ts'
import { compileQuery, type CompiledQuery } from './compile.ts'
import type { Filter, Query, Resource } from './field.ts'
import { listName, type Listing, type OldRecords, type OldView } from './listing.ts'
import { OldRows } from './old-rows.ts'
import { Slices, type SlicedJob, type SliceClock } from './slices.ts'
import { Table } from './table.ts'
import { TUNING, type Tuning } from './tuning.ts'
import { Semaphore } from './turns.ts'
import { withOld } from './with-old.ts'

const ENTRIES_PER_YIELD = 256
/** Reading a long list occupies a thread of the I/O pool, which writes need too. */
const SCANS_AT_ONCE = 2

/** A resource that can be queried, and the parts its records belong to. */
export interface Source<State extends RecordState = RecordState> {
  readonly resource: Resource<State>
  /** The kinds of its records; absent: of any kind. Records of other kinds need not be read for it. */
  readonly kinds?: readonly Kind[]
  /**
   * The parts of a record, each once; empty: the record does not belong to this resource. No query may cover two parts
   * that share a record.
   */
  partsOf(state: RecordState): readonly string[]
  /** Returns the form of the record whose fields are read in one of its parts. Absent: the record itself. */
  heldIn?(part: string, state: State): State
  /** Absent: records of this resource are never evicted. */
  readonly listing?: Listing<State>
}

export interface QueryOptions<State extends RecordState> {
  /** Filters that narrow the parts further; may name hidden fields. */
  readonly scope?: readonly Filter[] | undefined
  /** Records of other cells, which are in no part, in the form whose fields are read. */
  readonly beside?: readonly State[] | undefined
}

/** Access to the records that were committed before the first query. */
export interface CommittedRecords {
  /** @param kinds the requested kinds; empty: all */
  entries(kinds: readonly Kind[]): Iterable<{ readonly committed: RecordState | undefined }>
}

interface Held {
  readonly parts: Map<string, Table<RecordState>>
  /** True when all committed records have been added. */
  ready: boolean
  usedAtMs: number
}

export class ReadModel {
  /** Number of times that tables were dropped because a change did not fit; the next query rebuilds them. */
  faults = 0
  readonly #committed: CommittedRecords
  readonly #clock: SliceClock
  readonly #tuning: Tuning
  readonly #slices: Slices
  readonly #held = new Map<Source, Held>()
  readonly #old: OldRecords | undefined
  readonly #scans = new Semaphore(SCANS_AT_ONCE)

  constructor(committed: CommittedRecords, clock: SliceClock, tuning: Tuning = TUNING, old?: OldRecords) {
    this.#old = old
    this.#committed = committed
    this.#clock = clock
    this.#tuning = tuning
    this.#slices = new Slices(clock)
  }

  /**
   * Evaluates a query on one committed state, in slices of the event loop. Rejects with `QueryRefused`.
   * @param parts the parts to query: all parts that the caller may see
   */
  async query<State extends RecordState>(
    source: Source<State>,
    parts: readonly string[],
    query: Query,
    { scope = [], beside = [] }: QueryOptions<State> = {},
  ): Promise<QueryAnswer<State>> {
    const compiled = compileQuery(source.resource, query, scope)
    const { listing } = source
    if (listing === undefined || this.#old === undefined)
      return await this.#slices.run(this.#recent(source, parts, { query: compiled, beside }))
    const old = this.#old
    const { skip, limit } = compiled
    const fromFirst = { ...compiled, skip: 0, limit: limit === 0 ? 0 : skip + limit }
    const views: OldView[] = []
    try {
      const atMoment = (): number => views.push(old.view())
      const recent = await this.#slices.run(this.#recent(source, parts, { query: fromFirst, beside, atMoment }))
      const view = views.at(-1)!
      return await this.#withOld(source.resource, listing, parts, { query: compiled, recent, view })
    } finally {
      await Promise.all(views.map((view) => view.close()))
    }
  }

  *#recent<State extends RecordState>(
    source: Source<State>,
    parts: readonly string[],
    {
      query,
      beside,
      atMoment,
    }: {
      readonly query: CompiledQuery<State>
      readonly beside: readonly State[]
      readonly atMoment?: () => unknown
    },
  ): SlicedJob<QueryAnswer<State>> {
    const held = yield* this.#whenReady(source)
    const tables = [...new Set(parts)].map((part) => this.#table(source, held, part) as unknown as Table<State>)
    if (beside.length > 0) tables.push(yield* this.#tableOf(source.resource, beside))
    return yield* answerOver(tables, query, atMoment)
  }

  /** A table for one query. */
  *#tableOf<Row>(resource: Resource<Row>, rows: readonly Row[]): SlicedJob<Table<Row>> {
    // Nothing changes this table, so no fault can occur.
    const deps = { clock: this.#clock, slices: this.#slices, tuning: this.#tuning, fault: () => undefined }
    const table = new Table<Row>(resource, deps)
    for (const [index, row] of rows.entries()) {
      table.add(row)
      if (index % ENTRIES_PER_YIELD === 0) yield
    }
    return table
  }

  async #withOld<State extends RecordState>(
    resource: Resource<State>,
    listing: Listing<State>,
    parts: readonly string[],
    {
      query,
      recent,
      view,
    }: { readonly query: CompiledQuery<State>; readonly recent: QueryAnswer<State>; readonly view: OldView },
  ): Promise<QueryAnswer<State>> {
    const { skip, limit } = query
    const lists: string[] = []
    for (const list of new Set(parts.map((part) => listName(listing, part))))
      if ((await view.count(list)) > 0) lists.push(list)
    if (lists.length === 0) return { count: recent.count, items: recent.items.slice(skip, skip + limit) }
    const deps = { view, lists, listing, slices: this.#slices, maxKept: this.#tuning.maxKept }
    return await this.#scans.take(() =>
      withOld(recent, new OldRows(deps, query), { resource, query, view, slices: this.#slices }),
    )
  }

  /** Queries rows that are not records, e.g. of a log, read for this query only. */
  async among<Row>(
    resource: Resource<Row>,
    rows: readonly Row[],
    query: CompiledQuery<Row>,
  ): Promise<QueryAnswer<Row>> {
    return await this.#slices.run(this.#over(resource, rows, query))
  }

  *#over<Row>(resource: Resource<Row>, rows: readonly Row[], query: CompiledQuery<Row>): SlicedJob<QueryAnswer<Row>> {
    return yield* answerOver([yield* this.#tableOf(resource, rows)], query)
  }

  /** Applies committed changes; must be called in commit order. */
  take(changes: readonly Change[]): void {
    for (const [source, held] of this.#held) {
      try {
        for (const change of changes) this.#take(source, held, change)
      } catch {
        this.#fault(source, held)
      }
    }
  }

  /** The change is committed regardless of the tables: drop them. */
  #fault(source: Source, held: Held): void {
    this.faults += 1
    if (this.#held.get(source) === held) this.#held.delete(source)
  }

  /** Removes a record that leaves memory; from now on the lists in the store contain it. */
  leave(state: RecordState): void {
    for (const [source, { parts }] of this.#held)
      for (const part of source.partsOf(state)) parts.get(part)?.remove(state.id)
  }

  /** Drops tables that were not used for `idleMs`. Must be called periodically. */
  sweep(): void {
    const sinceMs = this.#clock.elapsed() - this.#tuning.idleMs
    for (const [source, held] of this.#held) {
      if (held.ready && held.usedAtMs < sinceMs) this.#held.delete(source)
      else for (const table of held.parts.values()) table.sweep(sinceMs)
    }
  }

  #take(source: Source, held: Held, { previous, next }: Change): void {
    const before = previous === undefined ? [] : source.partsOf(previous)
    const after = source.partsOf(next)
    for (const part of before) if (!after.includes(part)) held.parts.get(part)?.remove(next.id)
    for (const part of after) this.#table(source, held, part).put(heldIn(source, part, next))
  }

  #table<State extends RecordState>(source: Source<State>, held: Held, part: string): Table<RecordState> {
    let found = held.parts.get(part)
    if (found === undefined) {
      const deps = {
        clock: this.#clock,
        slices: this.#slices,
        tuning: this.#tuning,
        fault: () => this.#fault(source, held),
      }
      found = new Table<RecordState>(source.resource, deps)
      held.parts.set(part, found)
    }
    return found
  }

  *#whenReady(source: Source): SlicedJob<Held> {
    for (;;) {
      const held = this.#held.get(source)
      if (held === undefined) return yield* this.#gather(source)
      held.usedAtMs = this.#clock.elapsed()
      if (held.ready) return held
      yield 'waiting'
    }
  }

  /** Changes arrive during the loop. Their states are newer than those found here, so `add` does not replace them. */
  *#gather(source: Source): SlicedJob<Held> {
    const held: Held = { parts: new Map(), ready: false, usedAtMs: this.#clock.elapsed() }
    this.#held.set(source, held)
    try {
      let seen = 0
      for (const { committed } of this.#committed.entries(source.kinds ?? [])) {
        if (committed !== undefined)
          for (const part of source.partsOf(committed))
            this.#table(source, held, part).add(heldIn(source, part, committed))
        seen += 1
        if (seen % ENTRIES_PER_YIELD === 0) yield
      }
      held.ready = true
      return held
    } finally {
      if (!held.ready && this.#held.get(source) === held) this.#held.delete(source)
    }
  }
}

function heldIn(source: Source, part: string, state: RecordState): RecordState {
  return source.heldIn === undefined ? state : source.heldIn(part, state)
}
