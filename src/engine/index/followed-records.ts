// Records of a tenant of another cell that this process follows: copies of its committed rows, with a short delay. They
// are found like records of this cell, but are never written here. Only records that decisions of other tenants depend
// on are followed.
import type { Envelope } from '../../../snapshots/store.ts'
import { fromEnvelope } from '../records/codec.ts'
import type { Change } from '../records/change.ts'
import { Entry } from '../records/entry.ts'
import { isHolding, type RecordState } from '../records/record.ts'
import type { Directory } from './directory.ts'

/** Removed records keep their last state. */
export interface FollowedChanges {
  readonly changes: readonly Change[]
  readonly gone: readonly RecordState[]
}

/** Rights, switches and shared holdings apply to all tenants. */
function isFollowed(state: RecordState): boolean {
  if (isHolding(state)) return state.context.shared
  return state.kind === 'organization' || state.kind === 'apiKey' || state.kind === 'suspension'
}

export class FollowedRecords {
  readonly #directory: Directory
  readonly #entries = new Map<string, Entry>()

  constructor(directory: Directory) {
    this.#directory = directory
  }

  /** Applies committed rows. Idempotent; a row older than the known one is ignored. */
  take(envelopes: readonly Envelope[]): FollowedChanges {
    const changes: Change[] = []
    const gone: RecordState[] = []
    for (const envelope of envelopes) {
      // Transactions are not followed, so their payloads need not be read.
      if (envelope.kind === 'transaction') continue
      const next = fromEnvelope(envelope, noPayload)
      const entry = this.#entries.get(next.id)
      if (entry !== undefined && entry.head.revision >= next.revision) continue
      const change = isFollowed(next) ? this.#put(entry, next) : undefined
      if (change !== undefined) changes.push(change)
      else if (entry !== undefined) gone.push(this.#drop(entry))
    }
    return { changes, gone }
  }

  #put(known: Entry | undefined, next: RecordState): Change {
    const previous = known?.head
    const entry = known ?? new Entry(next, next, undefined)
    entry.place = 'followed'
    entry.head = next
    entry.committed = next
    this.#entries.set(next.id, entry)
    this.#directory.moved(entry, previous, next)
    return { entry, previous, next }
  }

  #drop(entry: Entry): RecordState {
    const { head } = entry
    this.#entries.delete(head.id)
    this.#directory.moved(entry, head, undefined)
    entry.committed = undefined
    return head
  }
}

function noPayload(): never {
  throw new TypeError('transactions are not followed')
}
