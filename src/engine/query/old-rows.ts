// Counts and sorts the cold records that match a query. Lists are read from the store page by page, in slices of the
// event loop; at no time are more rows kept than requested, nor more than a few thousand.
import type { CompiledQuery } from './compile.ts'
import { compareKeyed, withSortKeys, type SortedRecord } from './evaluate.ts'
import type { Listing, OldView } from './listing.ts'
import type { ListedRow } from '../../../snapshots/store.ts'
import type { RecordState } from '../records/record.ts'
import { matchesFilter } from './record-test.ts'
import type { SlicedJob, Slices } from './slices.ts'
import { firstRows } from './sorting.ts'
import type { Quantity } from './quantity.ts'

/** Rows read and tested between two checks of the clock: at most about 1 ms of work. */
const OLD_ROWS_PER_YIELD = 64

export interface OldRowsDependencies<State extends RecordState> {
  readonly view: OldView
  readonly lists: readonly string[]
  readonly listing: Listing<State>
  readonly slices: Slices
  /** Maximum number of rows kept at a time. */
  readonly maxKept: number
}

/** One piece of the rows. */
interface Wanted {
  readonly most: number
  /** The last row of the piece before. */
  readonly after: SortedRecord | undefined
  /** Records that are in memory and must be skipped. */
  readonly inMemory: ReadonlySet<string>
  /** True: the matches are counted. */
  readonly counts: boolean
}

export class OldRows<State extends RecordState> {
  readonly #deps: OldRowsDependencies<State>
  readonly #query: CompiledQuery<State>
  readonly #compare: (left: SortedRecord, right: SortedRecord) => number
  /** Rows arrive in the requested order, except rows with equal timestamps. */
  readonly #newestFirst: boolean
  #count = 0

  constructor(deps: OldRowsDependencies<State>, query: CompiledQuery<State>) {
    const [first] = query.keys
    this.#deps = deps
    this.#query = query
    this.#compare = compareKeyed(query.keys)
    this.#newestFirst = first?.field.name === deps.listing.by && first.descending
  }

  /** Number of matching records; valid once `inOrder` has yielded its first piece. */
  get count(): number {
    return this.#count
  }

  /** Yields the first `wanted` matches in order, piece by piece; at least one piece. */
  async *inOrder(wanted: number): AsyncGenerator<readonly SortedRecord[], void, undefined> {
    const { view, lists } = this.#deps
    const unfiltered = this.#query.entries.length === 0
    if (unfiltered) for (const list of lists) this.#count += await view.count(list)
    const inMemory = await view.inMemory()
    let after: SortedRecord | undefined
    for (let count = 0; ;) {
      const most = Math.min(wanted - count, this.#deps.maxKept)
      const first = after === undefined
      const piece =
        most === 0 && unfiltered ? [] : await this.#piece({ most, after, inMemory, counts: first && !unfiltered })
      count += piece.length
      after = piece.at(-1)
      yield piece
      if (after === undefined || piece.length < most || count === wanted) return
    }
  }

  async #piece(wanted: Wanted): Promise<readonly SortedRecord[]> {
    const { view, lists, slices } = this.#deps
    const best = new Best(wanted.most, this.#compare)
    const [fromMs, toMs] = this.#times(wanted.after)
    for (const list of lists) {
      for await (const page of view.listed(list, fromMs, toMs)) {
        if (await slices.run(this.#take(page, best, wanted))) break
      }
    }
    return await slices.run(best.inOrder())
  }

  /** Returns true if no later row of the list can be part of the result. */
  *#take(page: readonly ListedRow[], best: Best, { after, inMemory, counts }: Wanted): SlicedJob<boolean> {
    const { listing } = this.#deps
    const { entries, keys } = this.#query
    for (const [index, row] of page.entries()) {
      if (index % OLD_ROWS_PER_YIELD === 0) yield
      if (!counts && this.#newestFirst && best.bar !== undefined && row.atMs < instantOf(best.bar)) return true
      if (inMemory.has(row.id)) continue
      const state = listing.unpack(row.id, row.read())
      if (!entries.every((entry) => matchesFilter(entry, state))) continue
      if (counts) this.#count += 1
      if (best.most === 0) continue
      const { id, values } = withSortKeys(row.id, state, keys)
      if (after === undefined || this.#compare({ id, values }, after) > 0) yield* best.offer({ id, values })
    }
    return false
  }

  /** The range of times that encloses all possible matches. */
  #times(after: SortedRecord | undefined): [fromMs: number | null, toMs: number | null] {
    let [from, to] = [
      Number.NEGATIVE_INFINITY,
      after !== undefined && this.#newestFirst ? instantOf(after) : Number.POSITIVE_INFINITY,
    ]
    for (const { field, any, tests } of this.#query.entries) {
      if (field.name !== this.#deps.listing.by || (any && tests.length > 1)) continue
      for (const test of tests) {
        if (test.kind !== 'range' || test.negated) continue
        from = Math.max(from, test.low?.value.nearest ?? from)
        to = Math.min(to, test.high?.value.nearest ?? to)
      }
    }
    return [Number.isFinite(from) ? from : null, Number.isFinite(to) ? to : null]
  }
}

/** Only for rows sorted by a timestamp first. */
function instantOf({ values }: SortedRecord): number {
  return (values[0] as Quantity).nearest
}

/** Selects the first `most` of many rows offered one by one. */
class Best {
  readonly most: number
  /** Upper bound: `most` rows are known that do not sort after this row. */
  bar: SortedRecord | undefined
  readonly #compare: (left: SortedRecord, right: SortedRecord) => number
  #rows: SortedRecord[] = []

  constructor(most: number, compare: (left: SortedRecord, right: SortedRecord) => number) {
    this.most = most
    this.#compare = compare
  }

  *offer(row: SortedRecord): SlicedJob<void> {
    if (this.bar !== undefined && this.#compare(row, this.bar) >= 0) return
    this.#rows.push(row)
    if (this.#rows.length >= 2 * this.most) yield* this.#cut()
  }

  *inOrder(): SlicedJob<readonly SortedRecord[]> {
    yield* this.#cut()
    return this.#rows
  }

  *#cut(): SlicedJob<void> {
    const rows = this.#rows
    const first = yield* firstRows(Uint32Array.from(rows.keys()), Math.min(this.most, rows.length), (left, right) =>
      this.#compare(rows[left]!, rows[right]!),
    )
    this.#rows = Array.from(first, (at) => rows[at]!)
    if (this.#rows.length === this.most) this.bar = this.#rows.at(-1)
  }
}
