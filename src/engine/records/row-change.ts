// Compares a record with its last written row, member by member. Independent of the meaning of the members.
import type { Envelope, RecordChange } from '../../../snapshots/store.ts'

type Members = Readonly<Record<string, unknown>>
export type WrittenRow = Pick<Envelope, 'revision' | 'value'> & { readonly context: readonly unknown[] }

/** undefined: the row must be written whole. */
export function changeSince(
  row: WrittenRow,
  now: Pick<Envelope, 'revision' | 'value' | 'context'>,
): RecordChange | undefined {
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
