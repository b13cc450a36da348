// What bulk queries read: committed records in tables, one for each part of them that somebody may see as a whole, and lists in the store of
// those that left memory. Nothing is kept for a resource before it is asked for the first time, or after nobody asked for long.
import type { Change } from '../engine.ts'
import type { RecordState } from '../records/record.ts'
import { answerOver, type Answer } from './answer.ts'
import { compileQuery, type CompiledQuery } from './compile.ts'
import type { Filter, Query, Resource } from './field.ts'
import type { Listing, OldRecords, OldView } from './listing.ts'
import { OldRows } from './old-rows.ts'
import { Slices, type Job, type SliceClock } from './slices.ts'
import { Table } from './table.ts'
import { TUNING, type Tuning } from './tuning.ts'
import { Turns } from './turns.ts'
import { withOld } from './with-old.ts'

const ENTRIES_PER_YIELD = 256
/** Reading a long list keeps a thread of the disk's busy, of which writes need one too. */
const SCANS_AT_ONCE = 2

/** A kind of record that can be asked for, and the parts it comes in. */
export interface Source<State extends RecordState = RecordState> {
  readonly resource: Resource<State>
  /** The parts a record is in, each once; none: it is none of this resource. Nobody is asked for two parts that share a record. */
  partsOf(state: RecordState): readonly string[]
  /** The record as the fields read it in one of its parts; absent: as it is. */
  heldIn?(part: string, state: State): State
  /** Absent: no record of this resource leaves memory. */
  readonly listing?: Listing<State>
}

/** Where the records are found that were committed before anybody asked. */
export interface Committed {
  entries(): Iterable<{ readonly committed: RecordState | undefined }>
}

interface Held {
  readonly parts: Map<string, Table<RecordState>>
  /** Every committed record is in. */
  ready: boolean
  usedAtMs: number
}

export class ReadModel {
  /** Times that tables were given up because a change did not fit them: they are made anew when they are asked for. */
  faults = 0
  readonly #committed: Committed
  readonly #clock: SliceClock
  readonly #tuning: Tuning
  readonly #slices: Slices
  readonly #held = new Map<Source, Held>()
  readonly #old: OldRecords | undefined
  readonly #scans = new Turns(SCANS_AT_ONCE)

  constructor(committed: Committed, clock: SliceClock, tuning: Tuning = TUNING, old?: OldRecords) {
    this.#old = old
    this.#committed = committed
    this.#clock = clock
    this.#tuning = tuning
    this.#slices = new Slices(clock)
  }

  /**
   * Answers as of one committed state, in slices of the event loop. Rejects with `QueryRefused`.
   * @param parts which parts are asked; together they are what the caller may see
   * @param scope filters that narrow the parts further, by hidden fields too
   */
  async query<State extends RecordState>(
    source: Source<State>,
    parts: readonly string[],
    query: Query,
    scope: readonly Filter[] = [],
  ): Promise<Answer<State>> {
    const compiled = compileQuery(source.resource, query, scope)
    const { listing } = source
    if (listing === undefined || this.#old === undefined) return await this.#slices.run(this.#recent(source, parts, compiled))
    const old = this.#old
    const { skip, limit } = compiled
    const fromFirst = { ...compiled, skip: 0, limit: limit === 0 ? 0 : skip + limit }
    const views: OldView[] = []
    try {
      const recent = await this.#slices.run(this.#recent(source, parts, fromFirst, () => views.push(old.view())))
      const view = views.at(-1)!
      return await this.#withOld(source.resource, listing, parts, compiled, recent, view)
    } finally {
      await Promise.all(views.map((view) => view.close()))
    }
  }

  *#recent<State extends RecordState>(
    source: Source<State>,
    parts: readonly string[],
    query: CompiledQuery<State>,
    atMoment?: () => void,
  ): Job<Answer<State>> {
    const held = yield* this.#whenReady(source)
    const tables = [...new Set(parts)].map((part) => this.#table(source, held, part) as unknown as Table<State>)
    return yield* answerOver(tables, query, atMoment)
  }

  async #withOld<State extends RecordState>(
    resource: Resource<State>,
    listing: Listing<State>,
    parts: readonly string[],
    query: CompiledQuery<State>,
    recent: Answer<State>,
    view: OldView,
  ): Promise<Answer<State>> {
    const { skip, limit } = query
    const listed = [...new Set(parts)].filter((part) => view.count(part) > 0)
    if (listed.length === 0) return { count: recent.count, items: recent.items.slice(skip, skip + limit) }
    const ground = { view, parts: listed, listing, slices: this.#slices, mostKept: this.#tuning.mostKept }
    return await this.#scans.take(() => withOld(recent, new OldRows(ground, query), { resource, query, view, slices: this.#slices }))
  }

  /** The same of records that are not committed ones: rows of a log, read for this one question. */
  async among<Row>(resource: Resource<Row>, rows: readonly Row[], query: CompiledQuery<Row>): Promise<Answer<Row>> {
    // Nothing changes it while it is read.
    const ground = { clock: this.#clock, slices: this.#slices, tuning: this.#tuning, fault: () => undefined }
    const table = new Table<Row>(resource, ground)
    return await this.#slices.run(
      (function* (): Job<Answer<Row>> {
        for (const [index, row] of rows.entries()) {
          table.add(row)
          if (index % ENTRIES_PER_YIELD === 0) yield
        }
        return yield* answerOver([table], query)
      })(),
    )
  }

  /** Every committed change, in the order of the commits. */
  take(changes: readonly Change[]): void {
    for (const [source, held] of this.#held) {
      try {
        for (const change of changes) this.#take(source, held, change)
      } catch {
        this.#fault(source, held)
      }
    }
  }

  /** The change is committed whatever the tables make of it. */
  #fault(source: Source, held: Held): void {
    this.faults += 1
    if (this.#held.get(source) === held) this.#held.delete(source)
  }

  /** A record leaves memory: from now on it is in its lists. */
  leave(state: RecordState): void {
    for (const [source, { parts }] of this.#held) for (const part of source.partsOf(state)) parts.get(part)?.remove(state.id)
  }

  /** Forgets what was not used for long. To be called now and then. */
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
      const ground = { clock: this.#clock, slices: this.#slices, tuning: this.#tuning, fault: () => this.#fault(source, held) }
      found = new Table<RecordState>(source.resource, ground)
      held.parts.set(part, found)
    }
    return found
  }

  *#whenReady(source: Source): Job<Held> {
    for (;;) {
      const held = this.#held.get(source)
      if (held === undefined) return yield* this.#gather(source)
      held.usedAtMs = this.#clock.elapsed()
      if (held.ready) return held
      yield 'waiting'
    }
  }

  /** Changes come in meanwhile: what they brought is newer than what is found here. */
  *#gather(source: Source): Job<Held> {
    const held: Held = { parts: new Map(), ready: false, usedAtMs: this.#clock.elapsed() }
    this.#held.set(source, held)
    try {
      let seen = 0
      for (const { committed } of this.#committed.entries()) {
        if (committed !== undefined) for (const part of source.partsOf(committed)) this.#table(source, held, part).add(heldIn(source, part, committed))
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
