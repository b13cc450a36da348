// How a resource's records are asked for once they have left memory: lists in the store show what the resource's fields read of them.
import type { Listed } from '../../../snapshots/store.ts'
import type { RecordState } from '../records/record.ts'

export interface Listing<State extends RecordState = RecordState> {
  /** Name of the field that lists are in order of: an instant that no record lacks or changes. */
  readonly by: string
  /** What the fields read of a record, JSON-safe. */
  pack(state: State): unknown
  /** Enough of the record for its fields to be read. */
  unpack(id: string, row: unknown): State
}

/** The old records as of one moment. To be closed. */
export interface OldView {
  /** Records of a part's list that are not in memory. */
  count(part: string): number
  /** Rows of a part's list within these times (Unix milliseconds; null: no bound), the newest first. */
  listed(part: string, fromMs: number | null, toMs: number | null): AsyncIterable<readonly Listed[]>
  /** It was still in memory at that moment, though the list has it already. */
  isInMemory(id: string): boolean
  /** The whole record. */
  state(id: string): RecordState
  close(): Promise<void>
}

export interface OldRecords {
  view(): OldView
}
