// Contexts of records as their rows have them: without the members that say the usual (`machines/left-out.ts`). Half of a whole row is such
// members, and rows are what a commit writes, what LevelDB sorts again and again, and what a start reads.
import type { LeftOut } from '../../../machines/left-out.ts'

export type Members = Readonly<Record<string, unknown>>

/** What is to be written. */
export function packed(context: Members, leftOut: LeftOut): Members {
  const { usual, within } = leftOut
  const row: Record<string, unknown> = {}
  for (const name in context) {
    const value = context[name]
    if (value === usual[name]) continue
    const inner = within[name]
    row[name] = inner !== undefined && isObject(value) ? packed(value, inner) : value
  }
  return row
}

/** The whole context of a row again, for rows of one kind. Rows that leave out nothing pass as they are. */
export function unpacking({ always, usual, within }: LeftOut): (row: Members) => Members {
  // Copies of one parsed object take half the space of objects that are put together member by member.
  const shape = JSON.parse(
    JSON.stringify({ ...Object.fromEntries([...always, ...Object.keys(within)].map((name) => [name, null])), ...usual }),
  ) as Members
  const inner = new Map(Object.entries(within).map(([name, each]) => [name, unpacking(each)]))
  return (row) => {
    const context: Record<string, unknown> = { ...shape }
    for (const name in row) context[name] = row[name]
    for (const [name, unpack] of inner) if (isObject(context[name])) context[name] = unpack(context[name])
    return context
  }
}

function isObject(value: unknown): value is Members {
  return typeof value === 'object' && value !== null
}
