// The synchronous lookups of records that decisions need. `Directory` implements them for all records of the cell;
// `RequestRecords` of the operations caches them for one message.
import type { Directory } from './directory.ts'

/** As the methods of `Directory`. */
export type RecordIndex = Pick<
  Directory,
  'anywhere' | 'atAddress' | 'each' | 'find' | 'findOwn' | 'first' | 'firstOwn' | 'need' | 'ownAtAddress' | 'resident'
>
