// How cold records of a resource are listed in the store, so that queries can read their fields without loading the
// records.
import type { ListedRow } from '../../../snapshots/store.ts'
import type { RecordState } from '../records/record.ts'

export interface Listing<State extends RecordState = RecordState> {
  /** Name of the field that sorts the lists: a timestamp that every record has and that never changes. */
  readonly by: string
  /** Prefix of the names of its lists. Absent: a list has the name of its part. */
  readonly prefix?: string
  /** The values of the resource's fields; JSON-safe. */
  pack(state: State): unknown
  /** A partial record, sufficient for reading its fields. */
  unpack(id: string, row: unknown): State
}

/** Name of the list with the cold records of a part. */
export function listName({ prefix }: Pick<Listing, 'prefix'>, part: string): string {
  return prefix === undefined ? part : [prefix, part].join('\u0000')
}

/** A consistent view of the cold records. Must be closed. */
export interface OldView {
  /** Number of records in a list that are not in memory. */
  count(list: string): Promise<number>
  /** Rows of a list within these times (Unix milliseconds; null: unbounded), newest first. */
  listed(list: string, fromMs: number | null, toMs: number | null): AsyncIterable<readonly ListedRow[]>
  /** Ids of the records that were still in memory when the view was taken, although the lists contain them. */
  inMemory(): Promise<ReadonlySet<string>>
  /** The complete records. */
  states(ids: readonly string[]): Promise<RecordState[]>
  close(): Promise<void>
}

export interface OldRecords {
  view(): OldView
}
