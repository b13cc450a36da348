// What changed of a record since its row was written, by place. Nothing is known here of what is at a place.
import type { Envelope, RecordChange } from '../../../snapshots/store.ts'
import type { Members } from './packing.ts'

export type WrittenRow = Pick<Envelope, 'revision' | 'value'> & { readonly context: readonly unknown[] }

/** undefined: the row must be written whole. */
export function changeSince(row: WrittenRow, now: Pick<Envelope, 'revision' | 'value' | 'context'>): RecordChange | undefined {
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
