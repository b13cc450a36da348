// What is told of a committed change. The engine numbers and writes it; what is worth telling, and in which words, is the teller's business.
import type { RecordState } from '../records/record.ts'

/** An event before it has its place in the log of its tenant. */
export interface Told {
  /** The tenant's log it belongs to. */
  readonly tenant: string
  readonly cluster: string
  /** External id of the organization whose record it is. */
  readonly organization: string
  /** Further organizations of the tenant that see it; `shared`: all of them do. */
  readonly seenBy?: readonly string[] | 'shared'
  /** Its first word is the kind of the resource: `account.created`. */
  readonly type: string
  readonly onchainId: string | null
  readonly offchainId: string
  /** JSON. Never signatures, bytes or secrets. */
  readonly data: object
}

/** `previous` is undefined for a new record; `next` is what is written. In the order to be told. */
export type Teller = (previous: RecordState | undefined, next: RecordState) => readonly Told[]

/** An event as it is stored: `[type, at, cluster, organization, onchainId, offchainId, data]`, and who else sees it where somebody does. */
export type EventRow = readonly [
  type: string,
  /** Unix milliseconds. */
  atMs: number,
  cluster: string,
  organization: string,
  onchainId: string | null,
  offchainId: string,
  data: object,
  seenBy?: readonly string[] | 'shared',
]

export function eventRow({ type, cluster, organization, onchainId, offchainId, data, seenBy }: Told, atMs: number): EventRow {
  const row = [type, atMs, cluster, organization, onchainId, offchainId, data] as const
  return seenBy === undefined ? row : [...row, seenBy]
}
