// What a commit writes of a record: its row, or, where the store keeps changes, what has changed since its row. Records
// that change often are remembered as their rows have them. The first write after a start is of the whole row, so that
// a change is always one since a row of this release.
import type { Envelope, RecordChange, StoreOp } from '../../../snapshots/store.ts'
import { isWrittenByPosition, toEnvelope } from './codec.ts'
import type { Entry } from './entry.ts'
import type { Members } from './packing.ts'
import { hasEnded, type RecordState } from './record.ts'

type Row = Pick<Envelope, 'revision' | 'value'> & { readonly context: readonly unknown[] }

const MOST_ROWS = 16_384

export class WrittenRows {
  /** Least recently written first. */
  readonly #rows = new Map<Entry, Row>()
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
    if (this.#rows.size > this.#most) this.#rows.delete(this.#rows.keys().next().value!)
  }
}

/** undefined: the row must be written whole. */
export function changeSince(row: Row, now: Pick<Envelope, 'revision' | 'value' | 'context'>): RecordChange | undefined {
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

/** What follows the list in a longer one; undefined: it is not one that begins with the list. */
function appendedTo(list: unknown, longer: unknown): readonly unknown[] | undefined {
  if (!Array.isArray(list) || !Array.isArray(longer) || longer.length <= list.length) return undefined
  return list.every((each, at) => isSame(each, longer[at])) ? longer.slice(list.length) : undefined
}

function isSame(one: unknown, other: unknown): boolean {
  if (one === other) return true
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false
  if (Array.isArray(one) !== Array.isArray(other)) return false
  const names = Object.keys(one)
  const others = other as Members
  return (
    names.length === Object.keys(other).length && names.every((name) => isSame((one as Members)[name], others[name]))
  )
}
