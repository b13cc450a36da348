// The questions that decisions ask about records, each synchronous. `Directory` answers them for all records of the
// cell; `RequestRecords` of the operations answers them again for one message.
import type { Directory } from './directory.ts'

/** As the methods of `Directory`. */
export type RecordIndex = Pick<
  Directory,
  'anywhere' | 'atAddress' | 'each' | 'find' | 'findOwn' | 'first' | 'firstOwn' | 'need' | 'ownAtAddress' | 'resident'
>
