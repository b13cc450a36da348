// What bulk queries read: committed records in tables, one for each part of them that somebody may see as a whole. Nothing is kept for a
// resource before it is asked for the first time, or after nobody asked for long.
import type { Change } from '../engine.ts'
import type { RecordState } from '../record.ts'
import { answerOver, type Answer } from './answer.ts'
import { compileQuery } from './compile.ts'
import type { Filter, Query, Resource } from './field.ts'
import { Slices, type Job, type SliceClock } from './slices.ts'
import { Table } from './table.ts'
import { TUNING, type Tuning } from './tuning.ts'

const ENTRIES_PER_YIELD = 256

/** A kind of record that can be asked for, and the parts it comes in. */
export interface Source<State extends RecordState = RecordState> {
  readonly resource: Resource<State>
  /** The parts a record is in, each once; none: it is none of this resource. Nobody is asked for two parts that share a record. */
  partsOf(state: RecordState): readonly string[]
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

  constructor(committed: Committed, clock: SliceClock, tuning: Tuning = TUNING) {
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
    const tables = (held: Held): Table<State>[] =>
      [...new Set(parts)].map((part) => this.#table(source, held, part) as unknown as Table<State>)
    const whenReady = this.#whenReady(source)
    return await this.#slices.run(
      (function* () {
        return yield* answerOver(tables(yield* whenReady), compiled)
      })(),
    )
  }

  /** Every committed change, in the order of the commits. */
  take(changes: readonly Change[]): void {
    for (const [source, held] of this.#held) {
      try {
        for (const change of changes) this.#take(source, held, change)
      } catch {
        // The change is committed whatever the tables make of it.
        this.faults += 1
        this.#held.delete(source)
      }
    }
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
    for (const part of after) this.#table(source, held, part).put(next)
  }

  #table<State extends RecordState>(source: Source<State>, held: Held, part: string): Table<RecordState> {
    let found = held.parts.get(part)
    if (found === undefined) {
      const ground = { clock: this.#clock, slices: this.#slices, tuning: this.#tuning }
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
        if (committed !== undefined) for (const part of source.partsOf(committed)) this.#table(source, held, part).add(committed)
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
