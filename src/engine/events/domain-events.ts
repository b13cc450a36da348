// Domain events of committed changes. The engine numbers and writes them; the operations decide which changes cause
// events, and their content (`operations/events/`).
import type { RecordState } from '../records/record.ts'

/** An event without a position in the log of its tenant. */
export interface DomainEvent {
  /** The tenant whose log receives the event. */
  readonly tenant: string
  readonly cluster: string
  /** External id of the organization that owns the record. */
  readonly organization: string
  /** Further organizations of the tenant that see the event; `shared`: all of them. */
  readonly seenBy?: readonly string[] | 'shared'
  /** The first word is the kind of the resource: `account.created`. */
  readonly type: string
  readonly onchainId: string | null
  readonly offchainId: string
  /** JSON. Never contains signatures, transaction bytes or secrets. */
  readonly data: object
}

/**
 * Returns the events of one change, in order. `previous` is undefined for a new record; `next` is the state that is
 * written.
 */
export type EventSource = (previous: RecordState | undefined, next: RecordState) => readonly DomainEvent[]
