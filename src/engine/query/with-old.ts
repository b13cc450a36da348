// Combines the answers of memory and cold store: adds the counts and merges the pages.
import type { QueryAnswer } from './answer.ts'
import type { CompiledQuery } from './compile.ts'
import { compareKeyed, withSortKeys, type SortedRecord } from './evaluate.ts'
import type { OldView } from './listing.ts'
import type { OldRows } from './old-rows.ts'
import type { Resource } from './field.ts'
import type { RecordState } from '../records/record.ts'
import type { SlicedJob, Slices } from './slices.ts'

const PLACES_PER_YIELD = 512
const RECORDS_PER_YIELD = 16

/** @param recent the first `skip + limit` matching records in memory */
export async function withOld<State extends RecordState>(
  recent: QueryAnswer<State>,
  old: OldRows<State>,
  {
    resource,
    query,
    view,
    slices,
  }: { resource: Resource<State>; query: CompiledQuery<State>; view: OldView; slices: Slices },
): Promise<QueryAnswer<State>> {
  const { skip, limit } = query
  const wanted = limit === 0 ? 0 : skip + limit
  const page = new MergedPage(recent.items, query, (state) => resource.id(state))
  for await (const piece of old.inOrder(wanted)) {
    await slices.run(page.merge(piece))
    if (page.isFull) break
  }
  await slices.run(page.rest())
  return { count: recent.count + old.count, items: await whole(page.items, view, slices) }
}

class MergedPage<State extends RecordState> {
  /** A record, or the id of a cold record. */
  readonly items: (State | string)[] = []
  readonly #recent: readonly State[]
  readonly #query: CompiledQuery<State>
  readonly #idOf: (state: State) => string
  #at = 0
  #place = 0

  constructor(recent: readonly State[], query: CompiledQuery<State>, idOf: (state: State) => string) {
    this.#recent = recent
    this.#query = query
    this.#idOf = idOf
  }

  get isFull(): boolean {
    return this.items.length === this.#query.limit
  }

  /** Takes all rows of a piece of cold rows, and the records in memory that sort before its last row. */
  *merge(piece: readonly SortedRecord[]): SlicedJob<void> {
    const compare = compareKeyed(this.#query.keys)
    for (const row of piece) {
      for (let next = this.#next(); next !== undefined && compare(next, row) < 0; next = this.#next())
        yield* this.#take(this.#recent[this.#at++]!)
      yield* this.#take(row.id)
    }
  }

  /** Takes the remaining records in memory. */
  *rest(): SlicedJob<void> {
    while (!this.isFull && this.#at < this.#recent.length) yield* this.#take(this.#recent[this.#at++]!)
  }

  #next(): SortedRecord | undefined {
    const state = this.#recent[this.#at]
    return state === undefined ? undefined : withSortKeys(this.#idOf(state), state, this.#query.keys)
  }

  *#take(item: State | string): SlicedJob<void> {
    if (this.#place >= this.#query.skip && !this.isFull) this.items.push(item)
    this.#place += 1
    if (this.#place % PLACES_PER_YIELD === 0) yield
  }
}

/** Reads the cold records of a page, in parts, each in a slice of its own. */
async function whole<State extends RecordState>(
  items: readonly (State | string)[],
  view: OldView,
  slices: Slices,
): Promise<State[]> {
  const states: State[] = []
  for (let at = 0; at < items.length; at += RECORDS_PER_YIELD) {
    const part = items.slice(at, at + RECORDS_PER_YIELD)
    const cold = await view.states(part.filter((item) => typeof item === 'string'))
    let place = 0
    for (const item of part) states.push(typeof item === 'string' ? (cold[place++] as State) : item)
    if (cold.length > 0) await slices.run(pause())
  }
  return states
}

/** Lets other jobs run once the turn's budget is spent. */
function* pause(): SlicedJob<void> {
  yield
}
