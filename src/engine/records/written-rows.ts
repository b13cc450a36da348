// What a commit writes of a record: its row, or, where the store keeps changes, what has changed since its row. Records
// that change often are remembered as their rows have them. The first write after a start is of the whole row, so that
// a change is always one since a row of this release.
import type { Envelope, StoreOp } from '../../../snapshots/store.ts'
import { isWrittenByPosition, toEnvelope } from './codec.ts'
import type { Entry } from './entry.ts'
import { hasEnded, type RecordState } from './record.ts'
import { changeSince, type WrittenRow } from './row-change.ts'

const MOST_ROWS = 16_384
/** The oldest are forgotten many at once: a map finds its first key by passing all that were deleted before it. */
const SLACK = 1.125

export class WrittenRows {
  /** Least recently written first. */
  readonly #rows = new Map<Entry, WrittenRow>()
  readonly #most: number

  constructor(most = MOST_ROWS) {
    this.#most = most
  }

  /** @param previous undefined: nothing of the record was written */
  opOf(entry: Entry, previous: RecordState | undefined): StoreOp {
    const { head } = entry
    const envelope = toEnvelope(head)
    if (!isWrittenByPosition(head.kind)) return { type: 'record', envelope, isAlone: true }
    const row = this.#rows.get(entry)
    // In another state more of it is different: that of a position that waits for the chain is not that of a live one.
    const isNear = row !== undefined && (row.value === head.value || head.kind === 'transaction')
    const change = isNear ? changeSince(row, envelope) : undefined
    this.#remember(entry, change === undefined ? envelope : row!)
    if (change === undefined) return { type: 'record', envelope, isAlone: previous === undefined }
    const { tenant, cluster, id } = envelope
    return { type: 'change', tenant, cluster, id, change }
  }

  #remember(entry: Entry, { revision, value, context }: Pick<Envelope, 'revision' | 'value' | 'context'>): void {
    this.#rows.delete(entry)
    if (!Array.isArray(context) || hasEnded(entry.head)) return
    this.#rows.set(entry, { revision, value, context })
    if (this.#rows.size > this.#most * SLACK) this.#forgetOldest(this.#rows.size - this.#most)
  }

  #forgetOldest(excess: number): void {
    let left = excess
    for (const entry of this.#rows.keys()) {
      if (left === 0) return
      this.#rows.delete(entry)
      left -= 1
    }
  }
}
