// Decides whether a commit writes the row of a record or only the changes since that row. For this, the last written
// rows of frequently changed records are cached. The first write after a start is always the whole row, so that changes
// refer to a row of this release.
import type { Envelope, StoreOp } from '../../../snapshots/store.ts'
import { isWrittenByPosition, toEnvelope } from './codec.ts'
import type { Entry } from './entry.ts'
import { hasEnded, type RecordState } from './record.ts'
import { changeSince, type WrittenRow } from './row-change.ts'

const MAX_ROWS = 16_384
/** The oldest rows are removed in large groups, because a map finds its first key by skipping all deleted ones. */
const SLACK = 1.125

export class WrittenRows {
  /** Least recently written first. */
  readonly #rows = new Map<Entry, WrittenRow>()
  readonly #most: number

  constructor(most = MAX_ROWS) {
    this.#most = most
  }

  /** @param previous undefined: no row of the record was written yet */
  opOf(entry: Entry, previous: RecordState | undefined): StoreOp {
    const { head } = entry
    const envelope = toEnvelope(head)
    if (!isWrittenByPosition(head.kind)) return { type: 'record', envelope, isAlone: true }
    const row = this.#rows.get(entry)
    // Except in transactions, a change of state changes many members, so the whole row is not much longer.
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
