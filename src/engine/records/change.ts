// A committed change, as listeners receive it.
import type { Entry } from './entry.ts'
import type { RecordState } from './record.ts'

/** One committed change of a record. `previous` is undefined for a new record. */
export interface Change {
  readonly entry: Entry
  readonly previous: RecordState | undefined
  readonly next: RecordState
}
