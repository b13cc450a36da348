// Decides whether a commit writes the row of a record or only the changes since that row. For this, the last written
// rows of frequently changed records are cached. The first write after a start is always the whole row, so that changes
// refer to a row of this release.
import type { Envelope, StoreOp, RecordChange } from '../../../snapshots/store.ts'
import { isWrittenByPosition, toEnvelope } from './codec.ts'
import type { Entry } from './entry.ts'
import { hasEnded, type RecordState } from './record.ts'

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

type Members = Readonly<Record<string, unknown>>
type WrittenRow = Pick<Envelope, 'revision' | 'value'> & { readonly context: readonly unknown[] }

/**
 * The changed members since the row was written, compared without knowledge of their meaning; undefined: the row must
 * be written whole.
 */
function changeSince(row: WrittenRow, now: Pick<Envelope, 'revision' | 'value' | 'context'>): RecordChange | undefined {
  const { revision, value, context } = now
  if (!Array.isArray(context) || context.length < row.context.length) return undefined
  const change: [number, number, string | null, ...unknown[]] = [
    revision,
    row.revision,
    value === row.value ? null : value,
  ]
  for (let place = 0; place < context.length; place += 1) {
    const before = row.context[place]
    const member = context[place] as unknown
    if (isSame(before, member)) continue
    const appended = place > 0 ? appendedTo(before, member) : undefined
    if (appended === undefined) change.push(place, member)
    else change.push(-place, appended)
  }
  return change
}

/** The elements that `longer` has after those of `list`; undefined: it does not begin with the elements of `list`. */
function appendedTo(list: unknown, longer: unknown): readonly unknown[] | undefined {
  if (!Array.isArray(list) || !Array.isArray(longer) || longer.length <= list.length) return undefined
  return isSameUntil(list, longer, list.length) ? longer.slice(list.length) : undefined
}

function isSame(one: unknown, other: unknown): boolean {
  if (one === other) return true
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false
  if (Array.isArray(one))
    return Array.isArray(other) && one.length === other.length && isSameUntil(one, other, one.length)
  if (Array.isArray(other)) return false
  for (const name in one) if (!isSame((one as Members)[name], (other as Members)[name])) return false
  for (const name in other)
    if ((one as Members)[name] === undefined && (other as Members)[name] !== undefined) return false
  return true
}

function isSameUntil(one: readonly unknown[], other: readonly unknown[], end: number): boolean {
  for (let at = 0; at < end; at += 1) if (!isSame(one[at], other[at])) return false
  return true
}
